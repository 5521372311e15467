// A hint: asked for by button or key, followed while it is computed, shown as three moves with marks
// on the board. A click on one of them chooses it; it counts when it is confirmed, like any choice.
const POLL_MS = 300;
const LOST_MS = 2000;
const SVG = "http://www.w3.org/2000/svg";
const OPEN = ["waiting", "claimed"];

const signed = (value) => `${value < -0.05 ? "−" : "+"}${Math.abs(value).toFixed(1)}`;
const half = (value) => (value === null ? "" : ` ±${value.toFixed(1)}`);

export class Hints {
  constructor(board) {
    this.board = board;
    this.card = board.page.querySelector("[data-hint-card]");
    if (!this.card) return;
    this.find = (name) => this.card.querySelector(`[data-hint-${name}]`);
    this.address = board.page.dataset.hint;
    this.hint = null;
    this.rows = [];
    this.find("ask").addEventListener("click", () => this.ask());
    this.find("cancel").addEventListener("click", () => this.cancel());
    this.find("rows").addEventListener("click", ({ target }) => {
      const button = target.closest("[data-rank]");
      if (button) this.take(this.rows[Number(button.dataset.rank)]);
    });
    this.arrangement = new MutationObserver(() => this.mark()); // a board may have another one for phones
    this.adopt(board.state);
  }

  get isOn() {
    return Boolean(this.card) && this.board.aidsOn.has("hint");
  }

  get isThinking() {
    return OPEN.includes(this.hint?.status);
  }

  // ---- asking

  async ask() {
    if (!this.isOn || this.isThinking || this.find("ask").disabled) return;
    const { board } = this;
    board.side.show("hint");
    board.say("A hint is being worked out.");
    await this.send(this.address);
  }

  async cancel() {
    await this.send(`${this.address}?cancel=1`);
    this.board.say("Hint called off.");
    this.find("ask").focus();
  }

  async send(address) {
    const { wire, panels } = this.board;
    try {
      const { state } = await wire.post(address, new URLSearchParams());
      if (state?.error) panels.toast(state.error);
      if (state) this.show(state.hint);
    } catch {
      panels.toast("No connection: no hint was asked for. Try again in a moment.");
    }
  }

  follow(ms = POLL_MS) {
    clearTimeout(this.timer);
    if (!this.isThinking) return;
    this.timer = setTimeout(async () => {
      try {
        const { state } = await this.board.wire.fetch(this.address, {}, false);
        if (state) this.show(state.hint);
      } catch {
        this.follow(LOST_MS);
      }
    }, ms);
  }

  // ---- showing

  /** The match has moved, or the page has just come. */
  adopt(state) {
    if (!this.card) return;
    this.refusal = state.no_hint;
    this.show(state.hint, { isQuiet: true });
  }

  show(hint, { isQuiet = false } = {}) {
    const before = this.hint;
    this.hint = hint;
    const isNew = hint?.status === "done" && before?.status !== "done";
    this.rows = hint?.status === "done" ? hint.result.rows.map((row) => this.worded(row)).filter(Boolean) : [];
    this.draw();
    this.mark();
    this.follow();
    if (hint?.status === "failed" && before?.status !== "failed")
      this.board.panels.toast("No hint could be worked out. Ask once more.");
    if (isNew && !isQuiet)
      this.board.say(`Hint. ${this.rows.map(({ said }, place) => `${place + 1}: ${said}`).join(". ")}.`);
  }

  /** A row with its move in words; nothing where the move is not legal here. */
  worded(row) {
    const action = this.board.state.actions.find(({ id }) => id === row.action);
    if (!action) return null;
    const words = row.words[0].toUpperCase() + row.words.slice(1);
    return { ...row, words, parts: action.parts, said: `${words}, ${signed(row.mean)} points, ${row.reason}` };
  }

  draw() {
    const { hint } = this;
    const [ask, rows, note, progress] = ["ask", "rows", "note", "progress"].map(this.find);
    const isDone = this.rows.length > 0;
    ask.hidden = this.isThinking || isDone;
    ask.disabled = Boolean(this.refusal);
    ask.title = this.refusal;
    progress.hidden = !this.isThinking;
    this.find("cancel").hidden = !this.isThinking;
    if (hint?.status === "claimed") progress.value = hint.progress;
    else progress.removeAttribute("value");
    rows.hidden = !isDone;
    note.hidden = !isDone;
    const shown = isDone ? hint.result.rows.map(({ action }) => action).join() + hint.ply : "";
    if (rows.dataset.shown === shown) return;
    rows.dataset.shown = shown;
    rows.replaceChildren(...this.rows.map((row, rank) => entry(row, rank)));
    note.textContent = isDone ? this.noted(hint.result) : "";
  }

  noted({ rows, by, search }) {
    const played = rows[0].playouts.toLocaleString("en").replace(",", "\u202f");
    const chosen = search ? ` ${search} chose what to look at.` : "";
    return (
      "Expected lead at the end, in points, with 95 % intervals: " +
      `${played} matches played out after each, by ${by}.${chosen} ` +
      "In reasons, points at once or if the match ended now are exact; " +
      "what has ± is estimated by these matches, against the other moves shown."
    );
  }

  // ---- choosing

  take(row) {
    const { board } = this;
    if (!row || !board.choice || board.isSending) return;
    board.side.close();
    board.choice = board.freshChoice();
    row.parts.forEach(({ value }, depth) => {
      if (board.choice.taken[depth]?.value !== value) board.choice.choose(value, depth);
    });
    board.changed();
    board.box.focus({ preventScroll: true });
  }

  // ---- marks on the board

  /** A number at the place where each move begins; moves that begin at one place share a mark. */
  mark() {
    const { marks } = this.board;
    if (!this.card || !marks.svg) return;
    marks.svg.querySelector(":scope > .hint-marks")?.remove();
    this.arrangement.disconnect();
    this.arrangement.observe(marks.svg, { attributeFilter: ["class"] });
    if (!this.rows.length || !this.isOn) return;
    const group = document.createElementNS(SVG, "g");
    group.classList.add("hint-marks");
    group.setAttribute("aria-hidden", "true");
    const places = new Map();
    this.rows.forEach(({ parts }, rank) => {
      const target = marks.targets.find(
        ({ dataset }) => !dataset.when && dataset.step === parts[0]?.name && dataset.value === parts[0]?.value,
      );
      if (target) places.set(target, [...(places.get(target) ?? []), rank + 1]);
    });
    for (const [target, ranks] of places) this.badge(group, target, ranks);
    marks.svg.append(group);
  }

  /** One mark inside the place, wider the more numbers it holds. */
  badge(group, target, ranks) {
    const { svg } = this.board.marks;
    const kept = target.style.display;
    target.style.display = "inline"; // what is hidden has no place
    // of two arrangements
    const drawn = [...target.children].find((part) => part.getBoundingClientRect().width) ?? target;
    const { x, y, width, height } = drawn.getBoundingClientRect();
    target.style.display = kept;
    const matrix = svg.getScreenCTM()?.inverse();
    if (!matrix || !width) return;
    const centre = new DOMPoint(x + width / 2, y + height / 2).matrixTransform(matrix);
    const radius = 0.21 * Math.hypot(matrix.a, matrix.b) * Math.min(width, height);
    const badge = document.createElementNS(SVG, "g");
    badge.classList.add("hint-mark");
    badge.setAttribute("transform", `translate(${centre.x} ${centre.y}) scale(${radius / 10})`);
    const halfWidth = 10 + 5.5 * (ranks.length - 1);
    badge.innerHTML =
      `<rect x="${-halfWidth}" y="-10" width="${2 * halfWidth}" height="20" rx="10"/>` +
      `<text text-anchor="middle" dy="4.6">${ranks.join(" ")}</text>`;
    group.append(badge);
  }
}

function entry({ words, mean, half: error, reason }, rank) {
  const row = document.createElement("li");
  row.innerHTML =
    '<button type="button" class="hint-row">' +
    '<span class="hint-rank" aria-hidden="true"></span>' +
    '<span class="hint-words"><strong></strong> <span class="muted"></span></span>' +
    '<span class="num hint-value"><strong></strong><span class="muted"></span></span>' +
    "</button>";
  const [button] = row.children;
  const [number, said, value] = button.children;
  button.dataset.rank = rank;
  number.textContent = rank + 1;
  said.firstChild.textContent = words;
  said.lastChild.textContent = reason;
  value.firstChild.textContent = signed(mean);
  value.lastChild.textContent = half(error);
  return row;
}
