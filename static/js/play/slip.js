// A slip of the hand can be undone before the table moves: answers to one's own move are kept back for a moment.
export class Slip {
  /** onState(state): shows it. */
  constructor(onState) {
    this.onState = onState;
    this.ply = 0; // plies played once one's own move has arrived
    this.until = 0;
    this.kept = null;
  }

  /** A move was made at `ply`; forMs: how long answers are kept back. */
  begin(ply, forMs) {
    this.ply = ply + 1;
    this.until = performance.now() + forMs;
  }

  /** A state has come. What does not go beyond one's own move, such as an undo, is shown at once. */
  push(state) {
    clearTimeout(this.timer);
    this.kept = null;
    const rest = this.until - performance.now();
    if (state.ply <= this.ply || rest <= 0) return this.onState(state);
    this.kept = state;
    this.timer = setTimeout(() => this.release(), rest);
    return undefined;
  }

  release() {
    const state = this.kept;
    this.kept = null;
    if (state) this.onState(state);
  }
}
