// Zoom, pan and centre of a picture of a board: only its viewBox changes, the drawing is the game's. (Boards in
// play and in replays stand on a stage: play/stage.js.)
// The view belongs to the box ([data-board]), not to the drawing: a drawing that is put in the
// place of another keeps it, and what has not been moved by hand follows the board as it grows.
// A drawing with data-narrow has another arrangement for phones, shown while it has the class is-narrow; that is its
// window then. A drawing in a box with the class board-still has its arrangement, and is not moved.
import { Gestures } from "./gestures.js";

const STEP = 1.4;
const MOST = 6;
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
    this.mode = "home"; // the whole board; or "own": where somebody went by hand
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
    return Math.min(width / this.whole.width, height / this.whole.height);
  }

  /** After a change of drawing or size: stay where somebody went, else show what matters. */
  settle() {
    this.arrange();
    if (!this.size.width || !this.size.height) return;
    if (this.mode === "home" || !this.at) this.at = { ...this.middle(), scale: this.fitting };
    this.apply();
  }

  middle() {
    return { x: this.whole.x + this.whole.width / 2, y: this.whole.y + this.whole.height / 2 };
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
    if (this.mode === "own" && !isZoomed) this.mode = "home";
    this.box.classList.toggle("is-zoomed", isZoomed);
    this.able("in", at.scale < this.fitting * MOST * 0.999);
    this.able("out", isZoomed);
    this.able("centre", isZoomed);
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

  /** Back to the whole board. */
  centre() {
    this.mode = "home";
    this.settle();
  }

  listen() {
    const { box } = this;
    const isTool = (target) => Boolean(target.closest(".board-tools"));
    box.addEventListener("click", (event) => {
      const deed = event.target.closest("[data-zoom]")?.dataset.zoom;
      if (deed === "in") this.zoom(STEP);
      else if (deed === "out") this.zoom(1 / STEP);
      else if (deed === "centre") this.centre();
    });
    this.gestures = new Gestures(box, this, isTool);
    box.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  get isMovable() {
    return this.box.classList.contains("is-zoomed");
  }

  drag(is) {
    this.box.classList.toggle("is-dragged", is);
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
