// The board of a match in play, for all games: it knows steps, parts and marks, and no rule. What
// is chosen here counts when the server has played it; every answer of the server is shown whole.
import { Bar } from "./bar.js";
import { Choice } from "./choice.js";
import { Clock } from "./clock.js";
import { Endings } from "./endings.js";
import { Hints } from "./hints.js";
import { KeptChoice } from "./kept_choice.js";
import { listenToKeys } from "./keys.js";
import { Marks } from "./marks.js";
import { Motion } from "./motion.js";
import { Notices } from "./notices.js";
import { Pace } from "./pace.js";
import { Panels } from "./panels.js";
import { listenToPointers } from "./pointers.js";
import { Rules } from "./rules.js";
import { Sounds } from "./sounds.js";
import { Speed } from "./speed.js";
import { Side } from "./side.js";
import { Slip } from "./slip.js";
import { Stage } from "./stage.js";
import { Terms } from "./terms.js";
import { Territory } from "./territory.js";
import { Wire } from "./wire.js";

const LONG_MS = 3000; // others who took so long may have been forgotten
const FORCED_MS = 900; // before a single legal action plays itself: the same whatever it is

class Board {
  constructor(page) {
    this.page = page;
    this.box = page.querySelector("[data-board]");
    this.state = JSON.parse(document.getElementById("state").textContent);
    this.heading = page.dataset.heading;
    this.aidsOn = new Set(this.state.aids_on);
    this.isSending = false;
    this.view = new Stage(page.querySelector("[data-stage]"));
    this.side = new Side(page);
    this.rules = new Rules(page, this.side);
    this.terms = new Terms(page, this.rules);
    this.marks = new Marks(this.box);
    this.panels = new Panels(page, this.aidsOn);
    this.shownPly = this.state.ply;
    this.speed = new Speed(page, this.state.preferences.motion);
    this.motion = new Motion(page, () => this.speed.name);
    this.sounds = new Sounds(page);
    this.notices = new Notices(this.heading);
    this.endings = new Endings(page, this.motion, this.sounds, this.state.code, () => this.beReady());
    this.endings.onLit = (element) => this.view.showCounted(element);
    this.pace = new Pace(this, this.motion, this.endings);
    this.clock = new Clock(
      page,
      () => this.wire?.probe(),
      () => this.sounds.play("low"),
    );
    const bar = page.querySelector("[data-bar]");
    this.bar =
      bar &&
      new Bar(
        bar,
        (value, depth) => this.choose(value, depth),
        (name) => this.do(name),
      );
    this.wire = new Wire(page.dataset, this.state.version);
    this.kept = new KeptChoice(this.state.code);
    this.choice = this.freshChoice();
    this.connect();
    this.draw();
    this.hints = new Hints(this);
    this.pace.begin(this.state);
    this.playForced();
  }

  connect() {
    this.slip = new Slip((state) => this.pace.push(state));
    this.wire.addEventListener("state", ({ detail }) => this.slip.push(detail));
    this.wire.addEventListener("state", ({ detail }) => this.hear(detail));
    this.wire.addEventListener("gone", () => location.reload());
    this.wire.addEventListener("lost", () => this.panels.note("lost", this.lostWords));
    this.wire.addEventListener("found", () => this.panels.note("lost", ""));
    this.wire.addEventListener("slow", () => this.panels.note("slow", "The server does not answer. Waiting for it…"));
    this.wire.addEventListener("warming", ({ detail }) => this.clock.warm(detail));
    this.wire.addEventListener("quick", () => this.panels.note("slow", ""));
    this.panels.listen(
      this.wire,
      (id, isOn) => this.switchAid(id, isOn),
      (words) => this.say(words),
    );
    new Territory(this.box, () => this.aidsOn.has("territory"));
    listenToPointers(this);
    listenToKeys(this);
    this.offerFullScreen();
    this.wire.listen();
  }

  get lostWords() {
    const kept = this.isSending ? "Your move is sent again until it has arrived." : "The match is safe.";
    return `No connection. ${kept} Trying to reconnect…`;
  }

  /** By finger a card is shown at large before it is bought or played: nothing else shows what it does. */
  get isShownFirst() {
    return Boolean(this.choice.lastStep?.deed) && matchMedia("(pointer: coarse)").matches;
  }

  get needsConfirm() {
    return this.state.needs_confirm;
  }

  /** What can be chosen now; null where nothing can. */
  get open() {
    return this.choice && !this.isSending && !this.pace.isBusy ? this.choice : null;
  }

  /** What was chosen before the page was loaded again, else nothing; where one action alone is legal, that one. */
  freshChoice() {
    const { your_turn: isMine, actions, steps } = this.state;
    if (!isMine || !this.bar) {
      this.kept.drop();
      return null;
    }
    const choice = new Choice(actions, steps);
    if (!this.kept.restore(this.state, choice) && actions.length === 1) choice.settle();
    return choice;
  }

  // ---- choosing

  /** Whether one action alone is possible, which stands chosen: where nothing is confirmed a click on it plays it. */
  get isOnlyMove() {
    return !this.needsConfirm && Boolean(this.open?.isOnly && this.open.action);
  }

  /** Point at a target: choose it, or turn what has been put there, or take it back. */
  press(target) {
    if (this.isOnlyMove) return this.play(this.choice.action);
    const depth = this.marks.when(target).length;
    const isChosen = this.choice.taken[depth]?.value === target.dataset.value;
    if (!isChosen) return this.choose(target.dataset.value, depth);
    if (this.choice.isTurn(depth + 1)) return this.do("turn");
    return depth === this.choice.taken.length - 1 ? this.do("back") : undefined;
  }

  choose(value, depth) {
    if (!this.open) return;
    const isLast = this.choice.taken[depth]?.value === value && depth === this.choice.taken.length - 1;
    if (isLast && !this.choice.isDefault(depth)) this.choice.back();
    else if (!this.choice.choose(value, depth)) return;
    this.changed();
    if (!this.needsConfirm && !this.isShownFirst && this.choice.isSettled) this.play(this.choice.action);
  }

  do(name) {
    if (name === "back" && !this.choice?.taken.length) this.bar.undo();
    if (!this.open) return;
    if (name === "confirm" && this.choice.action) this.play(this.choice.action);
    if (name === "turn" && this.choice.turn()) this.changed();
    if (name === "turn back" && this.choice.turn(-1)) this.changed();
    if (name === "back" && this.choice.back()) this.changed();
  }

  changed() {
    const { held } = this;
    this.kept.keep(this.state, this.choice);
    this.draw();
    this.layHeld(held);
    this.say(this.choiceWords);
  }

  /** Pictures of the choice that are shown, other than faintly. */
  get held() {
    return this.marks.pictures.filter(({ style, classList }) => {
      return style.display === "inline" && !classList.contains("is-preview");
    });
  }

  /** The first picture that a choice has put on the board comes from the piece in hand. */
  layHeld(before) {
    if (before.length || !this.choice?.taken.length) return;
    const tile = this.page.querySelector(".turn > .tile")?.getBoundingClientRect();
    const [laid] = this.held.filter((picture) => picture.getBoundingClientRect().width);
    const isCarried = this.page.querySelector(":scope > .carried") !== null; // it lay there already, as one saw
    if (tile && laid && !isCarried) this.motion.lay(tile, laid, this.box.querySelector("svg"));
    if (tile && laid) this.sounds.play("tile");
  }

  get choiceWords() {
    const { taken, open: step, action } = this.choice;
    const parts = [taken.map(({ label }) => label).join(", ")];
    if (step) {
      const depth = this.choice.step ? taken.length : taken.length - 1;
      const options =
        step.kind === "choice" ? this.choice.options(depth).map(({ label }, place) => `${place + 1} ${label}`) : [];
      parts.push(options.length ? `${step.ask.replace(/\.$/, "")}: ${options.join(", ")}` : step.ask);
    }
    if (action) parts.push("Enter confirms");
    return sentences(parts);
  }

  draw() {
    const hadFocus = this.bar?.element.contains(document.activeElement);
    this.marks.draw(this.choice, this.aidsOn);
    this.marks.openToTab();
    this.bar?.draw(this.choice, this.isSending, this.needsConfirm, this.state.can["take-back"].is);
    const places = this.choice?.taken.length ? [] : this.marks.shown;
    this.view.attend(places);
    this.view.signs.take(places);
    if (hadFocus && !this.bar.hasFocus) this.box.focus({ preventScroll: true });
    this.panels.ask(this.choice, this.isSending);
    this.look();
    this.box.toggleAttribute("data-choosing", Boolean(this.open));
    this.tell();
  }

  /** Report what the board shows, for a script that follows it (the guide). */
  tell() {
    const { ply, your_turn: isMine } = this.state;
    const chosen = this.choice?.taken.filter((part) => part.isOwn).length ?? 0;
    this.page.dispatchEvent(new CustomEvent("board", { detail: { ply, chosen, isMine, isOver: isOver(this.state) } }));
  }

  /** Under a finger the view goes near what is asked on a chosen place, and back afterwards. */
  look() {
    const { marks } = this;
    const asked = marks.shown.filter((target) => marks.when(target).length);
    const place = marks.shown.find((target) => target.classList.contains("is-chosen"));
    // of the arrangement shown
    const area = place && [...place.children].find((part) => part.getBoundingClientRect().width);
    if (place && asked.some((target) => marks.isOn(target, place))) this.view.closer(area ?? place);
    else this.view.further();
  }

  // ---- playing

  async play(action) {
    const { ply } = this.state;
    this.pace.playedAt = performance.now();
    this.isSending = true;
    this.slip.begin(ply, this.state.slip_ms);
    this.draw();
    const answer = await this.wire.act(ply, action.id);
    this.isSending = false;
    if (answer.status === 400) location.reload();
    if (answer.state?.error) this.refuse(answer.state.error);
    this.draw();
  }

  /** What was chosen has not been played: it goes back, with a word. */
  refuse(words) {
    this.sounds.play("no");
    this.panels.toast(words);
    this.kept.drop();
    this.choice = this.freshChoice();
  }

  /** The only legal action plays itself where the person wants that. */
  playForced() {
    clearTimeout(this.forced);
    const { actions, your_turn: isMine, preferences, ply } = this.state;
    if (!isMine || !preferences.automatic || actions.length !== 1) return;
    this.forced = setTimeout(() => {
      if (this.state.ply !== ply || !this.open) return;
      this.say(`Only one move was possible: ${actions[0].parts.map(({ label }) => label).join(", ")}.`);
      this.play(actions[0]);
    }, FORCED_MS);
  }

  // ---- what the server says

  /** Show another state of the match; a choice half made stays while the position does. */
  adopt(state) {
    const before = this.state;
    if (state.status === "open") return location.reload();
    const hasMoved = state.ply !== before.ply || state.your_turn !== before.your_turn;
    const { shownPly } = this;
    this.state = state;
    this.panels.show(state);
    const step = state.ply === shownPly + 1 ? state.last : null;
    if (hasMoved || shownPly !== before.ply || state.status !== before.status) this.replaceBoard(state.board, step);
    this.shownPly = state.ply;
    this.clock.restart();
    if (hasMoved) this.choice = this.freshChoice();
    this.page.toggleAttribute("data-over", isOver(state));
    this.draw();
    this.side.settle(isOver(state));
    this.hints.adopt(state);
    this.entitle(state);
    this.endings.adopt(state);
    this.call(state, before);
    if (hasMoved || state.status !== before.status) this.announce(state, before);
    else if (isOffered(state, before)) document.getElementById("status")?.replaceChildren(state.words.why);
    this.playForced();
    return undefined;
  }

  /** Tell the server that the reader is ready for the next round; where that came too late, its news come anyway. */
  async beReady() {
    try {
      this.wire.took(await this.wire.post(this.page.dataset.ready, new URLSearchParams()));
    } catch {
      this.panels.toast("No connection: the next round begins when it is back.");
    }
  }

  /** The board after an earlier ply, on the way to what is true now: nothing can be chosen on it. */
  showFrame(frame) {
    this.choice = null;
    this.replaceBoard(frame.board, frame);
    this.shownPly = frame.ply;
    this.draw();
  }

  /** What is true now, after the table has waited for its reader. board: its drawing. */
  restore(board) {
    this.choice = this.freshChoice();
    this.replaceBoard(board, null);
    this.shownPly = this.state.ply;
    this.draw();
    this.playForced();
  }

  /** step: the ply that leads to this drawing, {seat, scored}; null: none that could be followed. */
  replaceBoard(svg, step) {
    const hadFocus = Boolean(this.marks.focused);
    const drawn = () => this.box.querySelector("svg");
    this.motion.finish();
    const before = this.motion.take(drawn());
    const isLaid = this.marks.hasPicture; // of what was chosen: it lay there from the first moment
    drawn().outerHTML = svg;
    this.view.take();
    this.marks.take();
    if (hadFocus) this.box.focus({ preventScroll: true });
    if (!step) return;
    const isOwn = this.state.your_seats.includes(step.seat);
    const landed = this.motion.play(before, drawn(), {
      mover: step.seat,
      isOwn,
      isLaid: isOwn && isLaid,
      scored: step.scored,
    });
    if (!isOwn) this.pace.shownAt = performance.now();
    for (const kind of landed) this.sounds.play(kind);
    for (const { points, seats } of step.scored) {
      if (points) this.sounds.play(seats.some((seat) => this.state.your_seats.includes(seat)) ? "score" : "less");
    }
    if (!landed.length && !isOwn) this.sounds.play("pass");
  }

  entitle(state) {
    document.title = `${state.your_turn ? "● Your turn · " : ""}${this.heading} · Meeple Lab`;
  }

  /** Sound and notice that it is the reader's turn now: where others took their time, or nobody looks. */
  call(state, before) {
    if (isOver(state) && !isOver(before)) this.sounds.play("end");
    if (!state.your_turn || before.your_turn) return;
    if (document.hidden || performance.now() - this.pace.playedAt > LONG_MS) this.sounds.play("turn");
    this.notices.tell(sentences([state.words.title, state.words.ask ?? ""]));
  }

  announce({ words, last, ply }, before) {
    const { lastWords } = this.panels;
    const moved = last && ply > before.ply ? lastWords : "";
    this.say(sentences([moved, words.title, words.ask ?? words.why]));
  }

  switchAid(id, isOn) {
    if (isOn) this.aidsOn.add(id);
    else this.aidsOn.delete(id);
    this.draw();
    this.side.draw();
    this.hints.mark();
    fetch(this.page.dataset.aids, this.wire.request({ [id]: isOn })).catch(() => {}); // kept the next time
  }

  /** Report what was said at the table, for the script of ready phrases. */
  hear({ talk }) {
    this.page.dispatchEvent(new CustomEvent("talk", { detail: talk }));
  }

  offerFullScreen() {
    if (!document.fullscreenEnabled) return;
    for (const button of document.querySelectorAll("[data-fullscreen]")) {
      button.hidden = false;
      button.addEventListener("click", () =>
        document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen(),
      );
    }
  }

  say(words) {
    const status = document.getElementById("status");
    if (status) status.textContent = words;
  }
}

/** Whether somebody else has offered to end the match since. */
const isOffered = ({ offers, your_seats: own }, before) =>
  own.length > 0 && offers.some((seat) => !own.includes(seat) && !before.offers.includes(seat));

/** Parts one after another, each with one full stop. */
const sentences = (parts) =>
  parts
    .filter(Boolean)
    .map((part) => `${part.replace(/\.$/, "")}.`)
    .join(" ");

const isOver = ({ status }) => !["open", "running"].includes(status);

const page = document.querySelector("[data-play]");
if (page) new Board(page);
