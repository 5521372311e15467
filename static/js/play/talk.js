// Ready phrases. The server sends their ids, and the page says them in the language of its reader: beside the
// speaker's plate for some seconds, over all else and under no pointer, so nothing moves or is covered for a click.
const SHOWN_MS = 7000;
const FRESH_S = 20; // what is older was said while nobody looked
const GAP_PX = 6;
const STEPS = { ArrowUp: -2, ArrowDown: 2, ArrowLeft: -1, ArrowRight: 1 };

class Talk {
  constructor(page) {
    this.page = page;
    this.sheet = page.querySelector("[data-talk]");
    this.button = document.querySelector("[data-talk-button]");
    this.speech = page.querySelector("[data-speech]");
    this.stage = page.querySelector("[data-stage]");
    Object.assign(this, JSON.parse(document.getElementById("talk").textContent));
    this.state = JSON.parse(document.getElementById("state").textContent);
    this.heard = -1; // id of the last phrase that was shown
    this.bubbles = new Map();
    page.addEventListener("talk", ({ detail }) => this.hear(detail));
    this.sheet.addEventListener("click", ({ target }) => this.click(target));
    this.sheet.addEventListener("change", ({ target }) => this.change(target));
    this.sheet.addEventListener("keydown", (event) => this.step(event));
    document.addEventListener("keydown", (event) => this.key(event));
    this.draw();
    this.hear(this.state.talk);
  }

  get choices() {
    return [...this.sheet.querySelectorAll("[data-phrase]")];
  }

  /** The menu in the language chosen, and whether others are heard. */
  draw() {
    this.button.toggleAttribute("data-muted", !this.shown);
    this.sheet.querySelector("[data-talk-phrases]")?.setAttribute("lang", this.language);
    for (const choice of this.choices) choice.textContent = this.phrases[choice.dataset.phrase][this.language];
  }

  // ---- saying

  click(target) {
    const choice = target.closest("[data-phrase]");
    if (!choice) return;
    this.sheet.hidePopover();
    document.querySelector(".sheet-more:popover-open")?.hidePopover(); // on a phone this menu is opened from it
    this.say(choice.dataset.phrase);
  }

  async say(phrase) {
    const answer = await this.post(this.page.dataset.say, { phrase });
    if (answer?.ok) return;
    const isRefused = [409, 429].includes(answer?.status);
    this.tell(isRefused ? (await answer.json()).error : "That was not said: no connection. Try again in a moment.");
  }

  async post(address, data) {
    const token = JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];
    const headers = { "Content-Type": "application/json", Accept: "application/json", "X-CSRFToken": token };
    try {
      return await fetch(address, { method: "POST", body: JSON.stringify(data), headers });
    } catch {
      return null;
    }
  }

  tell(words) {
    const toast = document.createElement("div");
    toast.className = "toast";
    toast.setAttribute("role", "status");
    const text = document.createElement("span");
    text.textContent = words;
    toast.append(text);
    document.querySelector(".toasts").append(toast);
    setTimeout(() => toast.remove(), SHOWN_MS);
  }

  // ---- how it is read

  change(target) {
    if (target.matches("[data-talk-shown]")) {
      this.shown = target.checked;
      this.post(this.page.dataset.hear, { phrases: this.shown }); // kept the next time
      if (!this.shown) for (const seat of this.bubbles.keys()) this.hush(seat);
    } else if (target.matches("[data-talk-language]")) {
      this.language = target.value;
      this.post(this.page.dataset.hear, { language: this.language });
    }
    this.draw();
  }

  /** What was said since, and whether the reader may say something; null where nobody sits there to talk to. */
  hear(talk) {
    const why = talk?.why_not ?? "";
    for (const choice of this.choices) choice.disabled = Boolean(why) || !talk;
    this.sheet.querySelector("[data-talk-why]")?.replaceChildren(why);
    for (const one of talk?.said ?? []) {
      if (one.id <= this.heard) continue;
      this.heard = one.id;
      if (one.age_s < FRESH_S && (this.shown || this.state.your_seats.includes(one.seat))) this.show(one);
    }
  }

  show({ seat, phrase }) {
    const words = this.phrases[phrase]?.[this.language];
    const plate = this.page.querySelector(`.player[data-plate="${seat}"]`);
    const speaker = this.speaker(seat, plate);
    if (!words || !speaker) return;
    this.hush(seat);
    const bubble = document.createElement("p");
    bubble.className = "said";
    bubble.style.setProperty("--c", `var(--seat-${seat})`);
    const name = document.createElement("span");
    name.className = "sr";
    name.textContent = `${plate?.querySelector(".plate-called")?.textContent.trim() ?? ""}: `;
    const text = document.createElement("span");
    text.lang = this.language;
    text.textContent = words;
    bubble.append(name, text);
    this.speech.append(bubble);
    this.place(bubble, speaker);
    this.bubbles.set(seat, { bubble, timer: setTimeout(() => this.hush(seat), SHOWN_MS) });
  }

  /** The plate of a seat; where the drawing has seats of its own instead, the one that is drawn. */
  speaker(seat, plate) {
    if (plate && plate.closest("[data-panel]").offsetHeight > 1) return plate;
    return [...this.stage.querySelectorAll(`[data-speaker="${seat}"]`)].find(
      (drawn) => drawn.getBoundingClientRect().width,
    );
  }

  /** Beside a plate of the column at the left, below one at the top, above one at the bottom; always on the stage. */
  place(bubble, plate) {
    const stage = this.stage.getBoundingClientRect();
    const at = plate.getBoundingClientRect();
    const isLow = at.top - stage.top > stage.height / 2;
    const isColumn = this.stage.dataset.kind === "map" && !matchMedia("(max-width: 44rem)").matches;
    bubble.dataset.where = isColumn ? "right" : isLow ? "above" : "below";
    const left = (isColumn ? at.right + GAP_PX : at.left) - stage.left;
    const beyond = isLow ? at.top - bubble.offsetHeight - GAP_PX : at.bottom + GAP_PX;
    const top = (isColumn ? at.top : beyond) - stage.top;
    const room = { x: stage.width - bubble.offsetWidth - GAP_PX, y: stage.height - bubble.offsetHeight - GAP_PX };
    bubble.style.left = `${Math.max(GAP_PX, Math.min(left, room.x))}px`;
    bubble.style.top = `${Math.max(GAP_PX, Math.min(top, room.y))}px`;
    for (const other of this.bubbles.values()) if (overlaps(bubble, other.bubble)) this.lower(bubble, other.bubble);
  }

  lower(bubble, other) {
    bubble.style.top = `${other.offsetTop + other.offsetHeight + GAP_PX}px`;
  }

  hush(seat) {
    const known = this.bubbles.get(seat);
    if (!known) return;
    clearTimeout(known.timer);
    known.bubble.remove();
    this.bubbles.delete(seat);
  }

  // ---- keys

  key({ key, target, ctrlKey, altKey, metaKey }) {
    const isTaken = ctrlKey || altKey || metaKey || target.closest("input, select, textarea, .menu");
    if (key.toLowerCase() !== "t" || isTaken || document.querySelector(":popover-open")) return;
    if (!this.state.preferences.letters) return;
    this.sheet.showPopover();
    (this.choices.find((choice) => !choice.disabled) ?? this.sheet.querySelector("input")).focus();
  }

  step(event) {
    const { choices } = this;
    const at = choices.indexOf(event.target);
    if (at < 0 || !STEPS[event.key]) return;
    event.preventDefault();
    choices[Math.min(choices.length - 1, Math.max(0, at + STEPS[event.key]))].focus();
  }
}

const overlaps = (one, other) =>
  one.offsetLeft < other.offsetLeft + other.offsetWidth &&
  other.offsetLeft < one.offsetLeft + one.offsetWidth &&
  one.offsetTop < other.offsetTop + other.offsetHeight &&
  other.offsetTop < one.offsetTop + one.offsetHeight;

const page = document.querySelector("[data-play]");
if (page?.querySelector("[data-talk]")) new Talk(page);
