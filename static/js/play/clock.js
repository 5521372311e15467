// Seconds that pass while one looks: since when one waits, and what is left on clocks. They are
// counted on from what the server said; the server alone decides whose time is up.
const PATIENCE = 4; // an engine that takes so many times its usual time is said to be late
const GRACE_S = 6;
const PROBE_S = 3; // an engine that takes so much longer than usual: is the server there?
const LOW_S = [30, 10]; // of one's own time, at which it is said to be low
const BETWEEN_MS = 60_000; // a game is compiled in parts: nobody may be at it for so long

export function spell(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 90) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

const left = (seconds) => {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
};

export class Clock {
  /** onLate(): an engine should have answered by now; onLow(): the reader's own time gets short. */
  constructor(page, onLate, onLow) {
    this.page = page;
    this.onLate = onLate;
    this.onLow = onLow;
    this.left = Infinity; // seconds of the clock that runs, when it was drawn last
    this.restart();
    setInterval(() => this.draw(), 1000);
  }

  /** New words have come from the server. */
  restart() {
    this.from = performance.now();
    this.isWarming = null; // not known yet
    this.warmedAt = -Infinity;
    this.warmingMs = 0;
    this.draw();
  }

  /** The engine is late because its game is compiled for the first time: for so many seconds (null: it is not). */
  warm(seconds) {
    if (seconds !== null) this.warmedAt = performance.now();
    this.warmingMs = Number(seconds) * 1000;
    this.isWarming = performance.now() - this.warmedAt < BETWEEN_MS;
    this.draw();
  }

  /** Say that the own clock has come down to a mark; on a turn of others nothing is said. */
  warn() {
    const own = this.page.querySelector("[data-mine]") && this.page.querySelector("[data-clock][data-runs]");
    const passed = (performance.now() - this.from) / 1000;
    const seconds = own ? Number(own.dataset.clock) - passed : Infinity;
    if (isPast(this.left, seconds)) this.onLow();
    this.left = seconds;
  }

  draw() {
    const passed = (performance.now() - this.from) / 1000;
    let isLate = false;
    for (const words of this.page.querySelectorAll("[data-since]")) {
      const { since, until, usual } = words.dataset;
      if (usual !== undefined && Number(since) + passed > 2 * Number(usual) + PROBE_S) this.onLate();
      const warming = this.isWarming && { left: (this.warmedAt + this.warmingMs - performance.now()) / 1000 };
      const text = waiting(Number(since) + passed, until, usual, warming);
      isLate ||= usual !== undefined && text !== "";
      write(words, text);
    }
    for (const why of this.page.querySelectorAll("[data-why]")) why.hidden = isLate; // it says how long is usual
    for (const clock of this.page.querySelectorAll("[data-clock]")) {
      const seconds = Number(clock.dataset.clock) - (clock.hasAttribute("data-runs") ? passed : 0);
      write(clock, left(seconds));
      clock.toggleAttribute("data-low", seconds <= LOW_S[0]);
    }
    this.warn();
  }
}

/** Whether seconds of a clock have gone past one of the marks. */
const isPast = (before, now) => LOW_S.some((mark) => before > mark && now <= mark);

function waiting(seconds, until, usual, warming) {
  if (usual !== undefined) {
    if (warming) {
      const time = warming.left > 0 ? `about ${spell(warming.left)} left` : `${spell(seconds)} so far`;
      return `Getting ready the first time, ${time}: this machine compiles the level, once.`;
    }
    if (warming === null || seconds < PATIENCE * Number(usual) + GRACE_S) return "";
    return (
      `It takes longer than usual, ${spell(seconds)} so far: ` +
      "the match is safe and goes on as soon as a worker is free."
    );
  }
  return `Since ${spell(seconds)}${until ? `; ${until}` : ""}.`;
}

function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
