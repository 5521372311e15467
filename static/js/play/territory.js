// Lights up the whole feature under the pointer: copies of all segments with the same data-f are
// put into the empty layer whose id ends in "hover". A finger lights it by touching a laid tile, the
// keyboard by moving to a target of it.
export class Territory {
  /** isOn(): whether the aid is on. */
  constructor(box, isOn) {
    this.box = box;
    this.isOn = isOn;
    this.feature = null;
    box.addEventListener("pointerover", (event) => event.pointerType !== "touch" && this.point(event));
    box.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && this.light(null));
    box.addEventListener("click", (event) => this.point(event));
    box.closest("[data-play]")?.addEventListener("light", ({ detail }) => this.light(detail, true));
    box.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && this.point(event));
  }

  point({ target }) {
    this.light(this.isOn() ? (target.closest("[data-f]")?.dataset.f ?? null) : null);
  }

  /** isCounted: also where the aid is off. */
  light(feature, isCounted = false) {
    const layer = this.box.querySelector('svg [id$="hover"]');
    if (layer && isCounted) layer.style.display = feature !== null || this.isOn() ? "inline" : "none";
    if (!layer || (feature === this.feature && layer.childElementCount)) return;
    this.feature = feature;
    const parts = feature === null ? [] : this.box.querySelectorAll(`svg [data-f="${CSS.escape(feature)}"]`);
    layer.replaceChildren(...[...parts].map((part) => this.copy(part, layer)));
  }

  copy(part, layer) {
    const copy = part.cloneNode();
    copy.removeAttribute("id");
    copy.removeAttribute("class");
    const { a, b, c, d, e, f } = layer.getScreenCTM().inverse().multiply(part.parentNode.getScreenCTM());
    copy.setAttribute("transform", `matrix(${[a, b, c, d, e, f].map((n) => n.toFixed(3)).join(" ")})`);
    return copy;
  }
}
