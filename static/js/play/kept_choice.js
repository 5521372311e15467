// A choice that is not confirmed yet, kept in this tab until its position moves on: a page that is loaded again
// shows it as it was.
export class KeptChoice {
  /** code: of the match. */
  constructor(code) {
    this.key = `choice-${code}`;
  }

  /** Keep what is chosen of the action of a seat at a ply; nothing chosen: nothing is kept. */
  keep({ ply, on_turn: seat }, choice) {
    if (choice.taken.length) sessionStorage.setItem(this.key, JSON.stringify({ ply, seat, parts: choice.stored }));
    else this.drop();
  }

  /** Put what was kept for this seat and ply into a fresh choice, if it is still legal; says whether it did. */
  restore({ ply, on_turn: seat }, choice) {
    const kept = JSON.parse(sessionStorage.getItem(this.key) ?? "null");
    if (!kept) return false;
    if (kept.ply === ply && kept.seat === seat && choice.restore(kept.parts)) return true;
    this.drop();
    return false;
  }

  drop() {
    sessionStorage.removeItem(this.key);
  }
}
