// What a decision cost, beside the board and on it: a sign where the better move would lie, and the whole board
// after it in place of the one that is shown. The drawings come from the analysis (reviews/_boards.html).
import { Drawing } from "./drawing.js";

const WAIT_MS = 150; // a replay that runs asks for no drawings
const SVG = "http://www.w3.org/2000/svg";

export class Decision {
  /** isWanted(ply): whether the steps from mistake to mistake stop there. */
  constructor(page, stage, isWanted) {
    this.page = page;
    this.isWanted = isWanted;
    this.stage = stage;
    this.played = stage.svg;
    this.costs = {};
    this.boards = new Map(); // ply -> promise of the drawing after the better move
    this.holder = document.createElement("div");
    this.holder.className = "drawn-aside";
    this.holder.setAttribute("aria-hidden", "true");
    page.append(this.holder);
    this.button = page.querySelector("[data-see]");
    this.button.addEventListener("click", () => this.toggle());
  }

  get mistakes() {
    return Object.values(this.costs)
      .filter((cost) => cost.is_sure && this.isWanted(cost.ply))
      .map((cost) => cost.ply)
      .toSorted((a, b) => a - b);
  }

  /** Take what the analysis says, and put the costs into the list of moves. */
  take(costs) {
    this.costs = costs;
    for (const cell of this.page.querySelectorAll("[data-cost-of]")) {
      const cost = costs[cell.dataset.costOf];
      cell.replaceChildren(...(cost ? [sum(cost), between(cost)] : []));
      cell.classList.toggle("is-sure", Boolean(cost?.is_sure));
    }
    this.count();
  }

  /** Say how many mistakes there are among what is wanted. */
  count() {
    const { mistakes } = this;
    this.page.querySelector("[data-mistake-steps]").hidden = !mistakes.length;
    const badge = this.page.querySelector("[data-num-mistakes]");
    if (badge) badge.textContent = mistakes.length ? String(mistakes.length) : "";
  }

  /** The next mistake in a direction, or null. */
  next(from, direction) {
    const beyond = this.mistakes.filter((ply) => (direction > 0 ? ply > from : ply < from));
    return (direction > 0 ? beyond[0] : beyond.at(-1)) ?? null;
  }

  /** Show what is known of a ply. */
  draw(ply) {
    this.clear();
    this.ply = ply;
    const cost = this.costs[ply];
    const box = this.page.querySelector("[data-cost]");
    const better = this.page.querySelector("[data-better]");
    box.hidden = !cost;
    better.hidden = !cost?.best;
    this.button.hidden = !cost;
    if (!cost) return;
    box.classList.toggle("is-sure", cost.is_sure);
    box.replaceChildren(bold(cost.is_sure ? `Cost ${cost.loss} points` : `Perhaps ${cost.loss} points lost`));
    box.append(` ${cost.between}${cost.is_sure ? ", for certain" : ""}`);
    better.textContent = `Better: ${cost.best}`;
    this.waiting = setTimeout(() => this.sign(ply), WAIT_MS);
  }

  /** Back to the board that the replay shows, without signs. */
  clear() {
    clearTimeout(this.waiting);
    for (const mark of this.page.querySelectorAll("[data-sign]")) mark.remove();
    if (this.isBetter) this.put(this.played);
    this.button.setAttribute("aria-pressed", "false");
  }

  get isBetter() {
    return this.stage.svg !== this.played;
  }

  put(svg) {
    this.stage.box.replaceChildren(svg);
    this.stage.take();
  }

  load(ply) {
    if (!this.boards.has(ply))
      this.boards.set(ply, fetchBetter(`${this.page.dataset.base}review/?board=${ply}&seat=page`));
    return this.boards.get(ply);
  }

  /** The better move in place of the one that was played, and back. */
  async toggle() {
    const { ply } = this;
    if (!this.costs[ply]) return;
    if (this.isBetter) {
      this.draw(ply);
      return;
    }
    const svg = await this.load(ply).catch(() => null);
    if (!svg || ply !== this.ply) return;
    this.clear();
    const drawing = new Drawing(svg);
    this.put(svg);
    drawing.draw(ply);
    this.button.setAttribute("aria-pressed", "true");
    this.tag(drawing.ring, "better", "is-better");
  }

  /** Where both moves lie, on the board after the one that was played. */
  async sign(ply) {
    const svg = await this.load(ply).catch(() => null);
    if (!svg || ply !== this.ply || this.isBetter) return;
    this.holder.replaceChildren(svg);
    const [here, there] = [new Drawing(this.played), new Drawing(svg)];
    svg.classList.toggle("is-narrow", this.played.classList.contains("is-narrow")); // the same arrangement
    there.draw(ply);
    this.tag(here.ring, "played", "is-played");
    const map = there.laid.has(ply) ? this.between(there, here, ply) : null;
    if (!map) return;
    this.played.append(this.ghost(there, ply, map));
    this.tag(this.played.querySelector("[data-sign] > .ghost-ring"), "better", "is-better");
  }

  /**
   * The matrix from one drawing to the other, by what the same seat laid before; null where what lies there has
   * another shape, or nothing was laid.
   */
  between(from, to, ply) {
    const seat = (at) => this.page.querySelector(`[data-move="${at}"] .seat`)?.dataset.seat;
    const same = [...from.laid.keys()].filter((at) => at < ply && to.laid.has(at) && seat(at) === seat(ply));
    const known = same.length ? same : [...from.laid.keys()].filter((at) => at < ply && to.laid.has(at) && !seat(at));
    if (!known.length) return null;
    const [first] = known;
    const map = placeOf(to, first).multiply(placeOf(from, first).inverse());
    const isSame = (at) => isNear(map.multiply(placeOf(from, at)), placeOf(to, at));
    return known.every(isSame) ? map : null;
  }

  /** A copy of what the better move would have laid, framed. */
  ghost(drawing, ply, map) {
    const group = document.createElementNS(SVG, "g");
    group.dataset.sign = "";
    group.setAttribute("class", "ghost");
    const { laid, ring } = drawing;
    for (const part of [laid.get(ply), ring]) {
      const { a, b, c, d, e, f } = map.multiply(matrixOf(drawing.svg, part));
      const copy = part === ring ? frame(part) : part.cloneNode(true);
      copy.setAttribute("transform", `matrix(${a} ${b} ${c} ${d} ${e} ${f})`);
      copy.style.removeProperty("--narrow");
      copy.removeAttribute("id");
      delete copy.dataset.ply;
      group.append(copy);
    }
    return group;
  }

  /** A word above an element of the drawing, of one size however large that is drawn. */
  tag(element, words, kind) {
    if (!element || getComputedStyle(element).display === "none") return;
    const { x, y, width } = element.getBoundingClientRect();
    const matrix = this.stage.svg.getScreenCTM()?.inverse();
    if (!matrix || !width) return;
    const point = new DOMPoint(x + width / 2, y).matrixTransform(matrix);
    const tag = document.createElement("span");
    tag.className = `move-tag ${kind}`;
    tag.dataset.sign = "";
    tag.textContent = words;
    const { x: left, y: top } = this.stage.whole;
    this.stage.box.append(tag);
    tag.style.left = `${point.x - left}px`;
    tag.style.top = `${point.y - top}px`;
  }
}

/** The matrix from an element to its drawing. */
const matrixOf = (svg, element) => svg.getScreenCTM().inverse().multiply(element.getScreenCTM());
const placeOf = ({ svg, laid }, ply) => matrixOf(svg, laid.get(ply));

function isNear(one, other) {
  const isClose = (name) => Math.abs(one[name] - other[name]) < 0.02;
  return ["a", "b", "c", "d"].every(isClose) && Math.hypot(one.e - other.e, one.f - other.f) < 1;
}

async function fetchBetter(address) {
  const answer = await fetch(address, { headers: { "HX-Request": "true" } });
  if (!answer.ok) throw new Error(`${answer.status}`);
  const parsed = new DOMParser().parseFromString(await answer.text(), "text/html");
  return document.adoptNode(parsed.querySelector("[data-drawn=better] svg"));
}

function frame(ring) {
  const { x, y, width, height } = ring.getBBox();
  const box = document.createElementNS(SVG, "rect");
  for (const [name, value] of Object.entries({ x, y, width, height, rx: width / 16 })) box.setAttribute(name, value);
  box.setAttribute("class", "ghost-ring");
  return box;
}

function bold(words) {
  const strong = document.createElement("strong");
  strong.textContent = words;
  return strong;
}

const sum = ({ loss, is_sure: isSure }) => (isSure ? bold(`−${loss}`) : document.createTextNode("? "));

// What is surely lost has the same sign as its sum.
function between({ between: said, is_sure: isSure }) {
  const words = isSure ? said.replaceAll(/[\d.]+/g, "−$&") : said;
  const small = document.createElement("span");
  small.className = "xs muted";
  small.textContent = words;
  return small;
}
