// The piece in hand, carried from the turn bar to the board by mouse, pen or finger: a press of it that moves on.
// It goes back where it is dropped elsewhere. Every place can be clicked as well.
const FAR_PX = 6; // a press that moves less is none of carrying it
const ABOVE_PX = 56; // so far a piece is seen above the finger that carries it
const PIECE = ".turn[data-mine] > .tile";

/**
 * page: of the match; mayBegin: whether a piece can be laid now; over, drop: told the point of the window it is at;
 * over says whether the piece is seen lying there.
 */
export function listenToCarrying(page, { mayBegin, over, drop, leave }) {
  let carried = null; // {pointer, piece, start, picture}

  const pointOf = ({ clientX, clientY, pointerType }) => [
    clientX,
    pointerType === "touch" ? clientY - ABOVE_PX : clientY,
  ];

  function end() {
    carried?.picture?.remove();
    carried = null;
    leave();
  }

  page.addEventListener("pointerdown", (event) => {
    const piece = event.button === 0 && event.isPrimary && event.target.closest(PIECE);
    if (!piece || !mayBegin()) return;
    event.preventDefault(); // nothing is selected on the way
    carried = { pointer: event.pointerId, piece, start: [event.clientX, event.clientY], picture: null };
  });
  addEventListener("pointermove", (event) => {
    if (event.pointerId !== carried?.pointer) return;
    const [x0, y0] = carried.start;
    if (!carried.picture && Math.hypot(event.clientX - x0, event.clientY - y0) < FAR_PX) return;
    if (!mayBegin()) return end();
    const [x, y] = pointOf(event);
    carried.picture ??= page.appendChild(pictureOf(carried.piece));
    Object.assign(carried.picture.style, { left: `${x}px`, top: `${y}px` });
    carried.picture.hidden = over(x, y);
  });
  addEventListener("pointerup", (event) => {
    if (event.pointerId !== carried?.pointer) return;
    if (carried.picture && mayBegin()) drop(...pointOf(event));
    end();
  });
  addEventListener("pointercancel", (event) => event.pointerId === carried?.pointer && end());
  addEventListener("keydown", (event) => event.key === "Escape" && carried && end());
}

function pictureOf(piece) {
  const picture = piece.cloneNode(true);
  picture.className = "carried";
  picture.removeAttribute("title");
  picture.setAttribute("aria-hidden", "true");
  const { width, height } = piece.getBoundingClientRect();
  Object.assign(picture.style, { width: `${width}px`, height: `${height}px` });
  return picture;
}
