// The guide beside a first match: one step at a time, the part of the page it speaks of outlined. What
// one does on the board brings the next step where a step waits for it; the buttons do so always. On a
// phone a step is its title in one line, and a tap on it opens what it says; the first one is open.
const PARTS = {
  turn: "[data-turn]",
  board: "[data-stage]",
  bar: "[data-turn]",
  plates: "[data-panel='plates']",
  stock: "#tab-stock, #pane-stock",
};

class Guide {
  constructor(box, page) {
    this.box = box;
    this.page = page;
    this.find = (name) => box.querySelector(`[data-guide-${name}]`);
    this.steps = [...box.querySelectorAll("[data-until]")];
    for (const name of ["deeds", "close", "fold"]) this.find(name).hidden = false;
    for (const name of ["fold", "steps"]) this.find(name).addEventListener("click", () => this.open(!this.isOpen));
    this.find("back").addEventListener("click", () => this.go(this.at - 1));
    this.find("next").addEventListener("click", () => (this.isLast ? this.end() : this.go(this.at + 1)));
    this.find("close").addEventListener("click", () => this.end());
    page.addEventListener("board", ({ detail }) => this.look(detail));
    this.open(Number(box.dataset.step) === 0); // who begins reads how it speaks
    this.show(Number(box.dataset.step));
  }

  /** Whether a step's words are shown below its title, where there is not room for them always. */
  open(isOpen) {
    this.isOpen = isOpen;
    this.box.dataset.guideIs = isOpen ? "open" : "folded";
    this.find("fold").setAttribute("aria-expanded", String(isOpen));
  }

  get isLast() {
    return this.at === this.steps.length - 1;
  }

  /** What happens on the board. ply: plies played; chosen: parts of an action chosen by hand. */
  look({ ply, chosen, isMine, isOver }) {
    const hasPlayed = this.wasMine && this.ply !== undefined && ply > this.ply;
    [this.ply, this.wasMine] = [ply, isMine];
    const step = isOver ? this.steps.length - 1 : this.after(hasPlayed, chosen > 0);
    if (step > this.at) this.go(step);
  }

  /** The step after the one that waits for what was done; those before it may not have been read. */
  after(hasPlayed, hasChosen) {
    const next = (...deeds) =>
      this.steps.findIndex(({ dataset }, place) => place >= this.at && deeds.includes(dataset.until));
    if (hasPlayed) return next("confirm") + 1;
    return hasChosen && next("choose") === next("choose", "confirm") ? next("choose") + 1 : this.at;
  }

  go(step) {
    this.show(step);
    this.keep({ step: this.at });
  }

  show(step) {
    this.at = Math.min(this.steps.length - 1, Math.max(0, step));
    this.steps.forEach((one, place) => (one.hidden = place !== this.at));
    this.find("place").textContent = `${this.at + 1} of ${this.steps.length}`;
    this.find("back").disabled = this.at === 0;
    this.find("next").textContent = this.isLast ? "Done" : "Next";
    this.outline(PARTS[this.steps[this.at].dataset.show]);
  }

  outline(selector) {
    for (const part of document.querySelectorAll(".is-guided")) part.classList.remove("is-guided");
    if (selector) for (const part of this.page.querySelectorAll(selector)) part.classList.add("is-guided");
  }

  end() {
    const hadFocus = this.box.contains(document.activeElement);
    this.outline(null);
    this.keep({ done: true });
    this.box.remove();
    if (hadFocus) this.page.querySelector("[data-board]").focus({ preventScroll: true });
  }

  /** The server remembers, so that the guide goes on where it was; without an answer it begins there again. */
  keep(what) {
    const token = JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];
    const headers = { "Content-Type": "application/json", "X-CSRFToken": token };
    const options = { method: "POST", body: JSON.stringify(what), headers, keepalive: true };
    fetch(this.box.dataset.guide, options).catch(() => {});
  }
}

const box = document.querySelector("[data-guide]");
if (box) new Guide(box, document.querySelector("[data-play]"));
