// A replay in a frame of another site: the board with its steps, by buttons, keys, slider and touch. The address
// names the ply, and so do the links to the page with all moves.
import { Stage } from "../play/stage.js";
import { Drawing, trim } from "./drawing.js";

const EDITABLE = "input:not([type=range]), select, textarea";
const page = document.querySelector("[data-replay]");

function start() {
  const last = Number(page.dataset.plies);
  const frames = JSON.parse(document.getElementById("frames").textContent);
  const slider = page.querySelector("#ply");
  const speed = page.querySelector("#speed");
  const button = page.querySelector('[data-step="play"]');
  trim(page.querySelector("[data-board] > svg"));
  const stage = new Stage(page.querySelector("[data-stage]"));
  const drawing = new Drawing(stage.svg);
  let now = Number(page.dataset.ply);
  let timer = null;

  function draw() {
    const { said, scores } = frames[now];
    slider.value = String(now);
    drawing.draw(now);
    page.querySelector("[data-said]").textContent = said;
    for (const number of page.querySelectorAll("[data-now]")) number.textContent = String(now);
    scores.forEach((score, seat) => {
      const cell = page.querySelector(`[data-score="${seat}"]`);
      if (cell) cell.textContent = score;
    });
    for (const link of document.querySelectorAll("[data-source]")) {
      const source = new URL(link.href);
      source.searchParams.set("ply", String(now));
      link.href = source;
    }
  }

  function go(ply) {
    now = Math.min(last, Math.max(0, ply));
    draw();
    if (now === last) pause();
    const address = new URL(location.href);
    address.searchParams.set("ply", String(now));
    history.replaceState(history.state, "", address);
  }

  function goByHand(ply) {
    pause();
    go(ply);
  }

  function pause() {
    clearInterval(timer);
    timer = null;
    delete page.dataset.playing;
    button.setAttribute("aria-label", "Play");
  }

  function play() {
    if (now === last) go(0);
    page.dataset.playing = "true";
    button.setAttribute("aria-label", "Pause");
    timer = setInterval(() => go(now + 1), 1000 / Number(speed.value));
  }

  const steps = {
    first: () => goByHand(0),
    back: () => goByHand(now - 1),
    play: () => (timer === null ? play() : pause()),
    next: () => goByHand(now + 1),
    last: () => goByHand(last),
  };
  const keys = {
    ArrowLeft: steps.back,
    ArrowRight: steps.next,
    Home: steps.first,
    End: steps.last,
    " ": steps.play,
    "+": () => stage.do("closer"),
    "-": () => stage.do("further"),
    0: () => stage.do("fit"),
  };
  page.addEventListener("click", (event) => {
    const step = event.target.closest("[data-step]")?.dataset.step;
    if (!step || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    steps[step]();
  });
  document.addEventListener("keydown", (event) => {
    const deed = keys[event.key];
    if (!deed || event.ctrlKey || event.altKey || event.metaKey || event.target.closest(EDITABLE)) return;
    if (event.key === " " && event.target.closest("button, a")) return;
    event.preventDefault();
    deed();
  });
  slider.addEventListener("input", () => goByHand(Number(slider.value)));
  speed.addEventListener("change", () => {
    if (timer === null) return;
    pause();
    play();
  });
  stage.fit();
  for (const control of [slider, speed, button]) control.disabled = false;
  draw();
}

if (page) start();
