// The page of a match: board, curves and moves in one window. It steps without asking the server (drawing.js,
// words.js), shows what is pointed at in a list or on a curve, and puts in what an analysis says once it comes
// (decision.js). The address always names the ply.
import { light } from "../board_lights.js";
import { areLettersKeys, listenToSwitches } from "../letters.js";
import { Stage } from "../play/stage.js";
import { Curves } from "./curves.js";
import { Decision } from "./decision.js";
import { Drawing, trim } from "./drawing.js";
import { Mine } from "./mine.js";
import { Player } from "./player.js";
import { Tabs } from "./tabs.js";
import { Watching } from "./watching.js";
import { Words } from "./words.js";

const POINT_MS = 70; // a pointer on its way elsewhere shows nothing
const page = document.querySelector("[data-replay]");

function start() {
  trim(page.querySelector("[data-board] > svg"));
  const stage = new Stage(page.querySelector("[data-stage]"));
  const drawing = new Drawing(stage.svg);
  const words = new Words(page, JSON.parse(document.getElementById("frames").textContent));
  const tabs = new Tabs(page);
  const mine = new Mine(page, () => (decision.count(), draw()));
  const decision = new Decision(page, stage, (ply) => mine.has(ply));
  const watching = new Watching(page);
  const player = new Player(page, come);
  const curves = new Curves(page, pointAt, (ply) => player.goByHand(ply));
  let pointed = null;
  let coming = null;

  function draw() {
    const { now } = player;
    drawing.draw(now);
    if (drawing.ring) stage.attend([drawing.ring]);
    watching.draw(now);
    words.draw(now);
    curves.draw(now);
    decision.draw(now);
    for (const button of page.querySelectorAll("[data-mistake]"))
      button.disabled = decision.next(now, Number(button.dataset.mistake)) === null;
  }

  function come(address) {
    clearTimeout(coming);
    pointed = null;
    draw();
    if (player.isOver) watching.end();
    if (watching.is) address.searchParams.set("watched", "first"); // a reload shows no more
    else address.searchParams.delete("watched");
  }

  // ---- what is pointed at is shown as long as it is

  function pointAt(ply, row = null) {
    clearTimeout(coming);
    coming = setTimeout(() => {
      showPointed(ply);
      if (!player.isPlaying) light(stage.svg, row?.dataset.lights);
    }, POINT_MS);
  }

  function showPointed(ply) {
    const { now } = player;
    if (player.isPlaying || pointed === ply) return;
    if (ply === null || ply === now) {
      if (pointed === null) return;
      pointed = null;
      drawing.draw(now);
      curves.draw(now);
      decision.draw(now);
    } else {
      pointed = ply;
      decision.clear();
      drawing.draw(ply);
      curves.draw(ply);
    }
  }

  const rowOf = (target) => target?.closest?.(".theatre-panes :is([data-move], [data-go])") ?? null;
  const point = (row) => pointAt(row && Number(row.dataset.move ?? row.dataset.go), row);
  page.addEventListener("pointerover", ({ target, pointerType }) => {
    if (pointerType !== "touch" && rowOf(target)) point(rowOf(target));
  });
  page.addEventListener("pointerout", ({ target, relatedTarget }) => {
    if (rowOf(target) && !rowOf(relatedTarget)) point(null);
  });
  page.addEventListener(
    "focusin",
    ({ target }) => target.matches(":focus-visible") && rowOf(target) && point(rowOf(target)),
  );
  page.addEventListener("focusout", ({ target }) => rowOf(target) && point(null));

  // ---- buttons and keys

  const toMistake = (direction) => player.goByHand(decision.next(player.now, direction) ?? player.now);

  page.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const { target } = event;
    const step = target.closest("[data-step]")?.dataset.step;
    const row = target.closest("[data-move], [data-go]");
    const mistake = target.closest("[data-mistake]");
    const both = target.closest("[data-both]");
    const opened = target.closest("[data-open-tab]");
    if (opened) tabs.open(document.getElementById(opened.dataset.openTab));
    if (mistake) toMistake(Number(mistake.dataset.mistake));
    if (!step && !row) return;
    event.preventDefault();
    if (step) player.steps[step]();
    else player.goByHand(Number(row.dataset.move ?? row.dataset.go));
    if (both) decision.toggle();
  });
  const usual = !page.hasAttribute("data-no-letters");
  listenToSwitches(usual, (is) => page.toggleAttribute("data-no-letters", !is));
  const letters = { n: () => toMistake(1), p: () => toMistake(-1), b: () => decision.toggle() };
  player.listenToKeys(stage, letters, () => areLettersKeys(usual));

  // ---- an analysis

  function takeReview() {
    const costs = document.getElementById("review-costs");
    const ask = page.querySelector(".replay-ask");
    if (ask) ask.hidden = !page.querySelector("#review[data-asks]");
    if (costs) decision.take(JSON.parse(costs.textContent) || {});
    mine.take();
    curves.take();
    draw();
  }
  document.body.addEventListener(
    "htmx:afterSettle",
    ({ detail }) => detail.elt.id.startsWith("review") && takeReview(),
  );

  if (stage.isMap) stage.fit();
  player.open();
  takeReview();
  if ("plays" in page.dataset && !matchMedia("(prefers-reduced-motion: reduce)").matches) player.play();
}

async function copyLink(event) {
  const link = event.target.closest("[data-ply-link]");
  if (!link || !navigator.clipboard) return;
  event.preventDefault();
  await navigator.clipboard.writeText(link.href);
  const words = link.textContent;
  link.textContent = "Link copied";
  setTimeout(() => (link.textContent = words), 1600);
}

if (page) {
  start();
  document.addEventListener("click", copyLink);
}
