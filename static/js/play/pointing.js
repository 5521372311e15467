// What is pointed at beside the board is shown on it: the pieces of a move in a list (data-lights: ids on the
// board, or values of data-piece), and the kingdom of another seat at large (data-rival on the board, data-plate
// beside it, data-large for what is shown). By pointer, by keyboard, and by a tap, which holds until the next one.
import { light } from "../board_lights.js";

const page = document.querySelector("[data-play]");
const board = () => page.querySelector("[data-board] > svg");

function enlarge(seat) {
  for (const large of board()?.querySelectorAll("[data-large]") ?? [])
    large.style.display = large.dataset.large === seat ? "inline" : "";
}

let held = null; // what was tapped

function point(target) {
  const row = target?.closest?.("[data-lights]");
  light(board(), row?.dataset.lights);
  enlarge(target?.closest?.("[data-rival]")?.dataset.rival ?? target?.closest?.("[data-plate]")?.dataset.plate);
}

function walk(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const list = event.target.closest?.("[data-panel='moves']");
  if (!step || !list) return;
  const rows = [...list.querySelectorAll("[data-lights]")];
  const next = rows[rows.indexOf(event.target) + step] ?? null;
  if (!next) return;
  event.preventDefault();
  next.focus();
}

if (page) {
  page.addEventListener("pointerover", ({ target, pointerType }) => pointerType !== "touch" && point(target));
  page.addEventListener("pointerleave", () => point(held));
  page.addEventListener("focusin", ({ target }) => target.matches(":focus-visible") && point(target));
  page.addEventListener("focusout", () => point(held));
  page.addEventListener("click", ({ target }) => {
    const place = target.closest("[data-lights], [data-rival], [data-plate]");
    held = place === held ? null : place;
    point(held);
  });
  page.addEventListener("keydown", walk);
}
