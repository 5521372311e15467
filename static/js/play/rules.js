// The rules beside the board: loaded when they are opened first. Words of the board (data-term) open them where
// they are explained.
import { isTouch } from "./terms.js";

const ONE = "[data-term]";

export class Rules {
  constructor(page, side) {
    this.page = page;
    this.side = side;
    this.box = page.querySelector("[data-rules-sheet]");
    this.words = new Set(page.dataset.words.split("|"));
    page.addEventListener("pane", ({ detail }) => detail === "rules" && this.load());
    page.addEventListener("click", (event) => this.click(event.target.closest(ONE), event));
    if (side.name === "rules") this.load();
  }

  /** Fetch the sheet once; says when it is there. An answer that does not come is asked for again the next time. */
  load() {
    this.loading ??= this.fetch().catch(() => {
      this.loading = null;
      this.say("The rules could not be loaded. Open this panel again in a moment.");
    });
    return this.loading;
  }

  async fetch() {
    this.box.querySelector("[data-rules-wait]").hidden = false;
    const answer = await fetch(this.box.dataset.rulesSheet);
    if (!answer.ok) throw new Error(`answer ${answer.status}`);
    this.box.innerHTML = await answer.text();
    this.box.removeAttribute("aria-live");
    this.terms = JSON.parse(this.box.querySelector("[data-terms]")?.dataset.terms ?? "{}");
  }

  say(words) {
    const line = this.box.querySelector("[data-rules-wait]");
    if (line) line.textContent = words;
  }

  /** Whether the rules explain a word. */
  knows(word) {
    return this.words.has(word.trim().toLowerCase());
  }

  /** A finger is shown what the word stands for first (terms.js). */
  click(word, event) {
    if (!word || (word.dataset.tip && isTouch(event))) return;
    if (this.knows(word.dataset.term)) this.open(word.dataset.term);
  }

  /** Open the rules where they explain a word. */
  async open(word) {
    if (!this.side.show("rules")) return;
    await this.load();
    const id = this.terms?.[word.trim().toLowerCase()];
    const place = id && document.getElementById(id);
    if (!place) return;
    place.scrollIntoView({ block: "start" });
    place.focus({ preventScroll: true });
    for (const other of this.box.querySelectorAll(".is-meant")) other.classList.remove("is-meant");
    place.classList.add("is-meant");
  }
}
