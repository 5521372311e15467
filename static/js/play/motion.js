// What moves when something has scored: points float up where it was, pieces walk home to the
// plate of their seat. Nothing moves where the system or the person asks for no motion.
const FLOAT_MS = 1800;
const WALK_MS = 900;

export class Motion {
  constructor(page, preference) {
    this.page = page;
    this.isOff = preference === "off";
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    page.toggleAttribute("data-still", this.isOff);
  }

  get isStill() {
    return this.isOff || this.calm.matches || document.hidden;
  }

  /** Where the pieces that come home stand now: to be asked before the board is replaced. */
  standing(box, scored) {
    if (this.isStill) return [];
    return scored.flatMap(({ elements, returned }) =>
      returned.map((seat, index) => ({ seat, piece: this.pieceOf(box, elements[index]) })).filter(({ piece }) => piece),
    );
  }

  pieceOf(box, element) {
    const piece = element && box.querySelector(`#${CSS.escape(`board-${element.replace(/^cell/, "meeple")}`)}`);
    if (!piece) return null;
    return { ...rectOf(piece), picture: pictureOf(piece, box) };
  }

  /** Let them walk, and points float up. */
  play(box, scored, standing) {
    if (this.isStill) return;
    for (const event of scored) this.float(box, event);
    standing.forEach((walker, index) => this.walk(walker, index));
  }

  float(box, { points, seats, elements }) {
    const spot =
      elements.length && box.querySelector(`#${CSS.escape(`board-${elements[0]}`)}`)?.getBoundingClientRect();
    if (!points || !spot) return;
    const stage = box.closest("[data-stage]"); // the box is scaled, the stage is not
    const frame = stage.getBoundingClientRect();
    for (const [index, seat] of seats.entries()) {
      const words = document.createElement("span");
      words.className = "floating seat";
      words.dataset.seat = seat;
      words.textContent = `+${points}`;
      words.setAttribute("aria-hidden", "true");
      words.style.left = `${spot.x - frame.x + spot.width / 2}px`;
      words.style.top = `${spot.y - frame.y + spot.height / 2 + 26 * index}px`;
      stage.append(words);
      setTimeout(() => words.remove(), FLOAT_MS);
    }
  }

  walk({ seat, piece }, index) {
    const plate = this.page.querySelector(`[data-plate="${seat}"]`)?.getBoundingClientRect();
    if (!plate) return;
    const walker = piece.picture;
    Object.assign(walker.style, {
      left: `${piece.x}px`,
      top: `${piece.y}px`,
      width: `${piece.width}px`,
      height: `${piece.height}px`,
    });
    document.body.append(walker);
    const x = plate.x + plate.width / 2 - piece.x;
    const y = plate.y + plate.height / 2 - piece.y;
    const to = `translate(${x}px, ${y}px) scale(.6)`;
    const steps = [
      { transform: "none", opacity: 1 },
      { opacity: 1, offset: 0.8 },
      { transform: to, opacity: 0 },
    ];
    const path = walker.animate(steps, { duration: WALK_MS, delay: 120 * index, easing: "ease-in-out", fill: "both" });
    path.onfinish = () => walker.remove();
  }
}

function rectOf(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x, y, width, height };
}

/** A drawing of its own with a copy of a piece and of the symbols it is made of. */
function pictureOf(piece, box) {
  const { x, y, width, height } = rectOf(piece);
  const inverse = piece.parentNode.getScreenCTM().inverse();
  const from = new DOMPoint(x, y).matrixTransform(inverse);
  const to = new DOMPoint(x + width, y + height).matrixTransform(inverse);
  const picture = document.createElementNS(piece.namespaceURI, "svg");
  picture.setAttribute("viewBox", [from.x, from.y, to.x - from.x, to.y - from.y].join(" "));
  picture.setAttribute("class", "walking");
  picture.setAttribute("aria-hidden", "true");
  const symbols = document.createElementNS(piece.namespaceURI, "defs");
  picture.append(symbols, piece.cloneNode(true));
  const seen = new Set();
  for (const uses = [...picture.querySelectorAll("use")]; uses.length;) {
    const id = uses.pop().getAttribute("href");
    const symbol = !seen.has(id) && box.querySelector(id);
    seen.add(id);
    if (!symbol) continue;
    const copy = symbol.cloneNode(true);
    symbols.append(copy);
    uses.push(...copy.querySelectorAll("use"), ...(copy.matches("use") ? [copy] : []));
  }
  return picture;
}
