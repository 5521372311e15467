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
