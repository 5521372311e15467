// Zoom, pan and centre of a board: only its viewBox changes, the drawing is the game's.
// The view belongs to the box ([data-board]), not to the drawing: a drawing that is put in the
// place of another keeps it, and what has not been moved by hand follows the board as it grows.
// data-unit="100" on the drawing: 100 of its units are one place of the board. data-least="60" on
// the box: on a phone a place is at least 60 pixels wide at first, round the element whose id ends
// in "last"; where the drawing has an element [data-home], a phone begins with all of that instead.
// data-most="110": it is never drawn wider unless somebody zooms; data-close="110": on a
// phone it is so wide while something on it is to be chosen (`closer`). A drawing with data-narrow has another
// arrangement for phones, shown while it has the class is-narrow; that is its window then. A drawing in a box
// with the class board-still has its arrangement, and is not moved.
const STEP = 1.4;
const MOST = 6;
const ROOM = 0.96; // of the box, for the part of a board that a phone begins with
const CLICK_PX = 6; // a pointer that went further has dragged
const views = new WeakMap();
const isPhone = () => matchMedia("(max-width: 44rem)").matches;

export function viewOf(box) {
  if (!views.has(box) && box.querySelector(":scope > svg")) views.set(box, new View(box));
  return views.get(box);
}

/** Give a drawing the arrangement that suits the page; returns its window. */
function arranged(svg) {
  svg.dataset.whole ??= svg.getAttribute("viewBox"); // as it was drawn, before anything moved it
  const { whole, narrow } = svg.dataset;
  const isNarrow = Boolean(narrow) && isPhone();
  svg.classList.toggle("is-narrow", isNarrow);
  return isNarrow ? narrow : whole;
}

class View {
  constructor(box) {
    this.box = box;
    this.mode = "home"; // or "all": the whole board; "own": where somebody went by hand
    this.before = null; // mode and place of the view that `closer` has left
    this.fingers = new Map();
    this.hasDragged = false;
    this.take();
    this.listen();
    new ResizeObserver(() => this.settle()).observe(box);
  }

  /** Take the drawing that is in the box now. */
  take() {
    this.svg = this.box.querySelector(":scope > svg");
    this.settle();
  }

  /** Take the arrangement of the drawing that suits the page. */
  arrange() {
    const [x, y, width, height] = arranged(this.svg)
      .split(/[\s,]+/)
      .map(Number);
    this.whole = { x, y, width, height };
  }

  get size() {
    return {
      width: this.svg.clientWidth || this.box.clientWidth,
      height: this.svg.clientHeight || this.box.clientHeight,
    };
  }

  /** Pixels per unit at which the whole board fits. */
  get fitting() {
    const { width, height } = this.size;
    return Math.min(width / this.whole.width, height / this.whole.height, this.ofPlace("most") || Infinity);
  }

  /** Pixels per unit at which the view begins. */
  get home() {
    if (!isPhone()) return this.fitting;
    const part = this.svg.querySelector("[data-home]")?.getBBox();
    if (!part) return Math.max(this.fitting, this.ofPlace("least"));
    const { width, height } = this.size;
    return Math.max(this.fitting, Math.min(width / part.width, height / part.height) * ROOM);
  }

  /** Pixels per unit that a bound on the width of a place means; 0 where there is none. */
  ofPlace(bound) {
    const { unit } = this.svg.dataset;
    return unit && this.box.dataset[bound] ? this.box.dataset[bound] / unit : 0;
  }

  /** After a change of drawing or size: stay where somebody went, else show what matters. */
  settle() {
    this.arrange();
    if (!this.size.width || !this.size.height) return;
    if (this.mode === "home" || !this.at) this.at = { ...this.middle(), scale: this.home };
    else if (this.mode === "all") this.at.scale = this.fitting;
    this.apply();
  }

  get hasSmallHome() {
    return this.home > this.fitting * 1.001;
  }

  middle() {
    const ring = this.hasSmallHome && this.svg.querySelector('[id$="last"]');
    const place = ring && this.place(ring);
    if (place) return place;
    return { x: this.whole.x + this.whole.width / 2, y: this.whole.y + this.whole.height / 2 };
  }

  /** Middle of an element in the drawing's units; null where it is not shown. */
  place(element) {
    const spot = element.getBoundingClientRect();
    const matrix = this.svg.getScreenCTM();
    if (!matrix || (!spot.width && !spot.height)) return null;
    const point = new DOMPoint(spot.x + spot.width / 2, spot.y + spot.height / 2).matrixTransform(matrix.inverse());
    return { x: point.x, y: point.y };
  }

  apply() {
    const { width, height } = this.size;
    const { at, whole } = this;
    at.scale = Math.min(this.fitting * MOST, Math.max(this.fitting, at.scale));
    const seen = { width: width / at.scale, height: height / at.scale };
    const within = (start, length, view, middle) =>
      view >= length ? start + length / 2 : Math.min(start + length - view / 2, Math.max(start + view / 2, middle));
    at.x = within(whole.x, whole.width, seen.width, at.x);
    at.y = within(whole.y, whole.height, seen.height, at.y);
    const numbers = [at.x - seen.width / 2, at.y - seen.height / 2, seen.width, seen.height];
    this.svg.setAttribute("viewBox", numbers.map((n) => n.toFixed(2)).join(" "));
    const isZoomed = at.scale > this.fitting * 1.001;
    if (this.mode === "own" && !isZoomed) this.mode = "all";
    this.box.classList.toggle("is-zoomed", isZoomed);
    this.able("in", at.scale < this.fitting * MOST * 0.999);
    this.able("out", isZoomed);
    this.able("centre", isZoomed || this.hasSmallHome);
  }

  able(name, is) {
    const button = this.box.querySelector(`[data-zoom="${name}"]`);
    if (button) button.disabled = !is;
  }

  /** Zoom so that what is under the pixel (of the window) stays there; without one, the middle. */
  zoom(factor, px, py) {
    const place = this.svg.getBoundingClientRect();
    const dx = px === undefined ? 0 : px - place.x - place.width / 2;
    const dy = py === undefined ? 0 : py - place.y - place.height / 2;
    const before = this.at.scale;
    const scale = Math.min(this.fitting * MOST, Math.max(this.fitting, before * factor));
    this.mode = "own";
    Object.assign(this.at, { x: this.at.x + dx / before - dx / scale, y: this.at.y + dy / before - dy / scale, scale });
    this.apply();
  }

  move(dx, dy) {
    this.mode = "own";
    this.at.x -= dx / this.at.scale;
    this.at.y -= dy / this.at.scale;
    this.apply();
  }

  /** Back to where it began; from there, to the whole board. */
  centre() {
    this.mode = this.mode === "home" && this.hasSmallHome ? "all" : "home";
    this.settle();
  }

  /** On a phone: go so near to an element that small things on it can be touched; it stays where it is seen. */
  closer(element) {
    if (this.before || !isPhone() || this.ofPlace("close") <= this.at.scale) return;
    this.before = { mode: this.mode, at: { ...this.at } };
    const { x, y, width, height } = element.getBoundingClientRect();
    this.zoom(this.ofPlace("close") / this.at.scale, x + width / 2, y + height / 2);
    this.reveal(element);
  }

  /** Back to the view that `closer` has left. */
  further() {
    if (!this.before) return;
    const { mode, at } = this.before;
    this.before = null;
    this.mode = mode;
    Object.assign(this.at, at);
    this.settle();
  }

  /** Move so far that an element is inside, with some room round it. */
  reveal(element) {
    const spot = element.getBoundingClientRect();
    const frame = this.svg.getBoundingClientRect();
    const over = (low, high, from, to) => {
      const room = Math.min(24, (to - from) / 8);
      if (low < from + room) return from + room - low;
      return high > to - room ? to - room - high : 0;
    };
    const dx = over(spot.left, spot.right, frame.left, frame.right);
    const dy = over(spot.top, spot.bottom, frame.top, frame.bottom);
    if (dx || dy) this.move(dx, dy);
  }

  listen() {
    const { box } = this;
    box.addEventListener("click", (event) => {
      const deed = event.target.closest("[data-zoom]")?.dataset.zoom;
      if (deed === "in") this.zoom(STEP);
      else if (deed === "out") this.zoom(1 / STEP);
      else if (deed === "centre") this.centre();
    });
    box.addEventListener("pointerdown", (event) => this.press(event));
    box.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"])
      box.addEventListener(end, (event) => this.release(event));
    box.addEventListener("click", (event) => this.swallow(event), { capture: true });
    box.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  get spread() {
    const [a, b] = [...this.fingers.values()];
    return { gap: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  }

  press(event) {
    if (event.button > 0 || event.target.closest(".board-tools")) return;
    if (event.isPrimary) this.fingers.clear(); // one whose end went astray: the drawing was replaced under it
    if (!this.fingers.size) [this.went, this.hasDragged] = [0, false];
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.fingers.size === 2) this.held = this.spread;
  }

  drag(event) {
    const finger = this.fingers.get(event.pointerId);
    if (!finger) return;
    const [dx, dy] = [event.clientX - finger.x, event.clientY - finger.y];
    Object.assign(finger, { x: event.clientX, y: event.clientY });
    this.went += Math.hypot(dx, dy);
    if (this.fingers.size === 2) {
      this.hasDragged = true;
      const now = this.spread;
      this.move(now.x - this.held.x, now.y - this.held.y);
      this.zoom(now.gap / this.held.gap, now.x, now.y);
      this.held = now;
    } else if (this.box.classList.contains("is-zoomed") && this.went > CLICK_PX) {
      if (!this.hasDragged) this.box.setPointerCapture(event.pointerId);
      this.hasDragged = true;
      this.box.classList.add("is-dragged");
      this.move(dx, dy);
    }
  }

  release(event) {
    this.fingers.delete(event.pointerId);
    if (!this.fingers.size) this.box.classList.remove("is-dragged");
  }

  /** A drag that ends on a button of the drawing has not pressed it. */
  swallow(event) {
    if (event.detail && this.hasDragged && !event.target.closest(".board-tools")) event.stopPropagation();
    this.hasDragged = false;
  }

  wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.zoom(event.deltaY < 0 ? STEP : 1 / STEP, event.clientX, event.clientY);
  }
}

function viewAll() {
  for (const still of document.querySelectorAll(".board-still > svg")) {
    const box = arranged(still);
    const [, , width, height] = box.split(/[\s,]+/);
    for (const [name, value] of Object.entries({ viewBox: box, width, height })) still.setAttribute(name, value);
  }
  for (const box of document.querySelectorAll("[data-board]")) {
    const view = viewOf(box);
    if (view && view.svg !== box.querySelector(":scope > svg")) view.take();
  }
}

document.addEventListener("htmx:afterSettle", viewAll); // a board that came later
viewAll();
