// A match that is watched for the first time: lists and scales know no more than what has been played before one's
// eyes. Seen to its end, or gone to by hand, it is there.
const SVG = "http://www.w3.org/2000/svg";
const ROOM = 0.06; // of the height, free above and below
const LEAST = 6; // of the 100 units of the height: a curve that has hardly moved is not drawn larger
const LEAST_POINTS = 4; // the same, where values are whole
const STEPS = [1, 2, 2.5, 5, 10];

export class Watching {
  constructor(page) {
    this.page = page;
    this.furthest = 0;
    if (!this.is) return;
    this.curves = [...page.querySelectorAll("[data-curve]")].map((curve) => new GrowingCurve(curve));
    page.toggleAttribute("data-followed", true); // the lists may be seen
  }

  get is() {
    return "plays" in this.page.dataset;
  }

  /** So many plies are shown. */
  draw(ply) {
    if (!this.is) return;
    this.furthest = Math.max(this.furthest, ply);
    this.hideAfter(this.furthest);
    for (const curve of this.curves) curve.draw(this.furthest);
  }

  hideAfter(ply) {
    let isLater = true; // from the last row up: a heading goes with the row below it
    for (const row of [...this.page.querySelectorAll(".moves tbody tr")].toReversed()) {
      if (row.dataset.move) isLater = Number(row.dataset.move) > ply;
      row.hidden = isLater;
    }
  }

  /** Seen to its end. */
  end() {
    if (!this.is) return;
    delete this.page.dataset.plays;
    this.hideAfter(Infinity);
    for (const curve of this.curves) curve.restore();
  }
}

class GrowingCurve {
  constructor(curve) {
    this.svg = curve.querySelector("svg");
    this.box = curve.querySelector(".curve-box");
    this.range = ["first", "last"].map((name) => Number(curve.dataset[name]));
    this.whole = this.svg.getAttribute("viewBox");
    this.points = [...curve.querySelectorAll(".curve-line")].flatMap((line) => pointsOf(line.getAttribute("d")));
    this.drawn = this.marks;
    const ticks = [...curve.querySelectorAll(".curve-tick")].map(placeOf);
    const [one, other] = ticks;
    this.isScaled = Boolean(one && other);
    if (!this.isScaled) return;
    this.unit = (other.value - one.value) / (other.y - one.y); // of value, for one unit of height: negative
    this.zero = one.y - one.value / this.unit;
    this.isWhole = ticks.every(({ value }) => Number.isInteger(value));
    this.least = this.isWhole ? Math.max(LEAST, -LEAST_POINTS / this.unit) : LEAST;
  }

  get marks() {
    return [...this.box.querySelectorAll(".curve-tick, .curve-rule")];
  }

  draw(ply) {
    if (!this.isScaled) return;
    const [first, last] = this.range;
    const x = (1000 * (ply - first)) / Math.max(1, last - first);
    const seen = [this.zero, ...this.points.filter((point) => point.x <= x + 0.01).map((point) => point.y)];
    const [top, bottom] = [Math.min(...seen), Math.max(...seen)];
    const height = Math.max(this.least, bottom - top) * (1 + 2 * ROOM);
    this.show((top + bottom - height) / 2, height);
  }

  show(top, height) {
    this.svg.setAttribute("viewBox", `0 ${top} 1000 ${height}`);
    for (const mark of this.marks) mark.remove();
    const step = Math.max(roundStep((-this.unit * height) / 4), this.isWhole ? 1 : 0);
    const digits = step >= 1 ? 0 : step >= 0.1 ? 1 : 2;
    const value = (y) => (y - this.zero) * this.unit;
    for (let k = Math.ceil(value(top + height) / step); k * step <= value(top); k++) {
      const y = this.zero + (k * step) / this.unit;
      this.box.prepend(tick((100 * (y - top)) / height, signed(k * step, digits)));
      this.svg.prepend(rule(y, k === 0));
    }
  }

  restore() {
    this.svg.setAttribute("viewBox", this.whole);
    for (const mark of this.marks) mark.remove();
    for (const mark of this.drawn.toReversed())
      (mark.classList.contains("curve-rule") ? this.svg : this.box).prepend(mark);
  }
}

function pointsOf(path) {
  return path
    .slice(1)
    .split("L")
    .map((pair) => pair.split(" ").map(Number))
    .map(([x, y]) => ({ x, y }));
}

function placeOf(element) {
  const value = Number(element.textContent.trim().replace("\u2212", "-"));
  return { y: Number(element.style.getPropertyValue("--y")), value };
}

/** The smallest round step that is not below this. */
function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return STEPS.map((step) => step * power).find((step) => step >= least * 0.999);
}

function signed(value, digits) {
  const words = Math.abs(value).toFixed(digits);
  if (!Number(words)) return "0";
  return `${value < 0 ? "\u2212" : "+"}${words}`;
}

function tick(place, words) {
  const span = document.createElement("span");
  span.className = "curve-tick";
  span.style.setProperty("--y", place.toFixed(2));
  span.setAttribute("aria-hidden", "true");
  span.textContent = words;
  return span;
}

function rule(y, isZero) {
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("class", `curve-rule${isZero ? " is-zero" : ""}`);
  path.setAttribute("d", `M0 ${y}H1000`);
  return path;
}
