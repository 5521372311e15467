// A replay in a frame of another site: the board with its steps, by buttons, keys, slider and touch. The address
// names the ply, and so do the links to the page with all moves.
import { Stage } from "../play/stage.js";
import { Drawing, trim } from "./drawing.js";
import { Player } from "./player.js";

const page = document.querySelector("[data-replay]");

function start() {
  const frames = JSON.parse(document.getElementById("frames").textContent);
  trim(page.querySelector("[data-board] > svg"));
  const stage = new Stage(page.querySelector("[data-stage]"));
  const drawing = new Drawing(stage.svg);
  const player = new Player(page, draw);

  function draw() {
    const { now } = player;
    const { said, scores } = frames[now];
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

  page.addEventListener("click", (event) => {
    const step = event.target.closest("[data-step]")?.dataset.step;
    if (!step || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    player.steps[step]();
  });
  player.listenToKeys(stage);
  stage.fit();
  player.open();
  draw();
}

if (page) start();
