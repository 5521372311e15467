// Draws every figure on a page and keeps it in step with the theme and with live data.
//
// A figure is <div class="chart" data-figure="ID"> and, anywhere on the page, its data block
// <script type="application/json" id="ID">{"data": [...], "layout": {...}}</script>.
// Replace the data block and the figure is redrawn in place, never in a hidden tab: at once
// after a "lab:figure" event, at most once a second after htmx swaps. Colours in a figure are
// token names: "@seat-0", or "@seat-0/.18" with an opacity; they are resolved here for the
// theme in force.
// Plotly and the template load once a figure with data comes near the window, or the page is printed; their
// addresses stand in <meta name="plotly"> and <meta name="plotly-template">. The build of Plotly is the published
// one for lines, bars and heat maps.
const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");
const coarse = matchMedia("(pointer: coarse)").matches;
const drawn = new WeakMap(); // box -> text of the data block last drawn, with the theme
const PAUSE_MS = 1000;
let template = null;
let pending = null;
let last = -PAUSE_MS; // when the figures were drawn last

const theme = () => root.dataset.theme ?? (system.matches ? "dark" : "light");
const address = (name) => document.querySelector(`meta[name="${name}"]`)?.content;
const near = new WeakSet(); // boxes that have been near the window
const NEAR = "300px";
const watcher = new IntersectionObserver(
  (entries) => {
    const come = entries.filter((entry) => entry.isIntersecting).map((entry) => entry.target);
    for (const box of come) {
      near.add(box);
      watcher.unobserve(box);
    }
    if (come.length) drawAll();
  },
  { rootMargin: NEAR },
);
const sourceOf = (box) => document.getElementById(box.dataset.figure)?.textContent.trim();

// Figures that have data and are near; the others are drawn once they come.
function boxes() {
  const shown = [...document.querySelectorAll(".chart[data-figure]")];
  const ready = shown.filter((box) => !box.closest("[hidden]") && sourceOf(box));
  for (const box of ready) if (!near.has(box)) watcher.observe(box);
  return ready.filter((box) => near.has(box));
}

function colour(name, palette) {
  const [token, alpha] = name.slice(1).split("/");
  const hex = palette[token] ?? palette.muted;
  if (!alpha) return hex;
  const part = (at) => Number.parseInt(hex.slice(at, at + 2), 16);
  return `rgba(${part(1)},${part(3)},${part(5)},${alpha})`;
}

function resolve(value, palette) {
  if (typeof value === "string") return value.startsWith("@") ? colour(value, palette) : value;
  if (Array.isArray(value)) return value.map((item) => resolve(item, palette));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item, palette)]));
}

// On a narrow screen: fewer ticks, and what the figure itself says of phones, its height included.
function narrow(box, layout) {
  layout.margin = { ...layout.margin, ...layout.meta?.phone_margin };
  for (const axis of ["xaxis", "yaxis"]) {
    layout[axis] = { ...layout[axis], nticks: layout[axis]?.nticks ?? 6, ...layout.meta?.[`phone_${axis}`] };
  }
  for (const [axis, own] of Object.entries(layout.meta?.phone ?? {})) layout[axis] = { ...layout[axis], ...own };
  if (layout.meta?.phone_rem) box.style.setProperty("--h", `${layout.meta.phone_rem}rem`);
}

function draw(box) {
  const source = sourceOf(box);
  const stamp = `${theme()} ${source}`;
  if (!source || drawn.get(box) === stamp) return;
  const { palette, layout, data } = template[theme()];
  const figure = resolve(JSON.parse(source), palette);
  figure.layout.template = { layout, data };
  if (box.clientWidth < 480) narrow(box, figure.layout);
  drawn.set(box, stamp);
  window.Plotly.react(box, figure.data, figure.layout, {
    displayModeBar: false,
    responsive: true,
    scrollZoom: false,
    doubleClick: coarse ? false : "reset",
  });
}

function load(source) {
  return new Promise((done, failed) => {
    const script = document.createElement("script");
    Object.assign(script, { src: source, onload: done, onerror: () => failed(new Error(`cannot load ${source}`)) });
    document.head.append(script);
  });
}

async function tools() {
  const [response] = await Promise.all([
    fetch(address("plotly-template")),
    window.Plotly ? null : load(address("plotly")),
  ]);
  template = await response.json();
}

function showTable(card) {
  const button = card.querySelector('[data-show="table"]');
  if (button) show(button);
}

async function drawAll() {
  pending = null;
  last = performance.now();
  const found = boxes();
  if (!found.length || document.hidden) return;
  try {
    if (!template) await (tools.promise ??= tools());
    found.forEach(draw);
  } catch (error) {
    tools.promise = undefined;
    console.warn(error);
    found.forEach((box) => box.closest(".card") && showTable(box.closest(".card")));
  }
}

function soon() {
  pending ??= setTimeout(drawAll, Math.max(0, last + PAUSE_MS - performance.now()));
}

// chart or table of one card; the choice survives a swap because it is the card's own
function show(button) {
  const card = button.closest(".card");
  for (const view of card.querySelectorAll("[data-view]")) view.hidden = view.dataset.view !== button.dataset.show;
  for (const other of card.querySelectorAll("[data-show]")) {
    other.setAttribute("aria-pressed", String(other === button));
  }
  drawAll();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-show]");
  if (button) show(button);
});
document.addEventListener("lab:theme", drawAll);
document.addEventListener("lab:figure", drawAll); // a script has replaced a data block
document.addEventListener("htmx:afterSettle", soon);
window.addEventListener("beforeprint", () => {
  for (const box of document.querySelectorAll(".chart[data-figure]")) near.add(box);
  drawAll();
});
document.addEventListener("visibilitychange", () => document.hidden || drawAll());
drawAll();
