// Where one acts in the turn bar: what has been chosen (the path, in place of the second sentence), buttons for
// parts of "choice" steps, and the deeds: turn, take back, confirm. All of it has one height in every turn.
const LONG = 16; // letters of an option for which a narrow button would be too small

export class Bar {
  /** onChoose(value, depth), onDeed(name). */
  constructor(element, onChoose, onDeed) {
    this.element = element;
    this.find = (name) => element.querySelector(`[data-${name}]`);
    this.deed = (name) => element.querySelector(`[data-deed="${name}"]`);
    this.onChoose = onChoose;
    this.depth = -1;
    element.addEventListener("click", ({ target }) => {
      const option = target.closest("[data-option]");
      const deed = target.closest("[data-deed]");
      if (option) onChoose(option.dataset.option, this.depth);
      else if (deed) onDeed(deed.dataset.deed);
    });
  }

  /** choice: null where nothing can be chosen; isSending: no more clicks; canUndo: one's last move, at any time. */
  draw(choice, isSending, needsConfirm, canUndo) {
    const isOpen = choice !== null;
    this.canUndo = Boolean(canUndo && this.find("undo"));
    this.find("deeds").hidden = !isOpen && !this.canUndo;
    this.drawBack(Boolean(choice?.taken.length), isSending);
    this.drawPath(choice);
    this.drawOptions(choice, isSending);
    this.element.toggleAttribute("data-chosen", Boolean(choice?.taken.length));
    this.element.toggleAttribute("data-whole", Boolean(choice?.action));
    const turn = this.deed("turn");
    if (turn) [turn.hidden, turn.disabled] = [!isOpen || choice.turnDepth < 0, isSending];
    this.deed("confirm").hidden = !isOpen || (!needsConfirm && !choice.action);
    this.deed("confirm").disabled = isSending || !choice?.action;
    this.deed("confirm").setAttribute("aria-busy", String(isSending));
    const words = choice?.deed ?? "Confirm";
    if (this.deed("confirm").textContent.trim() !== words) this.deed("confirm").textContent = words;
  }

  /** One button goes back: what was chosen last, else one's last move. */
  drawBack(hasChosen, isSending) {
    const button = this.deed("back");
    const isUndo = !hasChosen && this.canUndo;
    button.disabled = isSending || !(hasChosen || isUndo);
    const asks = isUndo && this.find("undo").hasAttribute("data-asks");
    button.toggleAttribute("data-asks", asks);
    const undo = asks ? "Ask to undo my last move (U)" : "Undo my last move (U)";
    button.title = isUndo ? undo : "Take back what was chosen last (Esc)";
    button.querySelector(".sr").textContent = button.title.replace(/ \(.*/, "");
    button.setAttribute("aria-keyshortcuts", isUndo ? "U" : "Escape");
  }

  /** Ask to go back to before one's last decision: as a form of the page, which has the token. */
  undo() {
    if (this.canUndo) this.find("undo").requestSubmit();
  }

  drawPath(choice) {
    const path = this.find("path");
    path.hidden = !choice?.taken.length;
    if (path.hidden) return path.replaceChildren();
    const isStanding = (depth) => !choice.step && choice.open && depth === choice.taken.length - 1; // a default
    const entries = choice.taken.map((part, depth) => {
      return entry(wordsOf(part, choice.steps.get(part.name)), isStanding(depth) ? "" : "done");
    });
    if (choice.step) entries.push(entry(choice.step.label, ""));
    return path.replaceChildren(...entries);
  }

  drawOptions(choice, isSending) {
    const box = this.find("options");
    const { focused } = this;
    this.depth = choice ? depthOfOptions(choice) : -1;
    box.hidden = this.depth < 0;
    if (box.hidden) return box.replaceChildren();
    box.setAttribute("aria-label", choice.stepAt(this.depth).label);
    const buttons = choice.buttons(this.depth).map((part, index) => {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.option = part.value;
      button.disabled = isSending;
      button.setAttribute("aria-pressed", String(choice.taken[this.depth]?.value === part.value));
      if (index < 9) button.setAttribute("aria-keyshortcuts", String(index + 1));
      button.append(part.label);
      return button;
    });
    box.replaceChildren(...buttons);
    box.toggleAttribute(
      "data-long",
      buttons.some(({ textContent }) => textContent.length > LONG),
    );
    return focused < 0 ? undefined : this.focus(focused);
  }

  get options() {
    return [...this.find("options").children];
  }

  get focused() {
    return this.options.indexOf(document.activeElement);
  }

  /** Whether something in it has the focus that can still be pressed. */
  get hasFocus() {
    const now = document.activeElement;
    return this.element.contains(now) && !now.disabled && !now.hidden && !now.closest("[hidden]");
  }

  /** Focus an option by its place; before the first and after the last it stays. */
  focus(place) {
    const { options } = this;
    options[Math.min(options.length - 1, Math.max(0, place))]?.focus();
  }

  /** Focus the option that is chosen, or the first one. */
  focusChosen() {
    this.focus(this.options.findIndex((option) => option.getAttribute("aria-pressed") === "true"));
  }
}

/** What the bar says of a part: a place that is seen on the board is no more than that. */
function wordsOf({ value, label }, step) {
  return !step?.named || step.named.includes(value) ? label : step.label;
}

/** Where the choice has buttons: the step that is asked for, else the last one chosen; -1: nowhere. */
function depthOfOptions(choice) {
  const isOpen = (depth) => choice.options(depth).length > 1 || (depth === 0 && !choice.taken.length);
  const has = (depth) => choice.buttons(depth).length > 0 && isOpen(depth);
  if (has(choice.taken.length)) return choice.taken.length;
  const last = choice.taken.length - 1;
  return last >= 0 && has(last) ? last : -1;
}

function entry(words, name) {
  const item = document.createElement("li");
  item.className = name;
  item.textContent = words;
  if (!name) item.setAttribute("aria-current", "step");
  return item;
}
