// The board of a replay. Its own marks say what is shown after n plies: data-ply="p" (p <= n), data-from="p"
// data-to="q" (p <= n < q), and the group whose id ends in "last" follows the latest placement.
const show = (element, is) => (element.style.display = is ? "inline" : "none");

export class Drawing {
  constructor(svg) {
    const find = (selector) => [...svg.querySelectorAll(selector)];
    this.svg = svg;
    this.laid = new Map();
    for (const tile of find("[data-ply][transform]")) this.laid.set(Number(tile.dataset.ply), tile);
    this.steps = find("[data-ply]");
    this.spans = find("[data-from]");
    this.ring = svg.querySelector('[id$="last"]');
  }

  /** Show it after so many plies. */
  draw(ply) {
    for (const step of this.steps) show(step, Number(step.dataset.ply) <= ply);
    for (const span of this.spans) {
      const { from, to } = span.dataset;
      show(span, Number(from) <= ply && (to === undefined || ply < Number(to)));
    }
    const tile = this.laid.get(ply);
    if (this.ring) show(this.ring, ply > 0 && Boolean(tile));
    if (!this.ring || !tile) return;
    this.ring.setAttribute("transform", tile.getAttribute("transform"));
    this.ring.style.setProperty("--narrow", tile.style.getPropertyValue("--narrow")); // of a phone's arrangement
  }
}

/** Let a map be as large as what was ever laid on it, without the room that one has for the next tile. */
export function trim(svg) {
  if (svg.dataset.view !== "map") return;
  const unit = Number(svg.dataset.unit);
  const spots = [...svg.querySelectorAll("[data-ply][transform]")]
    .map((tile) => tile.transform.baseVal.consolidate()?.matrix)
    .filter(Boolean);
  if (!spots.length) return;
  const [x, y] = [spots.map(({ e }) => e), spots.map(({ f }) => f)];
  const [left, top] = [Math.min(...x) - unit / 4, Math.min(...y) - unit / 4];
  const [right, bottom] = [Math.max(...x) + 1.25 * unit, Math.max(...y) + 1.25 * unit];
  svg.dataset.whole = [left, top, right - left, bottom - top].join(" ");
}
