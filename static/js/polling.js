// Live parts. An element with data-poll="2" and hx-trigger="poll" asks again every 2 seconds
// while somebody looks and every 15 in a hidden tab; a fragment without data-poll ends it.
// Numbers marked data-fresh="key" flash once when they change; an opened <details> stays open.
// Other scripts and fragments may listen to "lab:tick" on <body> (hx-trigger="lab:tick
// from:body"), sent after each live swap whose data-version changed.
const HIDDEN_S = 15;
const WAIT_FACTOR = 4; // after a failed request
const SAY_MS = 10_000; // what data-say holds is read aloud at most this often
let saidAt = -SAY_MS;
const due = new Map(); // element id -> time of the next request
const before = new Map();

function beat() {
  const now = performance.now();
  for (const part of document.querySelectorAll("[data-poll]")) {
    const seconds = document.hidden ? HIDDEN_S : Number(part.dataset.poll);
    if (!due.has(part.id)) due.set(part.id, now + seconds * 1000);
    if (now < due.get(part.id)) continue;
    due.set(part.id, now + seconds * 1000);
    window.htmx?.trigger(part, "poll");
  }
}

function say(words) {
  const status = document.getElementById("status");
  if (!words || !status || status.textContent === words || performance.now() < saidAt + SAY_MS) return;
  saidAt = performance.now();
  status.textContent = words;
}

const numbers = (part) => part.querySelectorAll("[data-fresh]");
const folds = (part) => [...part.querySelectorAll("details:not(.menu)")];
const foldKey = (fold) => `fold ${fold.id || fold.querySelector("summary")?.textContent}`;

for (const swap of ["htmx:beforeSwap", "htmx:oobBeforeSwap"]) {
  document.body.addEventListener(swap, ({ detail }) => {
    for (const number of numbers(detail.target)) before.set(number.dataset.fresh, number.textContent);
    for (const fold of folds(detail.target)) before.set(foldKey(fold), fold.open);
    before.set(`version ${detail.target.id}`, detail.target.dataset.version);
  });
}

document.body.addEventListener("htmx:afterSettle", ({ detail }) => {
  for (const number of numbers(detail.elt)) {
    const old = before.get(number.dataset.fresh);
    if (old !== undefined && old !== number.textContent) number.classList.add("fresh");
  }
  for (const fold of folds(detail.elt)) if (before.get(foldKey(fold))) fold.open = true;
  say(detail.elt.dataset.say);
  const { id, dataset } = detail.elt;
  if (dataset.version !== undefined && before.get(`version ${id}`) !== dataset.version) {
    window.htmx.trigger(document.body, "lab:tick");
  }
});

for (const failure of ["htmx:sendError", "htmx:responseError"]) {
  document.body.addEventListener(failure, ({ detail }) => {
    const { poll } = detail.elt.dataset;
    if (poll) due.set(detail.elt.id, performance.now() + Number(poll) * WAIT_FACTOR * 1000);
  });
}

document.addEventListener("visibilitychange", () => document.hidden || due.clear());
setInterval(beat, 250);
