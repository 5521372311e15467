// Everything round the board: panels that the server renders, aids, wishes, words of the moment.
const TOAST_MS = 9000;
const TOKEN = /name="csrfmiddlewaretoken" value="[^"]*"/g; // another one every time

/** Whether somebody is being asked something there: it stays until that is answered. */
const isAsking = (place) => Boolean(place.querySelector(":popover-open"));

/** What of a panel has a place for the keyboard, beside controls: the focus stays there when it is drawn anew. */
const placesOf = (place) => [...place.querySelectorAll("[tabindex]")];

export class Panels {
  constructor(page, aidsOn) {
    this.page = page;
    this.aidsOn = aidsOn;
    this.notes = new Map();
    this.html = new Map();
    this.last = null; // the state that was shown last
    this.drawAids();
  }

  /** onAid(id, isOn); wishes are sent through the wire; onSay(words). */
  listen(wire, onAid, onSay) {
    const onClosed = ({ newState }) => newState === "closed" && this.last && this.show(this.last);
    this.page.addEventListener("toggle", onClosed, true); // what was kept while somebody was asked
    this.page.addEventListener("change", ({ target }) => {
      if (!target.matches("[data-aid-switch]")) return;
      onAid(target.dataset.aidSwitch, target.checked);
      this.drawAids();
    });
    this.page.addEventListener("submit", async (event) => {
      const form = event.target;
      if (!form.matches("[data-wish]")) return;
      event.preventDefault();
      if (form.dataset.sent) return;
      form.dataset.sent = "yes";
      for (let sheet = form.closest("[popover]"); sheet; sheet = sheet.parentElement.closest("[popover]")) {
        sheet.hidePopover?.(); // the question, and the menu that it was asked from
      }
      try {
        const answer = await wire.post(form.action, new URLSearchParams(new FormData(form)));
        wire.took(answer);
        if (answer.state?.location) location.assign(answer.state.location);
        if (answer.state?.error) this.toast(answer.state.error);
      } catch {
        const words = "No connection: nothing was asked for. Try again in a moment.";
        this.toast(words);
        onSay(words);
      } finally {
        delete form.dataset.sent;
      }
    });
  }

  /** Put the server's panels in their places, where they have changed; only: these alone, before the state is shown. */
  show(state, only = null) {
    const { panel } = state;
    if (!only) this.last = state;
    for (const place of this.page.querySelectorAll("[data-panel]")) {
      const { panel: name } = place.dataset;
      if (only && !only.includes(name)) continue;
      const known = panel[name]?.replaceAll(TOKEN, "");
      if (known === undefined || this.html.get(name) === known || isAsking(place)) continue;
      this.html.set(name, known);
      const scores = new Map(
        [...place.querySelectorAll("[data-fresh]")].map((number) => [number.dataset.fresh, number.textContent]),
      );
      const focused = placesOf(place).indexOf(document.activeElement);
      place.innerHTML = panel[name];
      if (focused >= 0) placesOf(place)[focused]?.focus({ preventScroll: true });
      for (const number of place.querySelectorAll("[data-fresh]")) {
        number.classList.toggle("fresh", scores.get(number.dataset.fresh) !== number.textContent);
      }
    }
    this.drawAids();
  }

  drawAids() {
    for (const part of this.page.querySelectorAll("[data-aid]:not(svg *)"))
      part.hidden = !this.aidsOn.has(part.dataset.aid);
    this.page.toggleAttribute("data-stocked", Boolean(this.page.querySelector(".stock")));
    if (!this.last || ["open", "running"].includes(this.last.status)) return;
    for (const part of this.page.querySelectorAll("[data-in-play]")) part.hidden = true;
  }

  /** What is asked for next, in the turn's title. isSending: nothing, a move is on its way. */
  ask(choice, isSending) {
    const words = this.page.querySelector("[data-ask]");
    if (!words || !choice) return;
    const whole = choice.isOnly ? "Only this move is possible." : `${choice.deed}, or choose otherwise.`;
    const text = isSending ? "Your move is on its way." : choice.question || whole;
    if (words.textContent !== text) words.textContent = text;
  }

  get lastWords() {
    return (
      this.page
        .querySelector(".turn-last")
        ?.textContent.replace(/\s+/g, " ")
        .replace(/^ ?Last: |^ ?Since your move: /, "")
        .trim() ?? ""
    );
  }

  /** A note that stays until it is emptied. */
  note(name, words) {
    this.notes.get(name)?.remove();
    this.notes.delete(name);
    if (words) this.notes.set(name, this.add(words));
  }

  toast(words) {
    const toast = this.add(words);
    setTimeout(() => toast.remove(), TOAST_MS);
  }

  add(words) {
    const toast = document.createElement("div");
    toast.className = "toast";
    toast.setAttribute("role", "status");
    toast.dataset.timed = "yes";
    const text = document.createElement("span");
    text.textContent = words;
    toast.append(text);
    document.querySelector(".toasts").append(toast);
    return toast;
  }
}
