// The guide of a first match, above the turn bar. What it says is the server's panel, which follows what has
// happened; here its parts are turned over, and the part of the page that it speaks of is outlined.
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
    box.addEventListener("click", ({ target }) => {
      if (target.closest("[data-guide-close]")) this.end();
      if (target.closest("[data-guide-next]")) this.turn();
    });
    new MutationObserver(() => this.outline()).observe(box, { childList: true });
    this.outline();
  }

  get steps() {
    return [...this.box.querySelectorAll("[data-guide-steps] > li")];
  }

  /** Show the next of what is new, after the last the first again. */
  turn() {
    const { steps } = this;
    const next = (steps.findIndex(({ hidden }) => !hidden) + 1) % steps.length;
    for (const [place, step] of steps.entries()) step.hidden = place !== next;
    this.box.querySelector("[data-guide-place]").textContent = `${next + 1}/${steps.length}`;
    this.outline();
  }

  outline() {
    for (const part of document.querySelectorAll(".is-guided")) part.classList.remove("is-guided");
    const selector = PARTS[this.steps.find(({ hidden }) => !hidden)?.dataset.show];
    if (selector) for (const part of this.page.querySelectorAll(selector)) part.classList.add("is-guided");
  }

  end() {
    const hadFocus = this.box.contains(document.activeElement);
    this.keep({ done: true });
    this.box.remove();
    for (const part of document.querySelectorAll(".is-guided")) part.classList.remove("is-guided");
    if (hadFocus) this.page.querySelector("[data-board]").focus({ preventScroll: true });
  }

  /** The server remembers; without an answer the guide is there again the next time. */
  keep(what) {
    const token = JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];
    const headers = { "Content-Type": "application/json", "X-CSRFToken": token };
    const options = { method: "POST", body: JSON.stringify(what), headers, keepalive: true };
    fetch(this.box.dataset.guide, options).catch(() => {});
  }
}

const box = document.querySelector("[data-guide]");
if (box) new Guide(box, document.querySelector("[data-play]"));
