// Fills the chart cards of a dashboard. A card asks for its figure (JSON) when it comes into
// sight, and again every few seconds while the experiment runs; nothing new is a 304. The
// drawing itself is figures.js: this script only puts the figure into its data block.
// Which arms are hidden or in colour is the key bar's matter (keys.js). Before the page is printed,
// cards that were never in sight get their figures.
import { asChosen, hasKeys } from "./keys.js";

const LIVE_MS = 3000;
const RETRY_MS = 12_000;
const TALL_REM = 30; // a taller figure takes the width of two
const cards = new Map(); // card -> {etag, timer, inSight, live, wanted, figure}
const part = (card, name) => card.querySelector(`[data-part="${name}"]`);

function make(tag, text, attributes = {}) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function legend(entries) {
  return entries.map(({ mark, label }) => {
    const item = make("li");
    item.append(make("span", label, { class: "seat", "data-seat": mark ?? "" }));
    return item;
  });
}

function table({ columns, rows }) {
  const result = make("table", undefined, { class: "tight" });
  const kind = (index) => (columns[index].is_number ? { class: "num" } : {});
  const head = result.createTHead().insertRow();
  head.append(...columns.map(({ label }, index) => make("th", label, { scope: "col", ...kind(index) })));
  const body = result.createTBody();
  for (const row of rows) {
    body
      .insertRow()
      .append(
        ...row.map((cell, index) => (index ? make("td", cell, kind(index)) : make("th", cell, { scope: "row" }))),
      );
  }
  return result;
}

function put(card, figure) {
  part(card, "title").textContent = figure.title;
  part(card, "subtitle").textContent = figure.subtitle;
  part(card, "note").textContent = figure.note;
  part(card, "legend").replaceChildren(...legend(hasKeys && figure.is_keyed ? [] : figure.legend));
  const box = part(card, "figure");
  box.style.setProperty("--h", `${figure.height_rem}rem`);
  card.classList.toggle("tall", figure.height_rem > TALL_REM);
  box.setAttribute("aria-label", figure.empty || figure.name || figure.title);
  part(card, "bone")?.remove();
  for (const old of card.querySelectorAll(".chart-empty")) old.remove();
  if (figure.empty) {
    box.append(make("p", figure.empty, { class: "chart-empty muted small" }));
    part(card, "table").replaceChildren(make("p", figure.empty, { class: "muted small" }));
    return;
  }
  part(card, "table").replaceChildren(table(figure));
  fill(card, figure);
  document.dispatchEvent(new CustomEvent("lab:figure"));
}

function fill(card, { data, layout }) {
  const block = document.getElementById(part(card, "figure").dataset.figure);
  block.textContent = JSON.stringify({ data: asChosen(data), layout });
}

function address(card) {
  const choice = card.querySelector("[data-arm-choice]");
  return card.dataset.chartSource + (choice ? `?arm=${choice.value}` : "");
}

async function ask(card) {
  const state = cards.get(card);
  clearTimeout(state.timer);
  const wanted = address(card);
  const isNew = wanted !== state.wanted;
  state.wanted = wanted;
  let wait = LIVE_MS;
  try {
    const headers = state.etag && !isNew ? { "If-None-Match": state.etag } : {};
    const response = await fetch(wanted, { headers, cache: "no-store" });
    if (wanted !== state.wanted) return;
    if (response.ok) {
      const figure = await response.json();
      if (wanted !== state.wanted) return;
      state.etag = response.headers.get("ETag");
      state.live = figure.live;
      state.figure = figure;
      put(card, figure);
    } else if (response.status !== 304) throw new Error(`${response.status} ${wanted}`);
    card.removeAttribute("aria-busy");
  } catch (error) {
    console.warn(error);
    state.wanted = undefined;
    wait = RETRY_MS;
    if (!state.etag) part(card, "note").textContent = "This chart could not be loaded. It is asked for again.";
  }
  if (state.live) state.timer = setTimeout(() => again(card), wait);
}

function again(card) {
  const state = cards.get(card);
  if (!card.isConnected) cards.delete(card);
  else if (state.inSight && !document.hidden) ask(card);
}

const sight = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      const state = cards.get(target);
      state.inSight = isIntersecting;
      if (isIntersecting && state.live) ask(target);
    }
  },
  { rootMargin: "300px" },
);

function find() {
  for (const card of document.querySelectorAll("[data-chart-source]")) {
    if (cards.has(card)) continue;
    cards.set(card, { live: true, inSight: false });
    sight.observe(card);
  }
}

document.addEventListener("change", ({ target }) => {
  const card = target.matches("[data-arm-choice]") && target.closest("[data-chart-source]");
  if (card) ask(card);
});
document.addEventListener("lab:keys", () => {
  for (const [card, { figure }] of cards) if (figure && !figure.empty) fill(card, figure);
  document.dispatchEvent(new CustomEvent("lab:figure"));
});
// Printing does not wait for answers, so those still missing are fetched at once.
window.addEventListener("beforeprint", () => {
  for (const [card, state] of cards) {
    if (state.figure || card.closest("details:not([open])")) continue;
    const request = new XMLHttpRequest();
    request.open("GET", address(card), false);
    request.send();
    if (request.status !== 200) continue;
    state.figure = JSON.parse(request.responseText);
    state.live = state.figure.live;
    put(card, state.figure);
  }
});
document.addEventListener("visibilitychange", () => {
  for (const [card, state] of cards) if (state.live) again(card);
});
document.addEventListener("htmx:afterSettle", find);
find();
