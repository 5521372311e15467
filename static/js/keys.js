// The key bar of a dashboard: a button for each arm, the same in every chart. Of up to five arms
// a button hides its arm; of more it gives colour to it, to five at most. What is chosen stands
// in the page's address, so a link shows the same. Traces carry their button's number as
// `meta.key`; a "lab:keys" event says that something was chosen.
const MAX_MARKS = 5;
const SYMBOLS = ["circle", "square", "triangle-up", "diamond", "cross"];
const bar = document.querySelector("[data-keys]");
const buttons = bar ? [...bar.querySelectorAll("[data-key]")] : [];
const givesColour = bar?.dataset.keys === "colour";
const name = givesColour ? "colour" : "hide";
const marks = new Map(); // key -> mark, of those in colour
const hidden = new Set();

export const hasKeys = buttons.length > 0;

function read() {
  const known = new Set(buttons.map((button) => Number(button.dataset.key)));
  const text = new URLSearchParams(location.search).get(name);
  const listed = (text ?? (givesColour ? "0" : "")).split(".").filter(Boolean).map(Number);
  const chosen = listed.filter((key) => known.has(key));
  if (givesColour) chosen.slice(0, MAX_MARKS).forEach((key, mark) => marks.set(key, mark));
  else chosen.forEach((key) => hidden.add(key));
}

function write() {
  const address = new URL(location.href);
  const chosen = givesColour ? [...marks.keys()] : [...hidden];
  const isUsual = givesColour ? chosen.join() === "0" : !chosen.length;
  if (isUsual) address.searchParams.delete(name);
  else address.searchParams.set(name, chosen.join("."));
  history.replaceState(history.state, "", address);
}

function show() {
  for (const button of buttons) {
    const key = Number(button.dataset.key);
    button.setAttribute("aria-pressed", String(givesColour ? marks.has(key) : !hidden.has(key)));
    if (givesColour) button.querySelector(".seat").dataset.seat = marks.get(key) ?? "";
  }
}

function colour(key) {
  if (marks.delete(key)) return;
  if (marks.size === MAX_MARKS) marks.delete(marks.keys().next().value); // the one chosen first
  const taken = new Set(marks.values());
  marks.set(
    key,
    SYMBOLS.findIndex((_, mark) => !taken.has(mark)),
  );
}

function inColour(trace, mark) {
  const text = JSON.stringify(trace)
    .replaceAll(/"@muted(\/\.5)?"/g, `"@seat-${mark}"`)
    .replaceAll('"@muted/', `"@seat-${mark}/`);
  const found = JSON.parse(text);
  if (found.marker?.symbol === "circle") found.marker.symbol = SYMBOLS[mark];
  return found;
}

// The traces of a figure as the key bar has them; those in colour lie on top.
export function asChosen(data) {
  if (!hasKeys) return data;
  if (!givesColour) {
    return data.map((trace) => (hidden.has(trace.meta?.key) ? { ...trace, visible: false } : trace));
  }
  const isMarked = (trace) => marks.has(trace.meta?.key);
  const above = data.filter(isMarked).map((trace) => inColour(trace, marks.get(trace.meta.key)));
  return [...data.filter((trace) => !isMarked(trace)), ...above];
}

bar?.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-key]");
  if (!button) return;
  const key = Number(button.dataset.key);
  if (givesColour) colour(key);
  else if (!hidden.delete(key)) hidden.add(key);
  show();
  write();
  document.dispatchEvent(new CustomEvent("lab:keys"));
});
read();
show();
