// The side of a table: tabs, and a panel for each. Where there is room it stands beside the stage and can
// be folded to a rail, which is remembered; elsewhere a tab opens its panel as a sheet over the stage.
const YEAR_S = 31_536_000;
const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
const isNarrow = () => matchMedia("(max-width: 61.99rem)").matches;

export class Side {
  constructor(page) {
    this.page = page;
    this.element = page.querySelector("[data-side]");
    this.tabs = [...this.element.querySelectorAll("[role=tab]")];
    this.fold = this.element.querySelector("[data-fold]");
    this.isOpen = false; // as a sheet
    this.hasEnded = page.hasAttribute("data-over");
    this.name = this.hasEnded ? "result" : this.element.dataset.tab;
    if (this.hasEnded) this.isOpen = true;
    this.element.addEventListener("click", (event) => this.click(event));
    this.element.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("keydown", (event) => this.escape(event), true);
    page.querySelector("[data-stage]").addEventListener("pointerdown", () => isNarrow() && this.close());
    page.addEventListener("click", ({ target }) => target.closest("[data-ending-look]") && this.close());
    matchMedia("(max-width: 61.99rem)").addEventListener("change", () => this.draw());
    this.draw();
  }

  get isFolded() {
    return this.page.hasAttribute("data-folded");
  }

  pane(name) {
    return this.element.querySelector(`#pane-${name}`);
  }

  usable(name) {
    const tab = this.tabs.find(({ dataset }) => dataset.opens === name);
    return Boolean(tab?.checkVisibility());
  }

  /** Show a panel, wherever it stands; says whether there is one. */
  show(name) {
    if (!this.usable(name)) return false;
    this.name = name;
    this.isOpen = true;
    if (!isNarrow() && this.isFolded) this.setFolded(false);
    this.draw();
    return true;
  }

  /** Show it, or put it away where it is open already. */
  toggle(name) {
    const isShown = this.name === name && (isNarrow() ? this.isOpen : !this.isFolded);
    if (!isShown) return this.show(name);
    if (isNarrow()) return this.close();
    return this.setFolded(true);
  }

  /** Close a sheet; a panel beside the stage stays. */
  close() {
    if (!this.isOpen || !isNarrow()) return;
    this.isOpen = false;
    this.draw();
  }

  setFolded(is) {
    this.page.toggleAttribute("data-folded", is);
    document.cookie = `side=${is ? "folded" : ""}; path=/play/; max-age=${is ? YEAR_S : 0}; SameSite=Lax`;
    this.draw();
  }

  /** The match has moved on: a panel that is there no more gives way, and the result is shown once. */
  settle(isOver) {
    if (isOver && !this.hasEnded) this.show("result");
    this.hasEnded = isOver;
    if (!this.usable(this.name)) this.name = "moves";
    this.draw();
  }

  draw() {
    const isShown = isNarrow() ? this.isOpen : !this.isFolded;
    for (const tab of this.tabs) {
      const is = tab.dataset.opens === this.name;
      tab.setAttribute("aria-selected", String(is && isShown));
      tab.tabIndex = is ? 0 : -1;
      this.pane(tab.dataset.opens).toggleAttribute("data-shown", is && isShown);
      if (is && isShown) this.page.dispatchEvent(new CustomEvent("pane", { detail: tab.dataset.opens }));
    }
    this.element.toggleAttribute("data-open", isNarrow() && this.isOpen);
    const words = this.isFolded ? "Unfold the panels" : "Fold the panels";
    this.fold.setAttribute("aria-expanded", String(!this.isFolded));
    this.fold.setAttribute("aria-label", words);
    this.fold.title = words;
  }

  click({ target }) {
    const tab = target.closest("[role=tab]");
    if (tab) this.toggle(tab.dataset.opens);
    else if (target.closest("[data-fold]")) this.setFolded(!this.isFolded);
    else if (target.closest("[data-side-close]")) {
      this.close();
      this.tabs.find(({ dataset }) => dataset.opens === this.name)?.focus();
    }
  }

  key(event) {
    const now = event.target.closest("[role=tab]");
    if (!now || !STEPS[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    const usable = this.tabs.filter((tab) => tab.checkVisibility());
    const next = usable[(usable.indexOf(now) + STEPS[event.key] + usable.length) % usable.length];
    this.name = next.dataset.opens;
    this.draw();
    next.focus();
  }

  escape(event) {
    if (event.key !== "Escape" || !isNarrow() || !this.isOpen || document.querySelector(":popover-open")) return;
    event.stopPropagation();
    this.close();
  }
}
