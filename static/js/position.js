// The position page: an action or a line of play shown on the board. The drawing marks what
// belongs to a variation (data-variation, data-from, data-to) and what leaves in one (data-gone):
// see games/variations.py. A button with data-show and data-step names a variation and a ply.
// Pointing or focusing shows it for the moment, pressing keeps it. Results arrive by htmx, so
// nothing of the page is remembered but what is kept.
const page = document.querySelector("[data-position]");
const EDITABLE = "input, select, textarea, [contenteditable]";
const NOTHING = { variation: null, step: 0 };

if (page) {
  const bar = page.querySelector("[data-line-bar]");
  const said = page.querySelector("[data-said]");
  const idle = () =>
    page.querySelector("[data-show]") ? "The position. Choose an action to see it on the board." : "The position.";
  let kept = NOTHING;
  let line = null; // buttons of the line that the bar steps through

  const number = (button) => Number(button.dataset.show);
  const aim = (button) => ({ variation: number(button), step: Number(button.dataset.step), button });
  const buttons = () => [...page.querySelectorAll("[data-show]")];
  const linesOf = (list) => list.filter((button) => button.dataset.last);

  function isShown(mark, { variation, step }) {
    const { variation: own, from, to } = mark.dataset;
    if (variation === null || !own.split(" ").includes(String(variation))) return false;
    return step >= Number(from) && (to === undefined || step < Number(to));
  }

  function hasLeft(mark, { variation, step }) {
    const entry = mark.dataset.gone.split(" ").find((one) => Number(one.split(":")[0]) === variation);
    return entry !== undefined && step >= Number(entry.split(":")[1]);
  }

  function draw(what) {
    const svg = page.querySelector("[data-board] > svg");
    for (const mark of svg.querySelectorAll("[data-variation]"))
      mark.style.display = isShown(mark, what) ? "inline" : "none";
    for (const mark of svg.querySelectorAll("[data-gone]"))
      mark.style.display = hasLeft(mark, what) ? "none" : "inline";
    said.textContent = what.button ? words(what.button) : idle();
    for (const button of buttons()) {
      const isOn = kept.variation === number(button) && kept.step === Number(button.dataset.step);
      button.setAttribute("aria-pressed", String(isOn));
    }
    drawBar();
  }

  function words(button) {
    const shown = button.dataset.last ? lineOf(button).slice(0, Number(button.dataset.step)) : [button];
    return `On the board: ${shown.map((one) => one.textContent.trim()).join(", then ")}`;
  }

  function drawBar() {
    if (!line || !line[0].isConnected) line = firstLine();
    bar.hidden = !line;
    if (!line) return;
    const at = stepOfLine();
    const { name, last } = line[0].dataset;
    bar.querySelector("[data-line-name]").textContent = name;
    bar.querySelector("[data-line-now]").textContent = at
      ? `move ${at} of ${last}`
      : `line of ${last} ${last === "1" ? "move" : "moves"}`;
    for (const deed of ["first", "back"]) bar.querySelector(`[data-go="${deed}"]`).disabled = at === 0;
    for (const deed of ["next", "last"]) bar.querySelector(`[data-go="${deed}"]`).disabled = at === line.length;
  }

  function firstLine() {
    const [first] = linesOf(buttons());
    return first ? lineOf(first) : null;
  }

  const lineOf = (button) => linesOf(buttons()).filter((other) => number(other) === number(button));
  const stepOfLine = () => (kept.variation === number(line[0]) ? kept.step : 0);

  function keep(button) {
    kept = button ? aim(button) : NOTHING;
    if (button?.dataset.last) line = lineOf(button);
    draw(kept);
    say();
  }

  function say() {
    const status = document.getElementById("status");
    if (status) status.textContent = kept.button ? words(kept.button) : "The position";
  }

  function go(deed) {
    if (!line) return;
    const at = stepOfLine();
    const wanted = { first: 0, back: at - 1, next: at + 1, last: line.length }[deed];
    if (wanted < 0 || wanted > line.length) return;
    keep(wanted ? line[wanted - 1] : null);
  }

  const pointedAt = (target) => target.closest("[data-show]") ?? target.closest("tr")?.querySelector("[data-show]");

  // What the keyboard scrolls runs beneath a pointer that rests: that points at nothing.
  let rest = "";
  function hasMoved({ screenX, screenY }) {
    const before = rest;
    rest = `${screenX} ${screenY}`;
    return rest !== before;
  }

  page.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch" || !hasMoved(event)) return;
    const button = event.target.closest(".findings") && pointedAt(event.target);
    draw(button ? aim(button) : kept);
  });
  page.addEventListener("pointerleave", (event) => hasMoved(event) && draw(kept));
  page.addEventListener("focusin", ({ target }) => target.matches("[data-show]:focus-visible") && draw(aim(target)));
  page.addEventListener("focusout", ({ target }) => target.matches("[data-show]") && draw(kept));

  page.addEventListener("click", ({ target }) => {
    const deed = target.closest("[data-go]")?.dataset.go;
    const all = target.closest("[data-all]");
    if (deed) go(deed);
    else if (all) toggleAll(all);
    else if (!target.closest("a, summary, label, input, select, button:not([data-show])")) {
      const button = target.closest(".findings") && pointedAt(target);
      if (button) keep(button.getAttribute("aria-pressed") === "true" ? null : button);
    }
  });

  function toggleAll(button) {
    const isOpen = button.getAttribute("aria-expanded") === "true";
    for (const row of button.closest(".run").querySelectorAll(".further")) row.hidden = isOpen;
    button.dataset.words ??= button.textContent;
    button.textContent = isOpen ? button.dataset.words : "Show the best only";
    button.setAttribute("aria-expanded", String(!isOpen));
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest(EDITABLE)) return;
    const deed = { ArrowLeft: "back", ArrowRight: "next" }[event.key];
    if (event.key === "Escape" && kept.button) keep(null);
    if (!deed || !line) return;
    event.preventDefault();
    go(deed);
  });

  document.body.addEventListener("htmx:afterSettle", ({ detail }) => {
    if (detail.target?.id !== "results") return;
    kept = NOTHING;
    draw(kept);
  });

  draw(kept);
}
