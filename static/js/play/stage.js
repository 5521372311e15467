// The stage of a table: what is seen of the board, and how large. The world ([data-world]) is moved and
// scaled, the drawing in it is the game's; one pixel of the world is one unit of the drawing, so a drawing
// that is put in the place of another keeps its place on the screen. A drawing with data-view="map" is a
// map: its places ([data-unit]) have one size, however large it grows, and one moves over it. Any other is
// a table: it fills what plates and bar leave free, and can be zoomed; where its smallest writing (data-writing)
// would be too small to read then, it is larger than what is free, and one moves over it, too. What lies on the
// stage is measured into --safe-top, -right, -bottom, -left.
import { Gestures } from "../gestures.js";
import { Signs } from "./signs.js";

const STEP = 1.3;
const PLACE_PX = { usual: 74, broad: 92, touch: 92 }; // width of a place of a map as a match opens
const BROAD_PX = 1600;
const LEAST_PX = 30;
const MOST_PX = 220;
const COUNTED_PX = 64; // least width of a place while all of a map is counted
const CLOSE_PX = 112; // of a place, while a finger chooses what is on it
const MOST = 6; // times the whole of a table
const LARGEST = 1.6; // pixels per unit at which a table that fits still grows
const LEGIBLE_PX = 12;
const ROOM = 20;
const WHEEL = 500;
const LINE_PX = 16;
const SIDES = ["top", "right", "bottom", "left"];
const isPhone = () => matchMedia("(max-width: 44rem)").matches;
const isTouched = () => matchMedia("(pointer: coarse)").matches;
const within = (value, least, most) => Math.min(most, Math.max(least, value));

export class Stage {
  constructor(element) {
    this.element = element;
    this.world = element.querySelector("[data-world]");
    this.box = element.querySelector("[data-board]");
    this.mode = "home"; // as it opened; "fit": all of it; "own": where somebody went
    this.before = null; // the view that `closer` has left
    this.isPointed = false; // a mouse is over the world
    this.isMissed = false; // another's last move has not been seen yet
    this.signs = new Signs(this);
    element.toggleAttribute("data-live", true);
    this.take();
    this.listen();
    const settle = new ResizeObserver(() => this.settle());
    for (const part of [element, ...this.covers]) settle.observe(part);
  }

  // ---- the drawing

  /** Take the drawing that is in the box now; another's last move is brought into sight. */
  take() {
    const isFirst = !this.svg;
    this.svg = this.box.querySelector(":scope > svg");
    this.svg.dataset.whole ??= this.svg.getAttribute("viewBox");
    this.settle();
    if (!isFirst && this.isMap && this.mode !== "fit" && this.isLastAway) this.follow();
  }

  /** Bring another's move into sight, though never under a mouse that points at the map: a sign leads there, then. */
  follow() {
    this.isMissed = this.isPointed;
    if (this.isMissed) this.signs.draw();
    else this.goToLast();
  }

  /** Whether the last move is out of sight. */
  get isLastAway() {
    return Boolean(this.last) && !this.isSeen(this.last);
  }

  get isMap() {
    return this.svg.dataset.view === "map";
  }

  get last() {
    return this.svg.querySelector('[id="board-last"]');
  }

  /** Give the drawing its arrangement and its place in the world. */
  arrange() {
    const { svg } = this;
    const { whole, narrow } = svg.dataset;
    const isNarrow = Boolean(narrow) && (isPhone() || this.frame.height > 1.15 * this.frame.width);
    svg.classList.toggle("is-narrow", isNarrow);
    const box = isNarrow ? narrow : whole;
    const [x, y, width, height] = box.split(/[\s,]+/).map(Number);
    this.whole = { x, y, width, height };
    svg.setAttribute("viewBox", box);
    const place = { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` };
    Object.assign(this.box.style, place);
    this.element.dataset.kind = this.isMap ? "map" : "table";
  }

  // ---- sizes

  get covers() {
    return [...this.element.querySelectorAll("[data-covers]")];
  }

  /** Measure what lies on the stage. */
  measure() {
    const frame = this.element.getBoundingClientRect();
    const safe = { top: 0, right: 0, bottom: 0, left: 0 };
    for (const part of this.covers) {
      const spot = part.getBoundingClientRect();
      const side = getComputedStyle(part).getPropertyValue("--covers").trim() || part.dataset.covers;
      if (!spot.width || !spot.height || !SIDES.includes(side)) continue;
      const depth = {
        top: spot.bottom - frame.top,
        right: frame.right - spot.left,
        bottom: frame.bottom - spot.top,
        left: spot.right - frame.left,
      }[side];
      safe[side] = Math.max(safe[side], Math.ceil(depth));
    }
    for (const side of SIDES) {
      const value = `${safe[side]}px`;
      if (this.element.style.getPropertyValue(`--safe-${side}`) !== value)
        this.element.style.setProperty(`--safe-${side}`, value);
    }
    this.safe = safe;
    this.size = { width: frame.width, height: frame.height };
  }

  /** The part of the stage that nothing covers, in pixels of the stage. */
  get frame() {
    const { safe, size } = this;
    const gap = 8;
    const [x, y] = [safe.left + gap, safe.top + gap];
    return {
      x,
      y,
      width: Math.max(40, size.width - safe.right - gap - x),
      height: Math.max(40, size.height - safe.bottom - gap - y),
    };
  }

  get unit() {
    return Number(this.svg.dataset.unit) || 100;
  }

  /** Pixels per unit at which a part fits. */
  fitting(part) {
    return Math.min(this.frame.width / part.width, this.frame.height / part.height);
  }

  get bounds() {
    const whole = this.fitting(this.whole);
    if (!this.isMap) return [Math.min(whole, this.most), this.most * MOST];
    return [Math.min(whole, LEAST_PX / this.unit), MOST_PX / this.unit];
  }

  get most() {
    return Math.min(this.fitting(this.whole), LARGEST);
  }

  /** Pixels per unit of a table as it opens: all of it, unless its writing could not be read. */
  get tableScale() {
    return this.mode === "fit" ? this.most : Math.max(this.most, this.legibleScale);
  }

  /** Pixels per unit from which on all can be read; 0 where a phone shows all of a table in play. */
  get legibleScale() {
    if (!isPhone()) return LEGIBLE_PX / Number(this.svg.dataset.writing ?? Infinity);
    const isLow = this.element.closest("[data-low], [data-ending-open]") && this.svg.classList.contains("is-narrow");
    return isLow ? Math.min(1, this.frame.width / this.whole.width) : 0; // a phone's arrangement is for its width
  }

  /** Whether a table opens larger than what is free. */
  get isBeyond() {
    return !this.isMap && this.tableScale > this.most * 1.001;
  }

  get homeScale() {
    if (isTouched() || isPhone()) return PLACE_PX.touch / this.unit;
    return PLACE_PX[innerWidth >= BROAD_PX ? "broad" : "usual"] / this.unit;
  }

  // ---- the view: a point of the world in the middle of the free part, and a scale

  /** After a change of drawing or size: stay where somebody went, else show what matters. */
  settle() {
    const before = this.frameOf;
    this.measure();
    if (!this.size.width || !this.size.height) return;
    this.arrange();
    this.frameOf = this.frame;
    if (!this.at || !before || this.mode === "fit") this.open();
    else if (this.mode === "home" && this.isBeyond) this.at.scale = this.tableScale;
    else if (this.mode === "home" && !this.isMap) this.open();
    this.apply();
  }

  /** Where a table is larger than what is free, bring what may be chosen into sight, though not under a mouse. */
  attend(places) {
    if (!this.at) return; // it has no room yet
    const spots = places.map((one) => one.getBoundingClientRect()).filter(({ width }) => width);
    if (this.mode !== "home" || !this.isBeyond || this.isPointed || !spots.length) return;
    const [x, y] = [Math.min(...spots.map((one) => one.left)), Math.min(...spots.map((one) => one.top))];
    const width = Math.max(...spots.map((one) => one.right)) - x;
    const height = Math.max(...spots.map((one) => one.bottom)) - y;
    this.moveInside({ left: x, top: y, right: x + width, bottom: y + height }, "home");
  }

  /** The view as a match opens, or all of it. */
  open() {
    const middle = (part) => ({ x: part.x + part.width / 2, y: part.y + part.height / 2 });
    if (this.isMap && this.mode !== "fit") {
      const scale = this.homeScale;
      this.at = { ...this.near((this.last && this.place(this.last)) || middle(this.whole), scale), scale };
      return;
    }
    const scale = this.isMap ? Math.min(this.fitting(this.whole), 1.2) : this.tableScale;
    this.at = { ...(this.isBeyond ? this.near(this.whole, scale) : middle(this.whole)), scale };
  }

  /** The point nearest to another from which no more than needed is seen beyond the rim of the drawing. */
  near(point, scale) {
    const { whole, frame } = this;
    const along = (start, length, seen, to) =>
      length <= seen ? start + length / 2 : within(to, start + seen / 2, start + length - seen / 2);
    return {
      x: along(whole.x, whole.width, frame.width / scale, point.x),
      y: along(whole.y, whole.height, frame.height / scale, point.y),
    };
  }

  /** Middle of an element in units of the drawing; null where it is not shown. */
  place(element) {
    const spot = element.getBoundingClientRect();
    const matrix = this.svg.getScreenCTM();
    if (!matrix || (!spot.width && !spot.height)) return null;
    const point = new DOMPoint(spot.x + spot.width / 2, spot.y + spot.height / 2).matrixTransform(matrix.inverse());
    return { x: point.x, y: point.y };
  }

  apply(isGliding = false) {
    const { at, whole, frame } = this;
    at.scale = within(at.scale, ...this.bounds);
    const free = (start, length, seen, middle) => {
      const [low, high] = [start + seen / 2, start + length - seen / 2];
      if (!this.isMap) return low > high ? start + length / 2 : within(middle, low, high);
      const rim = Math.min(length, this.unit) - seen / 2; // one place of a map stays in sight
      return within(middle, start + rim, start + length - rim);
    };
    if (!this.isHome) {
      at.x = free(whole.x, whole.width, frame.width / at.scale, at.x);
      at.y = free(whole.y, whole.height, frame.height / at.scale, at.y);
    }
    this.glide(isGliding);
    const { style } = this.world;
    style.setProperty("--x", `${(frame.x + frame.width / 2 - at.x * at.scale).toFixed(2)}px`);
    style.setProperty("--y", `${(frame.y + frame.height / 2 - at.y * at.scale).toFixed(2)}px`);
    style.setProperty("--z", at.scale.toFixed(5));
    const isZoomed = at.scale > this.most * 1.001;
    if (!this.isMap && this.mode === "own" && !isZoomed) this.mode = "fit";
    this.element.toggleAttribute("data-zoomed", isZoomed);
    this.element.toggleAttribute("data-own", this.mode === "own");
    this.able("closer", at.scale < this.bounds[1] * 0.999);
    this.able("further", at.scale > this.bounds[0] * 1.001);
    this.able("last", Boolean(this.last));
    if (this.isMissed && !this.isLastAway) this.isMissed = false;
    this.signs.draw(isGliding);
  }

  /** Whether a phone shows its own part of a table. */
  get isHome() {
    return this.mode === "home" && !this.isMap && !this.isBeyond;
  }

  get isMovable() {
    return this.isMap || this.element.hasAttribute("data-zoomed");
  }

  /** Let the world glide to its next place, or stand there at once. */
  glide(is) {
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches || this.element.closest("[data-still]");
    this.world.toggleAttribute("data-glides", is && !isStill);
  }

  able(name, is) {
    for (const button of document.querySelectorAll(`[data-do="${name}"]`)) button.disabled = !is;
  }

  // ---- moving

  /** Zoom so that what is under the pixel (of the window) stays there; without one, the middle. */
  zoom(factor, px, py, isGliding = false) {
    const spot = this.element.getBoundingClientRect();
    const { at, frame } = this;
    const dx = px === undefined ? 0 : px - spot.x - frame.x - frame.width / 2;
    const dy = py === undefined ? 0 : py - spot.y - frame.y - frame.height / 2;
    const scale = within(at.scale * factor, ...this.bounds);
    this.mode = "own";
    Object.assign(at, { x: at.x + dx / at.scale - dx / scale, y: at.y + dy / at.scale - dy / scale, scale });
    this.apply(isGliding);
  }

  move(dx, dy, isGliding = false, mode = "own") {
    this.mode = mode;
    this.at.x -= dx / this.at.scale;
    this.at.y -= dy / this.at.scale;
    this.apply(isGliding);
  }

  drag(is) {
    this.element.toggleAttribute("data-dragging", is);
  }

  /** Bring a point of the world into the middle. */
  goTo(point, scale = this.at.scale) {
    this.mode = "own";
    Object.assign(this.at, point, { scale });
    this.apply(true);
  }

  goToLast() {
    this.isMissed = false;
    const point = this.last && this.place(this.last);
    if (!point) return;
    const scale = Math.max(this.at.scale, this.isMap ? LEAST_PX / this.unit : 0);
    if (this.isMovable) this.goTo(this.near(point, scale), scale);
    this.last.classList.remove("is-shown");
    void this.last.getBoundingClientRect(); // begins the animation anew
    this.last.classList.add("is-shown");
  }

  /** Show what was missed while a mouse pointed at the map. */
  catchUp() {
    if (this.isMissed && this.isLastAway) this.goToLast();
  }

  /** All of it; from there, back to how it opened. */
  fit() {
    this.mode = this.mode === "fit" ? "home" : "fit";
    this.open();
    this.apply(true);
  }

  /** For a finger: go so near to a place of a map that small things on it can be touched. */
  closer(element) {
    if (this.before || !this.isMap || !isTouched() || CLOSE_PX / this.unit <= this.at.scale) return;
    this.before = { mode: this.mode, at: { ...this.at } };
    const { x, y, width, height } = element.getBoundingClientRect();
    this.zoom(CLOSE_PX / this.unit / this.at.scale, x + width / 2, y + height / 2);
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

  /** What the window shows between plates, bar and edges. */
  get seen() {
    const spot = this.element.getBoundingClientRect();
    const { x, y, width, height } = this.frame;
    return { left: spot.x + x, right: spot.x + x + width, top: spot.y + y, bottom: spot.y + y + height };
  }

  /** Whether the middle of an element is in sight. */
  isSeen(element) {
    const { x, y, width, height } = element.getBoundingClientRect();
    const { left, right, top, bottom } = this.seen;
    const [middle, height2] = [x + width / 2, y + height / 2];
    return middle > left && middle < right && height2 > top && height2 < bottom;
  }

  /** Show what is counted: with all of a map where its places stay large enough for that, else by going there. */
  showCounted(element) {
    const isLarge = this.isMap && this.fitting(this.whole) * this.unit >= COUNTED_PX;
    if (!isLarge) return this.reveal(element);
    this.mode = "fit";
    this.open();
    return this.apply();
  }

  /** Move so far that an element is inside, with some room round it. */
  reveal(element) {
    if (this.isMovable) this.moveInside(element.getBoundingClientRect());
  }

  /** Move so far that a part of the window is inside; of one that is larger the end is seen. */
  moveInside(spot, mode = "own") {
    const frame = this.seen;
    const over = (low, high, from, to) => {
      const room = Math.min(ROOM, (to - from) / 8);
      if (low < from + room) return from + room - low;
      return high > to - room ? to - room - high : 0;
    };
    const dx = over(spot.left, spot.right, frame.left, frame.right);
    const dy = over(spot.top, spot.bottom, frame.top, frame.bottom);
    if (dx || dy) this.move(dx, dy, mode === "home", mode);
  }

  // ---- buttons, wheel, fingers

  do(name) {
    if (name === "closer") this.zoom(STEP, undefined, undefined, true);
    else if (name === "further") this.zoom(1 / STEP, undefined, undefined, true);
    else if (name === "fit") this.fit();
    else if (name === "last") this.goToLast();
  }

  listen() {
    const isOther = (target) => target !== this.element && !this.world.contains(target);
    this.gestures = new Gestures(this.element, this, isOther);
    document.addEventListener("click", ({ target }) => this.do(target.closest("[data-do]")?.dataset.do));
    this.element.addEventListener("wheel", (event) => this.wheel(event, isOther), { passive: false });
    this.element.addEventListener("pointermove", ({ target, pointerType }) => {
      this.isPointed = pointerType !== "touch" && !isOther(target);
      if (!this.isPointed) this.catchUp();
    });
    this.element.addEventListener("pointerleave", () => {
      this.isPointed = false;
      this.catchUp();
    });
    this.world.addEventListener("transitionend", () => this.signs.draw());
  }

  wheel(event, isOther) {
    if (isOther(event.target)) return;
    event.preventDefault();
    const { deltaX, deltaY, deltaMode, shiftKey } = event;
    const [dx, dy] = [deltaX, deltaY].map((delta) => delta * (deltaMode ? LINE_PX : 1));
    if (shiftKey) this.move(-(dx || dy), dx ? -dy : 0);
    else this.zoom(Math.exp(-dy / WHEEL), event.clientX, event.clientY);
  }
}
