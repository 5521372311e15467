// "Mine only": in the lists, and for the steps from mistake to mistake, what the reader's own seat decided.
export class Mine {
  /** onChange(): another choice was made. */
  constructor(page, onChange) {
    this.page = page;
    this.seat = page.dataset.mine; // undefined for who sat nowhere
    page.addEventListener("change", ({ target }) => {
      if (!target.matches("[data-mine-switch]")) return;
      page.toggleAttribute("data-mine-only", target.checked);
      this.take();
      onChange();
    });
  }

  get isOn() {
    return this.page.hasAttribute("data-mine-only");
  }

  seatOf(row) {
    return row?.querySelector(".seat")?.dataset.seat;
  }

  /** Lists have come: every row knows whose it is, every switch how it stands. */
  take() {
    if (this.seat === undefined) return;
    for (const row of this.page.querySelectorAll("[data-move], [data-decisions] > li"))
      row.toggleAttribute("data-others", this.seatOf(row) !== this.seat);
    for (const box of this.page.querySelectorAll("[data-mine-switch]")) {
      box.checked = this.isOn;
      box.closest("label").hidden = false;
    }
  }

  /** Whether a ply is among what is wanted. */
  has(ply) {
    return !this.isOn || this.seatOf(this.page.querySelector(`[data-move="${ply}"]`)) === this.seat;
  }
}
