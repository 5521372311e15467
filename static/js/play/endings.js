// The sheet that counts what a round or the match brought: one row after another, each lit on the board, then
// the sum. At the end of a round the table waits for its reader: against engines as long as they like, and not at
// all while their own clock runs. Among people the match itself waits until all are ready; a page that learns of the
// end when that is over waits for a while by itself. Once seen, it stays seen after a reload.
const ROW_MS = 450;
const ALL_MS = 9000; // many rows go faster
const TOGETHER_S = 20;
const LIT = "is-counted";
const WIDE = "(min-width: 62rem)";

/** Points as the page writes them: "12", or where points are against a side, "12 against". */
const pointsWords = (points, page) =>
  page.hasAttribute("data-against") ? `${-points} against` : String(points).replace("-", "\u2212");

export class Endings {
  /**
   * box: where the sheet stands; board: whose drawing is lit; motion, sounds: how it is shown and heard.
   * onReady(): tells the server that its reader goes on.
   */
  constructor(page, motion, sounds, code, onReady) {
    this.page = page;
    this.box = page.querySelector("[data-ending-box]");
    this.motion = motion;
    this.sounds = sounds;
    this.onReady = onReady;
    this.latest = null; // the state that came last
    this.key = `ended:${code}`;
    this.release = null;
    this.skip = null;
    this.onLit = null; // called with what is lit while it is counted
    this.isOpen = false;
    this.box?.addEventListener("click", (event) => this.onClick(event));
    this.box?.addEventListener("pointerover", ({ target }) => this.point(target.closest("[data-count]")));
    this.box?.addEventListener("pointerleave", () => this.point(null));
    this.wide = matchMedia(WIDE);
    this.wide.addEventListener("change", () => this.seatVictory());
    this.seatVictory();
  }

  get seen() {
    return Number(sessionStorage.getItem(this.key) ?? 0);
  }

  /** Whether the end that a state tells of has come since what is shown, and nobody has seen it. */
  isDue(state, shownPly) {
    const { ending, pause } = state;
    return Boolean(this.box && ending && ending.ply > shownPly && (pause || ending.ply > this.seen));
  }

  /** What the page begins with: an end that has not been seen is shown counted. Returns its ply, 0 where none is. */
  begin(state) {
    const { ending } = state;
    this.latest = state;
    if (!this.box || !ending || (!state.pause && (!ending.is_fresh || ending.ply <= this.seen))) {
      this.close();
      return 0;
    }
    this.open();
    this.drawAll();
    if (ending.is_over) this.counted = ending.ply;
    return ending.is_over || this.isTimed(state) ? 0 : ending.ply;
  }

  /** Another state has come while the table waits: where all are ready or one's own clock runs, it waits no more. */
  arrived(state) {
    this.latest = state;
    if (!this.release) return;
    if (this.isTimed(state) || (this.isTogether && !state.pause)) this.go();
    else if (this.isTogether) this.ask();
  }

  isTimed({ your_turn: isMine, clock_s: clock, ply_limit_s: limit }) {
    return isMine && (clock !== null || limit !== null);
  }

  /** Put the sheet of a state in its place. */
  put(state) {
    if (!this.box || state.panel.ending === undefined || this.html === state.panel.ending) return;
    this.html = state.panel.ending;
    this.box.innerHTML = state.panel.ending;
    this.seatVictory();
  }

  /** The picture of victory stands beside the sentence of the turn bar, where the sheet has no room above it. */
  seatVictory() {
    const bar = this.page.querySelector("[data-turn]");
    const fresh = this.box?.querySelector("[data-victory]");
    const old = bar?.querySelector("[data-victory]");
    if (fresh && old) old.remove();
    const picture = fresh ?? old;
    if (!picture) return;
    if (this.wide.matches) bar.prepend(picture);
    else this.box.querySelector("[data-ending-result]")?.prepend(picture);
  }

  /** Pieces take their places, for who has not lost, and who has just seen all of it counted. */
  celebrate() {
    if (this.motion.isStill || this.motion.calm.matches) return;
    const picture = this.page.querySelector("[data-victory]:not([data-quiet])");
    picture?.style.setProperty("--speed", this.motion.factor);
    picture?.toggleAttribute("data-arrives", true);
  }

  /** Count a round and wait until its reader goes on. */
  async hold(state) {
    this.put(state);
    this.open();
    this.sounds.play("round");
    const counted = this.count();
    this.page.toggleAttribute("data-held", !this.isTimed(state));
    if (this.isTimed(state)) return undefined; // the sheet stays beside a board that is true
    return this.wait(state, counted);
  }

  /** Wait until the reader goes on; among people until all do. */
  async wait(state, counted = null) {
    this.page.toggleAttribute("data-held", true);
    const { pause } = this.latest;
    this.isTogether = Boolean(pause);
    await new Promise((resolve) => {
      this.release = resolve;
      if (pause || state.ending.has_people) this.tick(counted, pause ? pause.left_s : TOGETHER_S);
    });
    this.release = null;
    this.isTogether = false;
    this.close(true);
  }

  /** With people at the table it goes on by itself; the button says when, and a line for whom one waits. */
  async tick(counted, seconds) {
    this.until = performance.now() + seconds * 1000;
    await counted;
    while (this.release && this.secondsLeft > 0) {
      this.ask();
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    if (this.isTogether) this.onReady();
    else this.release?.();
  }

  get secondsLeft() {
    return Math.ceil((this.until - performance.now()) / 1000);
  }

  /** What the button and the line say while the table waits. */
  ask() {
    if (this.skip) return;
    const isReady = this.isTogether && this.isPlayer && this.latest.pause.is_ready;
    this.say(`${isReady ? "Ready" : "Continue"} (${Math.max(0, this.secondsLeft)})`);
    this.box.querySelector("[data-ending-go]")?.setAttribute("aria-disabled", String(isReady));
    const line = this.box.querySelector("[data-ending-waits]");
    if (!line || !this.isTogether) return;
    line.hidden = false;
    if (line.textContent !== this.latest.words.why) line.textContent = this.latest.words.why;
  }

  get isPlayer() {
    return this.latest.your_seats.length > 0;
  }

  /** Another state is shown. At the end of the match what is left is counted, once, then the result. */
  adopt(state) {
    this.put(state);
    if (!this.isDue(state, -1) || !state.ending.is_over) return;
    if (this.counted === state.ending.ply) {
      this.drawAll();
      return;
    }
    this.counted = state.ending.ply;
    this.open();
    this.count();
  }

  // ---- counting

  get rows() {
    return [...this.box.querySelectorAll("[data-count]")];
  }

  /** One row after another; with no motion all of them at once. */
  async count() {
    const { rows } = this;
    const result = this.box.querySelector("[data-ending-result]");
    const factor = this.motion.factor * (this.motion.calm.matches ? 0.6 : 1);
    const ms = Math.min(ROW_MS, ALL_MS / Math.max(rows.length, 1)) * factor;
    if (!ms || document.hidden) return this.drawAll();
    this.box.dataset.counting = "yes";
    for (const row of [...rows, ...this.box.querySelectorAll(".ending-name"), result]) row.classList.add("is-later");
    this.say("Count at once");
    this.plates(true);
    let isSkipped = false;
    this.skip = () => (isSkipped = true);
    for (const [index, row] of rows.entries()) {
      if (isSkipped) break;
      const name = row.previousElementSibling; // whose rows begin here
      for (const part of [name, row]) part?.classList.remove("is-later");
      row.scrollIntoView({ block: "nearest" });
      this.place(index + 1, rows.length);
      this.light(row);
      this.add(row);
      if (Number(row.dataset.count)) this.sounds.play("score");
      await this.rest(ms);
    }
    this.skip = null;
    this.celebrate();
    return this.drawAll();
  }

  async rest(ms) {
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      const before = this.skip;
      this.skip = () => {
        before?.();
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Everything is counted. */
  drawAll() {
    if (this.box.dataset.counting) this.plates(false);
    delete this.box.dataset.counting;
    for (const row of this.box.querySelectorAll(".is-later")) row.classList.remove("is-later");
    this.light(null);
    const place = this.box.querySelector("[data-ending-place]");
    if (place) place.hidden = true;
    const isOver = this.box.querySelector("[data-last]") !== null;
    this.say(isOver ? "" : "Continue");
    if (isOver) this.box.querySelector("[data-ending-result]")?.scrollIntoView({ block: "nearest" });
  }

  /** The points on the plates: before anything is counted, or after all of it. */
  plates(isBefore) {
    for (const side of this.box.querySelectorAll("[data-side-of]")) {
      const { sideOf: seat, before, after } = side.dataset;
      for (const plate of this.platesOf(seat)) this.write(plate, Number(isBefore ? before : after));
    }
  }

  /** Where the points of a seat stand: on its plate, and on the one that its board draws. */
  platesOf(seat) {
    return this.page.querySelectorAll(`[data-fresh="score-${seat}"], [data-points-of="${seat}"]`);
  }

  /** Add the points of a row to the plates of who gets them. */
  add(row) {
    for (const seat of row.dataset.to.split(" "))
      for (const plate of this.platesOf(seat))
        this.write(plate, Number(plate.dataset.points) + Number(row.dataset.count));
  }

  write(plate, points) {
    plate.dataset.points = points;
    const text = [...plate.childNodes].findLast((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (text) text.data = pointsWords(points, this.page);
  }

  place(number, all) {
    const chip = this.box.querySelector("[data-ending-place]");
    if (!chip) return;
    chip.hidden = false;
    chip.textContent = `${number} of ${all}`;
  }

  // ---- lighting

  get svg() {
    return this.page.querySelector("[data-board] svg");
  }

  /** Light on the board what a row counts; null: nothing. Points rise there while they are counted. */
  light(row) {
    const { svg } = this;
    this.box.querySelector("[aria-current]")?.removeAttribute("aria-current");
    if (!svg) return;
    for (const lit of svg.querySelectorAll(`.${LIT}`)) lit.classList.remove(LIT);
    this.page.toggleAttribute("data-lighting", row !== null);
    if (row === null) return this.tell(null);
    row.setAttribute("aria-current", "true");
    const parts = (row.dataset.at ?? "").split(" ").filter(Boolean);
    const elements = parts.map((id) => svg.querySelector(`#${CSS.escape(`board-${id}`)}`)).filter(Boolean);
    const wanted = row.dataset.feature;
    const isDrawn = wanted !== undefined && svg.querySelector(`[data-f="${CSS.escape(wanted)}"]`) !== null;
    const feature = isDrawn ? wanted : elements[0]?.dataset.f;
    if (feature === undefined) for (const element of elements) element.classList.add(LIT);
    this.tell(feature ?? null);
    const [spot] = feature === undefined ? elements : svg.querySelectorAll(`[data-f="${CSS.escape(feature)}"]`);
    if (this.box.dataset.counting && spot && this.onLit) this.onLit(spot);
    if (this.box.dataset.counting && spot && !this.motion.calm.matches)
      this.rise(row, isDrawn ? spot : (elements[0] ?? spot));
    return undefined;
  }

  rise(row, spot) {
    const points = Number(row.dataset.count);
    const rect = spot.getBoundingClientRect();
    if (!points || !rect.width) return;
    for (const [index, seat] of row.dataset.to.split(" ").entries()) {
      if (index < 1 || !row.dataset.at?.startsWith("tile-")) this.motion.rise(rect, points, seat, index);
    }
  }

  /** The layer that lights whole areas listens for this. */
  tell(feature) {
    this.page.dispatchEvent(new CustomEvent("light", { detail: feature }));
  }

  /** Pointing at a row shows it, once all are counted. */
  point(row) {
    if (!this.isOpen || this.box.dataset.counting) return;
    this.light(row);
  }

  // ---- buttons

  say(words) {
    const button = this.box.querySelector("[data-ending-go]");
    if (!button) return;
    button.hidden = !words;
    this.box.querySelector("[data-ending-words]").textContent = words;
  }

  /** The button, or Space: count at once; then go on, among people when all are ready. */
  press() {
    if (this.skip) this.skip();
    else if (this.release) this.goOn();
    else this.close(true);
  }

  goOn() {
    if (!this.isTogether || !this.isPlayer) this.go();
    else if (!this.latest.pause.is_ready) this.onReady();
  }

  go() {
    this.skip?.();
    this.release?.();
  }

  onClick({ target }) {
    if (target.closest("[data-ending-go]")) this.press();
    if (!target.closest("[data-ending-look]")) return undefined;
    if (!this.release) return this.close(true);
    const isAside = this.page.toggleAttribute("data-ending-aside");
    this.box.querySelector("[data-ending-look]").textContent = isAside ? "Back to the count" : "Look at the table";
    return undefined;
  }

  open() {
    this.isOpen = true;
    this.box.hidden = false;
    this.page.toggleAttribute("data-ending-open", true);
    this.page.removeAttribute("data-ending-aside");
    const deeds = this.box.querySelector("[data-ending-deeds]");
    if (deeds) deeds.hidden = false;
    this.box.querySelector("h2")?.focus({ preventScroll: true });
  }

  /** hasSeen: it need not be shown again. */
  close(hasSeen = false) {
    if (!this.box) return;
    const sheet = this.box.querySelector("[data-ending]");
    if (hasSeen && sheet) sessionStorage.setItem(this.key, sheet.dataset.ending);
    this.isOpen = false;
    this.box.hidden = true;
    this.light(null);
    for (const name of ["data-ending-open", "data-ending-aside", "data-held"]) this.page.removeAttribute(name);
  }
}
