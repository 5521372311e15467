// Mouse and touch on the board. Only legal targets react; a drag that ends on one has not pressed it
// (board_view.js swallows its click). A mouse over a place sees how the piece in hand would lie there.
import { Choice } from "./choice.js";

export function listenToPointers(board) {
  const { box, marks } = board;
  let shown = null;

  function preview(target) {
    if (target === shown) return;
    shown = target;
    if (!target || !board.open || board.choice.taken.length) return marks.preview(null);
    const tried = new Choice(board.state.actions, board.state.steps);
    tried.choose(target.dataset.value);
    return marks.preview(tried);
  }

  box.addEventListener("click", (event) => {
    if (!board.open || event.target.closest(".board-tools")) return;
    const target = marks.at(event.clientX, event.clientY);
    preview(null);
    if (target) board.press(target);
  });
  // Where one part is all, a double click chooses and confirms; its second click has taken back what the first chose.
  box.addEventListener("dblclick", (event) => {
    const isFresh = board.open && board.needsConfirm && !board.choice.taken.length;
    const target = isFresh && marks.at(event.clientX, event.clientY);
    if (!target) return;
    board.press(target);
    if (board.choice?.isSettled) board.do("confirm");
  });
  box.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "touch") preview(event.buttons ? null : marks.at(event.clientX, event.clientY));
  });
  box.addEventListener("pointerleave", () => preview(null));
}
