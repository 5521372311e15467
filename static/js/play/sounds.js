// Short dry sounds of wood and paper, made here: no files. Silent until the first click on the page; one button
// switches them, and the choice is kept. Winner and loser hear the same.
const KEY = "sound";
const VOLUME = 0.5;
const OFTEN_MS = 60; // one sound of a name in so long

/** Knock: a burst of noise through a filter and a dull tone. hz: of filter and tone; ms: until it has died. */
const knock = (noiseHz, toneHz, ms, level = 1) => ({ kind: "knock", noiseHz, toneHz, ms, level });
/** Tone: hz one after another, each so long. */
const tones = (hz, ms, level = 0.35) => ({ kind: "tones", hz, ms, level });

const MADE = {
  turn: tones([523, 659], 110),
  tile: knock(1400, 170, 130),
  domino: knock(2400, 320, 90, 0.9),
  card: knock(5200, 0, 90, 0.5),
  meeple: knock(1900, 420, 90, 0.8),
  crown: knock(2600, 520, 100, 0.7),
  score: tones([784], 120, 0.22),
  less: tones([523], 120, 0.2),
  shuffle: knock(4200, 0, 260, 0.5),
  pass: knock(500, 110, 140, 0.7),
  low: tones([880, 880], 70, 0.25),
  round: tones([392, 523], 130),
  end: tones([392, 494, 587], 95),
  no: knock(300, 90, 150, 0.8),
};

export class Sounds {
  constructor(page) {
    this.page = page;
    this.button = document.querySelector("[data-sound]");
    this.isOn = localStorage.getItem(KEY) !== "off";
    this.context = null;
    this.played = new Map();
    document.addEventListener("pointerdown", () => this.wake(), { once: true, capture: true });
    document.addEventListener("keydown", () => this.wake(), { once: true, capture: true });
    this.button?.addEventListener("click", () => this.toggle());
    this.draw();
  }

  /** Browsers make sounds only once somebody has done something. */
  wake() {
    if (!window.AudioContext || this.context) return;
    this.context = new AudioContext();
    this.out = new GainNode(this.context, { gain: VOLUME });
    this.out.connect(this.context.destination);
  }

  toggle() {
    this.isOn = !this.isOn;
    localStorage.setItem(KEY, this.isOn ? "on" : "off");
    this.draw();
    this.play("tile");
  }

  draw() {
    this.button?.setAttribute("aria-pressed", String(this.isOn));
  }

  play(name) {
    const made = MADE[name];
    const now = performance.now();
    if (!made || !this.isOn || !this.context || now - (this.played.get(name) ?? -Infinity) < OFTEN_MS) return;
    this.played.set(name, now);
    this.page.dispatchEvent(new CustomEvent("sound", { detail: name }));
    if (made.kind === "knock") this.knock(made);
    else this.tones(made);
  }

  envelope(level, from, ms) {
    const gain = new GainNode(this.context, { gain: 0 });
    gain.gain.setValueAtTime(level, from);
    gain.gain.exponentialRampToValueAtTime(0.0008, from + ms / 1000);
    gain.connect(this.out);
    return gain;
  }

  knock({ noiseHz, toneHz, ms, level }) {
    const { context } = this;
    const from = context.currentTime;
    const buffer = context.createBuffer(1, Math.ceil((context.sampleRate * ms) / 1000), context.sampleRate);
    const data = buffer.getChannelData(0);
    for (let at = 0; at < data.length; at += 1) data[at] = Math.random() * 2 - 1;
    const noise = new AudioBufferSourceNode(context, { buffer });
    const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: noiseHz, Q: 0.9 });
    noise.connect(filter).connect(this.envelope(level, from, ms));
    noise.start(from);
    if (toneHz) this.tone(toneHz, from, ms, level * 0.6);
  }

  tones({ hz, ms, level }) {
    for (const [index, one] of hz.entries()) {
      this.tone(one, this.context.currentTime + (index * ms) / 1000, ms * 1.4, level);
    }
  }

  tone(hz, from, ms, level) {
    const tone = new OscillatorNode(this.context, { type: "triangle", frequency: hz });
    tone.connect(this.envelope(level, from, ms));
    tone.start(from);
    tone.stop(from + ms / 1000);
  }
}
