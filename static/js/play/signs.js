// Signs at the edge of the stage: where places that may be chosen lie out of sight. One for each side or
// corner that has some; a click on it brings the nearest of them into sight.
const NAMES = ["right", "below right", "below", "below left", "left", "above left", "above", "above right"];
const EIGHTH = Math.PI / 4;
const RIM = 22; // pixels between the middle of a sign and the edge

export class Signs {
  constructor(stage) {
    this.stage = stage;
    this.box = stage.element.querySelector("[data-signs]");
    this.places = [];
    this.box?.addEventListener("click", ({ target }) => {
      const { direction } = target.closest("button")?.dataset ?? {};
      if (direction) stage.goTo(this.nearest[direction]);
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
      if (!spot.width || (x > left && x < right && y > top && y < bottom)) continue;
      const direction = Math.round(Math.atan2(y - middle.y, x - middle.x) / EIGHTH + 8) % 8;
      const far = Math.hypot(x - middle.x, y - middle.y);
      const known = found.get(direction) ?? { count: 0, far: Infinity };
      if (far < known.far) Object.assign(known, { far, x, y, place });
      known.count += 1;
      found.set(direction, known);
    }
    this.nearest = {};
    const frame = stage.element.getBoundingClientRect();
    const signs = [...found].map(([direction, { x, y, place, count }]) => {
      this.nearest[direction] = stage.place(place);
      const reach = Math.min(
        ((right - left) / 2 - RIM) / Math.abs(x - middle.x || 1e-9),
        ((bottom - top) / 2 - RIM) / Math.abs(y - middle.y || 1e-9),
      );
      const at = { x: middle.x + (x - middle.x) * reach, y: middle.y + (y - middle.y) * reach };
      return sign(direction, count, at.x - frame.x, at.y - frame.y);
    });
    this.box.replaceChildren(...signs);
  }
}

function sign(direction, count, x, y) {
  const button = document.createElement("button");
  const words = `${count} more ${count === 1 ? "place" : "places"} ${NAMES[direction]}, out of sight`;
  button.type = "button";
  button.className = "sign";
  button.dataset.direction = direction;
  button.tabIndex = -1; // arrows bring the places into sight
  button.title = words;
  button.setAttribute("aria-label", words);
  button.style.left = `${x}px`;
  button.style.top = `${y}px`;
  button.style.setProperty("--turn", `${direction * 45}deg`);
  button.append(String(count));
  return button;
}
