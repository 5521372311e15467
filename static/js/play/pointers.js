// Mouse and touch on the board. Only legal targets react; a drag that ends on one has not pressed it
// (board_view.js swallows its click). A mouse over a place sees how the piece in hand would lie there, and its
// wheel turns the piece where it fits in several ways; elsewhere, and with Ctrl or Shift, it is the view's.
import { listenToCarrying } from "./carrying.js";
import { Choice } from "./choice.js";

const WHEEL_PX = 30; // so far the wheel goes for a turn
const WHEEL_MS = 140; // between two turns: a touchpad sends many small steps

export function listenToPointers(board) {
  const { box, marks } = board;
  let shown = null;
  let turns = 0; // of the piece that is seen at the place pointed at
  let [wheeled, turnedAt] = [0, -Infinity];

  /** The piece as it would lie at a place, turned so often. */
  function tryAt(target, by) {
    const tried = new Choice(board.state.actions, board.state.steps);
    tried.choose(target.dataset.value);
    for (let left = Math.abs(by); left > 0 && tried.turn(Math.sign(by)); left -= 1);
    return tried;
  }

  function preview(target) {
    if (target === shown) return;
    [shown, turns] = [target, 0];
    if (!target || !board.open || board.choice.taken.length) return marks.preview(null);
    return marks.preview(tryAt(target, 0));
  }

  /** Turn what lies, or would lie, at a place; says whether there is anything to turn. */
  function turnAt(target, by) {
    const { choice } = board;
    if (choice.taken.length) {
      if (choice.taken[marks.when(target).length]?.value !== target.dataset.value || choice.turnDepth < 0) return false;
      if (by) board.do(by > 0 ? "turn" : "turn back");
      return true;
    }
    if (tryAt(target, 0).turnDepth < 0) return false;
    preview(target);
    turns += by;
    if (by) marks.preview(tryAt(target, turns));
    return true;
  }

  /** Press a target, turned as it was seen there. */
  function press(target) {
    const by = target === shown && !board.choice.taken.length ? turns : 0;
    preview(null);
    if (target) board.press(target);
    for (let left = Math.abs(by); left > 0; left -= 1) board.do(by > 0 ? "turn" : "turn back");
  }

  box.addEventListener("click", (event) => {
    if (!board.open || event.target.closest(".board-tools")) return;
    press(marks.at(event.clientX, event.clientY));
  });
  listenToCarrying(board.page, {
    mayBegin: () => Boolean(board.open && !board.choice.taken.length),
    over: (x, y) => {
      const target = marks.at(x, y);
      preview(target);
      return Boolean(target);
    },
    drop: (x, y) => press(marks.at(x, y)),
    leave: () => preview(null),
  });
  const onWheel = (event) => {
    const target = board.open && !event.ctrlKey && !event.shiftKey && marks.at(event.clientX, event.clientY);
    if (!target || !turnAt(target, 0)) return;
    event.preventDefault();
    event.stopPropagation(); // the view stays
    wheeled += event.deltaMode ? Math.sign(event.deltaY) * WHEEL_PX : event.deltaY;
    if (Math.abs(wheeled) < WHEEL_PX || event.timeStamp - turnedAt < WHEEL_MS) return;
    turnAt(target, Math.sign(wheeled));
    [wheeled, turnedAt] = [0, event.timeStamp];
  };
  box.addEventListener("wheel", onWheel, { passive: false });
  // Where every action is one part, a double click chooses and confirms, whatever its two clicks chose or took back.
  // Elsewhere quick clicks turn a piece: they play nothing.
  box.addEventListener("dblclick", (event) => {
    if (!board.open || !board.needsConfirm || board.choice.actions.some(({ parts }) => parts.length > 1)) return;
    const target = !event.target.closest(".board-tools") && marks.at(event.clientX, event.clientY);
    if (!target) return;
    if (board.choice.taken[0]?.value !== target.dataset.value) board.press(target);
    if (board.choice?.isSettled) board.do("confirm");
  });
  box.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "touch") preview(event.buttons ? null : marks.at(event.clientX, event.clientY));
  });
  box.addEventListener("pointerleave", () => preview(null));
}
