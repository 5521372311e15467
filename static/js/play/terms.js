// Words that explain what is small or a picture (data-tip), in a box beside it: under a pointer that rests there, with
// the keyboard's focus, and by a tap. A plate says all of its own together. Where the rules know the word (data-term),
// the box leads there, and so does Enter. Arrows move among the lines of a list of them.
const REST_MS = 250;
const GAP_PX = 8;
const STEPS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
const WHOLE = "[data-plate], .stock-rows > li";

export class Terms {
  constructor(page, rules) {
    this.page = page;
    this.rules = rules;
    this.target = null;
    this.box = page.querySelector("[data-tip-box]");
    this.words = this.box.querySelector("p");
    this.link = this.box.querySelector("button");
    this.link.addEventListener("click", () => this.open(this.link.dataset.of));
    page.addEventListener("pointerover", (event) => this.over(event));
    page.addEventListener("pointerout", (event) => this.out(event));
    page.addEventListener("focusin", ({ target }) => this.focus(target));
    page.addEventListener("focusout", ({ relatedTarget }) => !this.box.contains(relatedTarget) && this.hide());
    page.addEventListener("click", (event) => this.tap(event));
    page.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("pointerdown", ({ target }) => !this.box.contains(target) && this.hide());
    document.addEventListener("keydown", (event) => this.escape(event), true);
  }

  over({ target, pointerType }) {
    const place = target.closest("[data-tip]");
    if (pointerType === "touch" || !place || place === this.target) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.show(place, [place]), REST_MS);
  }

  /** The pointer may go into the box; a finger that is lifted goes nowhere. */
  out({ relatedTarget: to, pointerType }) {
    clearTimeout(this.timer);
    if (pointerType === "touch") return;
    if (!this.box.contains(to) && !document.activeElement?.matches(`:is(${WHOLE}):focus-visible`)) this.hide();
  }

  focus(target) {
    if (!target.matches(`:is(${WHOLE}):focus-visible`)) return;
    const parts = [...target.querySelectorAll("[data-tip]")].filter((part) => part.checkVisibility());
    if (parts.length) this.show(target, parts);
  }

  tap(event) {
    const place = event.target.closest("[data-tip]");
    if (place && isTouch(event)) this.show(place, [place]);
  }

  key(event) {
    const { key, target } = event;
    const whole = target.closest(".stock-rows, .stock-rows > li");
    if (STEPS[key] && whole) return this.step(event, target.closest(".stock-rows"));
    const word = target.matches(WHOLE) && target.querySelector("[data-tip][data-term]");
    if (key !== "Enter" || !word || !this.rules.knows(word.dataset.term)) return undefined;
    event.preventDefault();
    return this.open(word.dataset.term);
  }

  step(event, list) {
    const rows = [...list.children];
    const next = rows[rows.indexOf(event.target) + STEPS[event.key]];
    event.preventDefault();
    event.stopPropagation();
    next?.focus();
  }

  escape(event) {
    if (event.key !== "Escape" || this.box.hidden) return;
    if (this.target.matches(WHOLE)) event.stopPropagation(); // what has the focus: nothing else is meant
    this.hide();
  }

  open(word) {
    this.hide();
    this.rules.open(word);
  }

  // ---- the box

  show(target, parts) {
    this.hide();
    this.target = target;
    this.words.textContent = parts.map(({ dataset }) => dataset.tip).join("; ");
    const word = parts.map(({ dataset }) => dataset.term).find((one) => one && this.rules.knows(one));
    this.link.hidden = !word;
    this.link.dataset.of = word ?? "";
    this.box.hidden = false;
    target.setAttribute("aria-describedby", this.box.id);
    this.place(target.getBoundingClientRect());
  }

  hide() {
    clearTimeout(this.timer);
    this.target?.removeAttribute("aria-describedby");
    this.target = null;
    this.box.hidden = true;
  }

  /** Below the place, above it where there is no room; never out of the window. */
  place({ left, top, bottom, width }) {
    const { offsetWidth, offsetHeight } = this.box;
    const isBelow = bottom + GAP_PX + offsetHeight < innerHeight;
    const x = Math.min(Math.max(GAP_PX, left + width / 2 - offsetWidth / 2), innerWidth - offsetWidth - GAP_PX);
    this.box.style.left = `${x}px`;
    this.box.style.top = `${isBelow ? bottom + GAP_PX : Math.max(GAP_PX, top - offsetHeight - GAP_PX)}px`;
  }
}

/** Whether a click came from a finger. */
export const isTouch = ({ pointerType }) =>
  pointerType ? pointerType === "touch" : matchMedia("(hover: none)").matches;
