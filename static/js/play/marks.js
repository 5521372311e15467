// The marks of a board in play (see `Game.play_svg`): which targets can be pointed at, which
// pictures of the choice are shown, which aids. Nothing is redrawn: marks are shown or not.
const show = (element, is) => (element.style.display = is ? "inline" : "none");
const split = (values) => (values ? values.split("|") : []);

export class Marks {
  constructor(box) {
    this.box = box;
    this.take();
  }

  /** Take the drawing that is in the box now. */
  take() {
    this.svg = this.box.querySelector(":scope > svg");
    const find = (selector) => [...this.svg.querySelectorAll(selector)];
    this.targets = find("[data-step]");
    this.pictures = find("[data-show]");
    this.aids = find("[data-aid]");
    for (const target of this.targets) {
      target.setAttribute("role", "button");
      target.setAttribute("tabindex", "-1");
    }
  }

  /** Whether a picture of what has been chosen is shown. */
  get hasPicture() {
    return this.pictures.some((picture) => picture.style.display === "inline");
  }

  when(target) {
    return split(target.dataset.when);
  }

  /** Draw a choice (null: nothing can be chosen now) and the aids that are on. */
  draw(choice, aidsOn) {
    this.choice = choice;
    for (const target of this.targets) {
      const when = this.when(target);
      const is = choice !== null && choice.beginsWith(when) && this.isLegal(target, when.length);
      show(target, is);
      const isChosen = is && choice.taken[when.length]?.value === target.dataset.value;
      target.classList.toggle("is-chosen", isChosen);
      target.setAttribute("aria-pressed", String(isChosen));
      this.label(target, when.length);
    }
    for (const picture of this.pictures)
      show(picture, choice !== null && choice.beginsWith(split(picture.dataset.show)));
    for (const picture of this.pictures) picture.classList.remove("is-preview");
    for (const aid of this.aids) if (!aid.matches("[data-step], [data-show]")) show(aid, aidsOn.has(aid.dataset.aid));
    this.box.classList.toggle("has-choice", Boolean(choice?.taken.length));
  }

  /** Show how a choice would look, faintly; null: no more. */
  preview(choice) {
    for (const picture of this.pictures) {
      const is = choice !== null && choice.beginsWith(split(picture.dataset.show));
      picture.classList.toggle("is-preview", is);
      if (!this.choice?.taken.length) show(picture, is);
    }
  }

  isLegal({ dataset }, depth) {
    return this.choice.options(depth).some(({ name, value }) => name === dataset.step && value === dataset.value);
  }

  label(target, depth) {
    if (target.hasAttribute("aria-label") || target.querySelector("title") || !this.choice) return;
    const part = this.choice.options(depth).find(({ value }) => value === target.dataset.value);
    if (part) target.setAttribute("aria-label", part.label);
  }

  get shown() {
    return this.targets.filter((target) => target.style.display === "inline");
  }

  /** The target under a pixel, be it below a picture of the choice. */
  at(x, y) {
    for (const element of document.elementsFromPoint(x, y)) {
      const target = element.closest?.("[data-step]");
      if (target && this.svg.contains(target)) return target;
    }
    return null;
  }

  get focused() {
    return this.targets.find((target) => target === document.activeElement) ?? null;
  }

  focus(target) {
    for (const other of this.targets) other.setAttribute("tabindex", other === target ? "0" : "-1");
    target.focus({ preventScroll: true });
  }

  /** Where Tab enters the board: the chosen place, or the first one. */
  openToTab() {
    if (this.focused) return;
    const shown = this.shown;
    const entry = shown.find((target) => target.classList.contains("is-chosen")) ?? shown[0];
    for (const target of this.targets) target.setAttribute("tabindex", target === entry ? "0" : "-1");
  }

  /** The nearest target from another, or from the middle of the board, in a direction. */
  next(from, [dx, dy]) {
    const shown = this.shown;
    if (!from) return this.nearest(shown, this.middle(this.start));
    const here = this.middle(from);
    let best = null;
    let least = Infinity;
    for (const target of shown) {
      const there = this.middle(target);
      const along = (there.x - here.x) * dx + (there.y - here.y) * dy;
      const across = Math.abs((there.x - here.x) * dy) + Math.abs((there.y - here.y) * dx);
      const far = along + 2.5 * across;
      if (target !== from && along > 1 && far < least) [best, least] = [target, far];
    }
    return best;
  }

  get start() {
    return this.svg.querySelector('[id="board-last"]') ?? this.box;
  }

  nearest(targets, point) {
    const far = (target) => Math.hypot(this.middle(target).x - point.x, this.middle(target).y - point.y);
    return targets.reduce((best, target) => (best && far(best) <= far(target) ? best : target), null);
  }

  /** Whether the middle of a target lies on another one. */
  isOn(target, place) {
    const { x, y } = this.middle(target);
    const { left, right, top, bottom } = place.getBoundingClientRect();
    return x > left && x < right && y > top && y < bottom;
  }

  middle(element) {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  }
}
