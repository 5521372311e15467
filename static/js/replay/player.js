// Steps through the plies of a match, by buttons, slider and keys, and by itself. The page draws what it comes to; the
// address always names the ply.
const EDITABLE = "input:not([type=range]), select, textarea, [contenteditable]";

export class Player {
  // come: called with the address to be, whenever another ply is shown
  constructor(page, come) {
    this.page = page;
    this.come = come;
    this.last = Number(page.dataset.plies);
    this.now = Number(page.dataset.ply);
    this.timer = null;
    this.slider = page.querySelector("#ply");
    this.speed = page.querySelector("#speed");
    this.button = page.querySelector('[data-step="play"]');
    this.steps = {
      first: () => this.goByHand(0),
      back: () => this.goByHand(this.now - 1),
      play: () => (this.isPlaying ? this.pause() : this.play()),
      next: () => this.goByHand(this.now + 1),
      last: () => this.goByHand(this.last),
    };
    this.slider.addEventListener("input", () => this.goByHand(Number(this.slider.value)));
    this.speed.addEventListener("change", () => {
      if (!this.isPlaying) return;
      this.pause();
      this.play();
    });
  }

  get isPlaying() {
    return this.timer !== null;
  }

  get isOver() {
    return this.now === this.last;
  }

  go(ply) {
    const wanted = Math.min(this.last, Math.max(0, ply));
    if (wanted === this.now) return;
    this.now = wanted;
    this.slider.value = String(wanted);
    if (this.isOver) this.pause();
    const address = new URL(location.href);
    address.searchParams.set("ply", String(wanted));
    this.come(address);
    history.replaceState(history.state, "", address);
  }

  goByHand(ply) {
    this.pause();
    this.go(ply);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    delete this.page.dataset.playing;
    this.button.setAttribute("aria-label", "Play");
  }

  play() {
    if (this.isOver) this.go(0);
    this.page.dataset.playing = "true";
    this.button.setAttribute("aria-label", "Pause");
    this.timer = setInterval(() => this.go(this.now + 1), 1000 / Number(this.speed.value));
  }

  // Take keys: those of the steps and of the stage, and more of the page. hearsLetters: whether they count now.
  listenToKeys(stage, more = {}, hearsLetters = () => true) {
    const keys = {
      ArrowLeft: this.steps.back,
      ArrowRight: this.steps.next,
      Home: this.steps.first,
      End: this.steps.last,
      " ": this.steps.play,
      "+": () => stage.do("closer"),
      "-": () => stage.do("further"),
      0: () => stage.do("fit"),
      ...more,
    };
    document.addEventListener("keydown", (event) => {
      const { key, target } = event;
      if (key.length === 1 && key !== " " && !hearsLetters()) return;
      const deed = keys[key.length === 1 ? key.toLowerCase() : key];
      if (!deed || event.ctrlKey || event.altKey || event.metaKey || target.closest(EDITABLE)) return;
      if (key === " " && target.closest("button, a, summary")) return;
      event.preventDefault();
      deed();
    });
  }

  // Let people step, now that the page can draw.
  open() {
    this.slider.value = String(this.now);
    for (const control of [this.slider, this.speed, this.button]) control.disabled = false;
  }
}
