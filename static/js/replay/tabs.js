// Tabs beside the board: one pane at a time; arrows move among them.
export class Tabs {
  constructor(page) {
    this.tabs = [...page.querySelectorAll("[role=tab]")];
    this.list = page.querySelector("[role=tablist]");
    this.list.hidden = false;
    page.querySelector(".theatre-panes").toggleAttribute("data-live", true);
    this.list.addEventListener("click", ({ target }) => this.open(target.closest("[role=tab]")));
    this.list.addEventListener("keydown", (event) => this.walk(event));
    this.open(this.tabs[0]);
  }

  open(tab) {
    if (!tab) return;
    for (const other of this.tabs) {
      other.setAttribute("aria-selected", String(other === tab));
      other.tabIndex = other === tab ? 0 : -1;
      document.getElementById(other.getAttribute("aria-controls")).toggleAttribute("data-shown", other === tab);
    }
  }

  walk(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const here = this.tabs.indexOf(event.target);
    if (!step || here < 0) return;
    event.preventDefault();
    event.stopPropagation();
    const next = this.tabs[(here + step + this.tabs.length) % this.tabs.length];
    this.open(next);
    next.focus();
  }
}
