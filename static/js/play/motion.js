// What moves when one drawing of a board takes the place of another. Drawings declare pieces:
//   data-moves="KIND:NAME"  a piece; the same name in both drawings is the same piece, wherever it lies
//   data-count="3"          so many of it lie there (1 where it is not said)
//   data-owner="2"          the seat whose plate it comes from, and goes home to when it leaves the board
//   data-turns              it turns while it lands
//   data-drops              it drops from just above
//   data-takes="KIND"       where pieces of the kind end that leave the board, if more lie there (data-count)
//   data-gives="KIND"       where they come from, if fewer lie there; with data-takes emptied, both are seen to mix
// Nothing here knows a game. Copies fly by transform and opacity alone, over the board and under all that lies on
// the stage to be read or pressed; the drawing is true from the first moment, and whatever flies can be ended at once.
import { pictureOf, rectOf } from "./pictures.js";

const OUT = "cubic-bezier(.2,.7,.2,1)";
const IN_OUT = "cubic-bezier(.5,0,.2,1)";
const OWN_MS = 160;
const OTHERS_MS = 320;
const HOME_MS = 420;
const SLIDE_MS = 240;
const FADE_MS = 120;
const FLOAT_MS = 1100;
const SHUFFLE_MS = 300;
const DROP_PX = 28;
const EDGE_PX = 56; // points that rise stay so far inside the window
const RISE_PX = 24;
const HALF_PX = 18; // of the height of points that rise
const STEP_MS = 90; // between pieces that start together
const MOST = 16; // of more, nothing could be followed
const FEWEST_PX = 3;
export const SPEEDS = { off: 0, quick: 0.5, system: 1, slow: 1.5 };

export class Motion {
  /** speed(): "off", "quick", "system" (usual) or "slow". */
  constructor(page, speed) {
    this.page = page;
    this.speed = speed;
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.running = new Set();
    this.layer = document.createElement("div");
    this.layer.className = "flights";
    (page.querySelector("[data-stage]") ?? page).append(this.layer);
  }

  get factor() {
    return SPEEDS[this.speed()] ?? 1;
  }

  get isStill() {
    return !this.factor || document.hidden;
  }

  /** What lies where, to be asked before the drawing is replaced. */
  take(svg) {
    return { svg, pieces: this.isStill ? [] : piecesOf(svg), stacks: stacksOf(svg) };
  }

  /**
   * Show the way from one drawing to the next. mover: seat whose ply it was, isOwn: the reader's; isLaid: it
   * lay there already, as it was chosen; scored: what it scored. Returns kinds of pieces that have landed, for sounds.
   */
  play(before, svg, { mover = null, isOwn = false, isLaid = false, scored = [] } = {}) {
    if (this.isStill) return [];
    let flights = flightsOf(before, { pieces: piecesOf(svg), stacks: stacksOf(svg) }, this.page, mover);
    const landed = [...new Set(flights.filter((one) => one.to && one.isNew).map((one) => kindOf(one.to.name)))];
    const mixed = before.stacks ? mixedOf(before.stacks, stacksOf(svg)) : null;
    if (mixed) landed.push("shuffle");
    if (mixed && !this.calm.matches) this.cross(mixed, svg);
    if (isLaid) flights = flights.filter(({ to, isNew }) => !to || !isNew);
    if (flights.length > MOST || this.calm.matches) this.fade(flights);
    else this.fly(flights, before.svg, svg, isOwn ? OWN_MS : OTHERS_MS);
    const wait = this.calm.matches || !landed.length ? 0 : (isOwn ? OWN_MS : OTHERS_MS) * this.factor;
    if (!this.calm.matches) for (const event of scored) this.float(svg, event, wait);
    return landed;
  }

  /** Milliseconds that a step takes to be followed, the pause after it included. */
  get stepMs() {
    return (OTHERS_MS + 250) * this.factor;
  }

  /** End whatever flies. */
  finish() {
    for (const one of this.running) one.finish();
  }

  keep(animation, done) {
    this.running.add(animation);
    const end = () => {
      this.running.delete(animation);
      done();
    };
    animation.addEventListener("finish", end, { once: true });
    animation.addEventListener("cancel", end, { once: true });
  }

  /** Pieces that are new appear; nothing travels. */
  fade(flights) {
    for (const { to, isNew } of flights) {
      if (to && isNew) to.element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: FADE_MS });
    }
  }

  fly(flights, oldSvg, svg, ms) {
    const arriving = flights.filter(({ to }) => to);
    arriving.forEach((flight, index) => {
      const isSlide = !flight.isNew;
      const delay = isSlide ? 0 : index * STEP_MS * this.factor;
      this.arrive(flight, svg, { duration: (isSlide ? SLIDE_MS : ms) * this.factor, delay });
    });
    const wait = arriving.some(({ isNew }) => isNew) ? ms * this.factor : 0;
    flights
      .filter(({ to }) => !to)
      .forEach((flight, index) => this.leave(flight, oldSvg, wait + index * STEP_MS * this.factor));
  }

  /** A copy comes from where the piece was, or from a plate; the piece itself appears when it has landed. */
  arrive({ from, to, isNew }, svg, { duration, delay }) {
    const { element, rect } = to;
    const picture = pictureOf(element, svg, rect);
    if (!picture) return;
    this.layer.append(picture);
    const turned = isNew && isAcross(from) !== isAcross(rect) && "turned" in from ? 90 : 0;
    const turn = isNew && element.hasAttribute("data-turns") ? -90 : turned;
    const x = from.x + from.width / 2 - rect.x - rect.width / 2;
    const y = from.y + from.height / 2 - rect.y - rect.height / 2;
    const scale = Math.min(1.6, Math.max(0.3, Math.max(from.width, from.height) / Math.max(rect.width, rect.height)));
    const steps = [
      { transform: `translate(${x}px, ${y}px) rotate(${turn}deg) scale(${scale})`, opacity: from.isPlate ? 0 : 1 },
      { opacity: 1, offset: 0.3 },
      { transform: "none", opacity: 1 },
    ];
    const hidden = element.style.opacity;
    element.style.opacity = "0";
    this.keep(picture.animate(steps, { duration, delay, easing: isNew ? IN_OUT : OUT, fill: "both" }), () => {
      element.style.opacity = hidden;
      picture.remove();
    });
  }

  /** The piece in hand goes from its picture in the bar to the place that was chosen. */
  lay(from, element, svg) {
    const rect = rectOf(element);
    if (this.isStill || this.calm.matches || !from.width || !rect.width) return;
    this.arrive({ from, to: { element, rect }, isNew: true }, svg, { duration: OWN_MS * this.factor, delay: 0 });
  }

  /** Two stacks cross once. */
  cross({ gives, takes }, svg) {
    for (const [one, other] of [
      [gives, takes],
      [takes, gives],
    ]) {
      const picture = pictureOf(one.element, svg, one.rect);
      if (!picture) continue;
      this.layer.append(picture);
      const x = other.rect.x + other.rect.width / 2 - one.rect.x - one.rect.width / 2;
      const y = other.rect.y + other.rect.height / 2 - one.rect.y - one.rect.height / 2;
      const steps = [
        { transform: `translate(${x}px, ${y}px)`, opacity: 0.9 },
        { transform: "none", opacity: 1 },
      ];
      const timing = { duration: SHUFFLE_MS * this.factor, easing: IN_OUT, fill: "both" };
      this.keep(picture.animate(steps, timing), () => picture.remove());
    }
  }

  /** A copy walks home along a curve. */
  leave({ from, home }, oldSvg, delay) {
    const picture = pictureOf(from.element, oldSvg, from.rect, from.inverse);
    if (!picture) return;
    this.layer.append(picture);
    const x = home.x + home.width / 2 - from.rect.x - from.rect.width / 2;
    const y = home.y + home.height / 2 - from.rect.y - from.rect.height / 2;
    const steps = [
      { transform: "none", opacity: 1 },
      { transform: `translate(${x * 0.45}px, ${y * 0.45 - 40}px) scale(1.1)`, opacity: 1, offset: 0.45 },
      { transform: `translate(${x}px, ${y}px) scale(.5)`, opacity: 0 },
    ];
    const timing = { duration: HOME_MS * this.factor, delay, easing: IN_OUT, fill: "both" };
    this.keep(picture.animate(steps, timing), () => picture.remove());
  }

  /** Points rise where they were made. */
  float(svg, { points, seats, elements }, delay = 0) {
    const spot = elements.length ? svg.querySelector(`#${CSS.escape(`board-${elements[0]}`)}`) : null;
    const rect = spot && rectOf(spot);
    if (!points || !rect || (!rect.width && !rect.height)) return;
    for (const [index, seat] of seats.entries()) this.rise(rect, points, seat, index, delay);
  }

  /** The point at which points rise clear of plates and bar: the given one, or the nearest beside what covers it. */
  beside({ x, y }) {
    const covers = [...this.page.querySelectorAll("[data-stage] :is([data-plate], [data-turn])")].map(rectOf);
    const over = covers.find((one) => {
      const isAcross = x + EDGE_PX > one.x && x - EDGE_PX < one.x + one.width;
      return isAcross && y + HALF_PX > one.y && y - HALF_PX - RISE_PX < one.y + one.height;
    });
    if (!over) return { x, y };
    const [right, below] = [over.x + over.width + EDGE_PX, over.y + over.height + HALF_PX + RISE_PX];
    if (over.y > y - HALF_PX) return { x, y: over.y - HALF_PX }; // the bar
    return right - x < below - y ? { x: right, y } : { x, y: below };
  }

  rise(rect, points, seat, index = 0, delay = 0) {
    const words = document.createElement("span");
    words.className = "floating seat";
    words.dataset.seat = seat;
    const isAgainst = this.page.hasAttribute("data-against");
    words.textContent = isAgainst ? `${-points} against` : `${points > 0 ? "+" : "\u2212"}${Math.abs(points)}`;
    words.setAttribute("aria-hidden", "true");
    const middle = Math.max(EDGE_PX, Math.min(innerWidth - EDGE_PX, rect.x + rect.width / 2));
    const { x, y } = this.beside({ x: middle, y: rect.y + rect.height / 2 + 30 * index });
    words.style.left = `${x}px`;
    words.style.top = `${y}px`;
    this.layer.append(words);
    const at = "translate(-50%, -50%)";
    const up = `translate(-50%, calc(-50% - ${RISE_PX}px))`;
    const steps = [
      { transform: at, opacity: 0 },
      { transform: at, opacity: 1, offset: 0.15 },
      { transform: up, opacity: 1, offset: 0.7 },
      { transform: up, opacity: 0 },
    ];
    const timing = { duration: FLOAT_MS * Math.max(this.factor, 0.5), delay, easing: OUT, fill: "both" };
    this.keep(words.animate(steps, timing), () => words.remove());
  }
}

export const kindOf = (name) => name.split(":")[0];
const isAcross = ({ width, height }) => width > height;

/** Pieces of a drawing that are shown: name, count, where they are, and how to copy them later. */
function piecesOf(svg) {
  return [...svg.querySelectorAll("[data-moves]")]
    .map((element, index) => ({
      element,
      name: element.dataset.moves,
      key: element.id || `${element.dataset.moves}#${index}`,
      count: Number(element.dataset.count ?? 1),
      owner: element.dataset.owner,
      rect: rectOf(element),
      inverse: element.parentNode.getScreenCTM?.()?.inverse(),
    }))
    .filter(({ rect, count }) => count > 0 && (rect.width || rect.height));
}

/** Stacks into which pieces go and from which they come, by what they are for: where, and how many lie there. */
function stacksOf(svg) {
  const found = { takes: null, gives: null };
  for (const what of Object.keys(found)) {
    const element = [...svg.querySelectorAll(`[data-${what}]`)].find((one) => rectOf(one).width);
    if (!element) continue;
    found[what] = { element, rect: rectOf(element), kind: element.dataset[what], count: Number(element.dataset.count) };
  }
  return found;
}

/** The stacks where one was mixed into the other, else null. */
function mixedOf(before, after) {
  const isWhole = before.takes && before.gives && after.takes && after.gives;
  return isWhole && before.takes.count > after.takes.count && after.gives.count > before.gives.count ? after : null;
}

/** What goes from where to where between two drawings. */
function flightsOf(before, after, page, mover) {
  const flights = [];
  const { takes, gives } = after.stacks;
  const hasMore = takes && takes.count > (before.stacks.takes?.count ?? 0) ? takes : null;
  const hasFewer = gives && gives.count < (before.stacks.gives?.count ?? 0) ? gives : null;
  const names = new Set([...before.pieces, ...after.pieces].map(({ name }) => name));
  for (const name of names) {
    const olds = before.pieces.filter((one) => one.name === name);
    const news = after.pieces.filter((one) => one.name === name);
    const known = new Map(olds.map((one) => [one.key, one]));
    const gaining = news.filter((one) => one.count > (known.get(one.key)?.count ?? 0));
    const kept = new Map(news.map((one) => [one.key, one]));
    const losing = olds.filter((one) => one.count > (kept.get(one.key)?.count ?? 0));
    for (const to of gaining) {
      const old = losing.shift();
      const drops = to.element.hasAttribute("data-drops") && { ...to.rect, y: to.rect.y - DROP_PX, isPlate: true };
      const stack = hasFewer?.kind === kindOf(name) && hasFewer.rect;
      const from = old ? { ...old.rect, turned: true } : drops || stack || plateOf(page, to.owner ?? mover);
      if (from) flights.push({ from, to, isNew: true });
    }
    for (const from of losing) {
      const stack = hasMore?.kind === kindOf(name) && hasMore.rect;
      const home = from.owner === undefined ? stack : plateOf(page, from.owner);
      if (home) flights.push({ from, home, isNew: true });
    }
    for (const to of news) {
      const old = known.get(to.key);
      if (old && old.count === to.count && hasMoved(old.rect, to.rect))
        flights.push({ from: old.rect, to, isNew: false });
    }
  }
  const slides = flights.filter(({ isNew }) => !isNew);
  return slides.length > MOST - 4 ? flights.filter(({ isNew }) => isNew) : flights;
}

const hasMoved = (a, b) => Math.hypot(a.x - b.x, a.y - b.y) > FEWEST_PX;

function plateOf(page, seat) {
  if (seat === null || seat === undefined) return null;
  const drawn = [...page.querySelectorAll(`[data-board] [data-speaker="${seat}"]`)]; // a board that has its own
  const plates = [...drawn, page.querySelector(`[data-plate="${seat}"]`)].filter(Boolean).map(rectOf);
  const rect = plates.find(({ width }) => width);
  return rect ? { ...rect, isPlate: true } : null;
}
