// Between wire and board: states that arrive are shown one after another, so that what others did can be
// followed. Where a state jumps several plies, the server is asked for the boards between. A click or Space
// shows the present at once; after a reload or in a hidden tab nothing is played again.
const MOST = 8; // plies that are shown one after another; of more a line says how many there were
const LEAST_MS = 120;
const LATE_MS = 4000; // boards that take longer than this are done without

export class Pace {
  /** board: what shows; motion: how fast; endings: what holds the table at the end of a round. */
  constructor(board, motion, endings) {
    this.board = board;
    this.motion = motion;
    this.endings = endings;
    this.waiting = [];
    this.isBusy = false;
    this.isHurried = false;
    this.wake = null;
    this.shownAt = -Infinity; // when another's move was shown last
    this.playedAt = performance.now(); // when the reader did something last
    document.addEventListener("keydown", (event) => this.onKey(event), true);
    document.addEventListener("pointerdown", (event) => this.onPointer(event), true);
    document.addEventListener("visibilitychange", () => document.hidden && this.hurry());
  }

  /** What the page begins with: an end of a round that nobody has seen holds the table, already counted. */
  async begin(state) {
    const ply = this.endings.begin(state);
    if (!ply) return;
    this.isBusy = true;
    const now = this.board.box.querySelector("svg").outerHTML;
    const [frame] = await this.between(ply - 1, ply);
    if (frame) this.board.showFrame({ ...frame, scored: [] });
    await this.endings.wait(state);
    this.isBusy = false;
    this.board.restore(now);
    if (this.waiting.length) await this.run();
  }

  /** A state has come: show it when those before it have been seen. */
  push(state) {
    this.board.entitle(state);
    this.endings.arrived(state);
    this.waiting.push(state);
    return this.isBusy ? undefined : this.run();
  }

  /** The first state that needs no pause is shown before this returns. */
  run() {
    while (this.waiting.length) {
      const next = this.waiting[0];
      if (this.hasWay(next)) return this.walk();
      this.waiting.shift();
      this.note(next);
      this.board.adopt(next);
    }
    return undefined;
  }

  async walk() {
    this.isBusy = true;
    this.isHurried = document.hidden;
    while (this.waiting.length) {
      this.catchUp();
      const next = this.waiting[0];
      if (this.hasWay(next)) await this.lead(next);
      this.waiting.shift();
      if (!this.waiting.length) this.isBusy = false;
      this.board.adopt(next);
    }
    this.isBusy = false;
    this.isHurried = false;
  }

  /** So far behind that nobody would follow: only the present is shown. */
  catchUp() {
    const behind = this.waiting.at(-1).ply - this.board.shownPly;
    if (behind > MOST || this.isHurried) this.waiting.splice(0, this.waiting.length - 1);
  }

  /** Whether something is to be shown before this state. */
  hasWay(state) {
    const gap = state.ply - this.board.shownPly;
    if (gap <= 0) return false;
    return this.isRoundEnd(state) || this.mustWait(state, gap) || (gap > 1 && gap <= MOST && !this.motion.isStill);
  }

  /** Whether another's move is to be seen alone before this one; the reader's own is shown at once. */
  mustWait({ last, your_seats: own }, gap) {
    return this.patience > 0 && !(gap === 1 && own.includes(last?.seat));
  }

  /** Milliseconds for which the move that was shown last is still to be seen alone. */
  get patience() {
    return this.motion.isStill ? 0 : this.motion.stepMs - (performance.now() - this.shownAt);
  }

  /** Whether a round has ended since what is shown, which holds the table. */
  isRoundEnd(state) {
    return this.endings.isDue(state, this.board.shownPly) && !state.ending.is_over;
  }

  /** Show the boards between what is shown and this state. */
  async lead(state) {
    const from = this.board.shownPly;
    const isEnd = this.isRoundEnd(state);
    if (isEnd) this.board.panels.show(state, ["guide"]); // it speaks of what holds the table
    const after = isEnd && (state.ply - from > MOST || this.motion.isStill) ? state.ending.ply - 1 : from;
    if (this.patience > 0) await this.rest(this.patience);
    const until = isEnd ? Math.max(state.ending.ply, state.ply - 1) : state.ply - 1;
    let isHeld = !isEnd;
    const isLong = state.ply - from > MOST && !isEnd;
    for (const frame of isLong ? [] : await this.between(after, until)) {
      const holds = isEnd && frame.ply === state.ending.ply;
      if (this.isHurried && !holds) continue;
      this.board.showFrame(holds ? { ...frame, scored: [] } : frame); // the sheet counts what a round brought
      if (holds) {
        isHeld = true;
        this.isHurried = false;
        await this.endings.hold(state);
      } else await this.rest(this.motion.stepMs);
    }
    if (!isHeld) await this.endings.hold(state); // without its board
  }

  /** Boards after these plies; none where they do not come in time. */
  async between(after, until) {
    if (until <= after) return [];
    const control = new AbortController();
    const timer = setTimeout(() => control.abort(), LATE_MS);
    try {
      const address = `${this.board.page.dataset.frames}?after=${after}&until=${until}`;
      const answer = await fetch(address, { signal: control.signal, cache: "no-store" });
      return answer.ok ? (await answer.json()).frames : [];
    } catch {
      return [];
    } finally {
      clearTimeout(timer);
    }
  }

  /** So many moves that they are not shown: say how many. */
  note(state) {
    const gap = state.ply - this.board.shownPly;
    if (gap > MOST && !document.hidden) this.board.panels.toast(`${gap} moves since you looked.`);
  }

  /** A pause that `hurry` ends. */
  async rest(ms) {
    if (this.isHurried || !ms) return;
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(LEAST_MS, ms));
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.wake = null;
  }

  /** Show the present as soon as can be. */
  hurry() {
    this.motion.finish();
    if (!this.isBusy) return;
    this.isHurried = true;
    this.wake?.();
  }

  onKey(event) {
    if (event.key !== " " || event.target.closest?.("input, select, textarea, button, a, summary, dialog")) return;
    if (!this.endings.isOpen && !this.isBusy) return;
    event.preventDefault();
    event.stopPropagation();
    if (this.endings.isOpen) this.endings.press();
    else this.hurry();
  }

  onPointer(event) {
    if (event.target.closest?.("[data-ending-box]")) return;
    this.hurry();
  }
}
