// The curves below the board: which of them is shown, the line at the ply shown, and the ply under a pointer.
export class Curves {
  /** point(ply): a pointer is at that ply, null: at none; go(ply): it was pressed there. */
  constructor(page, point, go) {
    this.page = page;
    this.point = point;
    this.go = go;
    this.isChosen = false; // by a person
    page.querySelector("[data-curve-choice]").addEventListener("click", ({ target }) => {
      const name = target.closest("[data-show-curve]")?.dataset.showCurve;
      if (!name) return;
      this.isChosen = true;
      this.choose(name);
    });
    page.addEventListener("pointermove", (event) => this.move(event));
    page.addEventListener("pointerout", (event) => this.leave(event));
    page.addEventListener("click", (event) => this.press(event));
  }

  choose(name) {
    for (const slot of this.page.querySelectorAll("[data-curve-of]")) slot.hidden = slot.dataset.curveOf !== name;
    for (const button of this.page.querySelectorAll("[data-show-curve]"))
      button.setAttribute("aria-pressed", String(button.dataset.showCurve === name));
    this.chosen = name;
  }

  /** The analysis has sent its curve, or another one. */
  take() {
    const slot = this.page.querySelector("#review-curve");
    if (!slot.firstElementChild) return;
    const button = this.page.querySelector('[data-show-curve="margin"]');
    const isNew = button.hidden;
    button.hidden = false;
    this.choose(isNew && !this.isChosen ? "margin" : (this.chosen ?? "margin"));
  }

  /** Put the line of every curve at a ply, with what it says there. */
  draw(ply) {
    for (const curve of this.page.querySelectorAll("[data-curve]")) {
      const { first, last, words } = curve.dataset;
      const at = (100 * (ply - first)) / Math.max(1, last - first);
      const said = words.split("|")[ply - first] ?? "";
      const output = curve.querySelector("[data-curve-words]");
      curve.querySelector("[data-curve-plot]").style.setProperty("--now", at.toFixed(2));
      output.textContent = said && `move ${ply}: ${said}`;
      output.hidden = !said;
      output.toggleAttribute("data-left", at > 60);
    }
  }

  plyAt(event) {
    const plot = event.target.closest?.("[data-curve-plot]");
    if (!plot) return null;
    const { first, last } = plot.closest("[data-curve]").dataset;
    const { left, width } = plot.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - left) / width));
    return Math.round(Number(first) + share * (last - first));
  }

  move(event) {
    if (event.pointerType === "touch") return;
    const sign = event.target.closest?.("[data-curve-plot] [data-go]");
    const ply = sign ? Number(sign.dataset.go) : this.plyAt(event);
    if (ply !== null) this.point(ply);
  }

  leave(event) {
    const plot = event.target.closest?.("[data-curve-plot]");
    if (plot && !plot.contains(event.relatedTarget)) this.point(null);
  }

  press(event) {
    const ply = event.target.closest("[data-go]") ? null : this.plyAt(event);
    if (ply !== null) this.go(ply);
  }
}
