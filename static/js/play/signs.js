// Signs at the edge of the stage: where places that may be chosen lie out of sight. One for each side or
// corner that has some, of two that would touch one for both; a click on it brings the nearest of them into
// sight. One more leads to another's move that has not been seen yet.
const NAMES = ["right", "below right", "below", "below left", "left", "above left", "above", "above right"];
const EIGHTH = Math.PI / 4;
const RIM = 22; // pixels between the middle of a sign and the edge
const APART = 52; // between the middles of two
const LAST = "last";

export class Signs {
  constructor(stage) {
    this.stage = stage;
    this.box = stage.element.querySelector("[data-signs]");
    this.places = [];
    this.box?.addEventListener("click", ({ target }) => {
      const { direction } = target.closest("button")?.dataset ?? {};
      if (direction === LAST) stage.goToLast();
      else if (direction) stage.goTo(this.nearest[direction]);
    });
  }

  /** Take the places that may be chosen now. */
  take(places) {
    this.places = places;
    this.draw();
  }

  /** Draw them for the view as it is; isGliding: it is on its way, and they come when it is there. */
  draw(isGliding = false) {
    if (!this.box) return;
    cancelAnimationFrame(this.frame);
    if (isGliding && this.stage.world.hasAttribute("data-glides")) return this.box.replaceChildren();
    this.frame = requestAnimationFrame(() => this.put());
    return undefined;
  }

  put() {
    const { stage } = this;
    const { left, right, top, bottom } = stage.seen;
    const middle = { x: (left + right) / 2, y: (top + bottom) / 2 };
    const found = new Map();
    for (const place of stage.isMovable ? this.places : []) {
      const spot = place.getBoundingClientRect();
      const [x, y] = [spot.x + spot.width / 2, spot.y + spot.height / 2];
      if (!spot.width || (x > left && x < right && y > top && y < bottom) || isOnTop(place, x, y)) continue;
      const direction = Math.round(Math.atan2(y - middle.y, x - middle.x) / EIGHTH + 8) % 8;
      const far = Math.hypot(x - middle.x, y - middle.y);
      const known = found.get(direction) ?? { count: 0, far: Infinity };
      if (far < known.far) Object.assign(known, { far, x, y, place });
      known.count += 1;
      found.set(direction, known);
    }
    this.nearest = {};
    const frame = stage.element.getBoundingClientRect();
    /** Where a line to a point crosses the edge, so many pixels before it. */
    const edge = ({ x, y }, rim) => {
      const reach = Math.min(
        ((right - left) / 2 - rim) / Math.abs(x - middle.x || 1e-9),
        ((bottom - top) / 2 - rim) / Math.abs(y - middle.y || 1e-9),
      );
      return { x: middle.x + (x - middle.x) * reach - frame.x, y: middle.y + (y - middle.y) * reach - frame.y };
    };
    const signs = merge([...found].map(([direction, one]) => ({ direction, ...one, at: edge(one, RIM) }))).map(
      ({ direction, place, count, at }) => {
        this.nearest[direction] = stage.place(place);
        const words = `${count} more ${count === 1 ? "place" : "places"} ${NAMES[direction]}, out of sight`;
        return sign(direction, String(count), words, at);
      },
    );
    if (stage.isMissed) {
      const spot = stage.last.getBoundingClientRect();
      const at = edge({ x: spot.x + spot.width / 2, y: spot.y + spot.height / 2 }, RIM + APART);
      signs.push(sign(LAST, "◎", "The last move, out of sight", at));
    }
    this.box.replaceChildren(...signs);
  }
}

/** Whether a place can be pointed at in its middle: beside plates and bar, though not in what they leave free. */
function isOnTop(place, x, y) {
  const top = document.elementFromPoint(x, y);
  return top !== null && (place.contains(top) || top.closest("[data-step]") === place);
}

/** Signs of which none touches another: two that would are one, at the place of that which is nearer. */
function merge(signs) {
  const kept = [];
  for (const one of signs.toSorted((a, b) => a.far - b.far)) {
    const near = kept.find(({ at }) => Math.hypot(at.x - one.at.x, at.y - one.at.y) < APART);
    if (near) near.count += one.count;
    else kept.push(one);
  }
  return kept;
}

function sign(direction, written, words, { x, y }) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "sign";
  button.dataset.direction = direction;
  button.tabIndex = -1; // arrows bring the places into sight
  button.title = words;
  button.setAttribute("aria-label", words);
  button.style.left = `${x}px`;
  button.style.top = `${y}px`;
  if (direction !== LAST) button.style.setProperty("--turn", `${direction * 45}deg`);
  button.append(written);
  return button;
}
