// Steps through a match without asking the server. The board's own marks say what is shown
// after n plies: data-ply="p" (p <= n), data-from="p" data-to="q" (p <= n < q), and the group
// whose id ends in "last" follows the latest placement. All words of a ply stand ready in the
// "frames" data block; the address always names the ply.
const page = document.querySelector("[data-replay]");
const EDITABLE = "input:not([type=range]), select, textarea, [contenteditable]";
const WEIGHED_ROW =
  '<th scope="row"><span></span> </th>' +
  '<td class="num"><span></span> <span class="muted"></span></td>' +
  '<td class="num"></td>';

if (page) {
  const frames = JSON.parse(document.getElementById("frames").textContent);
  const last = Number(page.dataset.plies);
  const slider = page.querySelector("#ply");
  const speed = page.querySelector("#speed");
  const marks = board();
  let now = Number(page.dataset.ply);
  let timer = null;

  function board() {
    const svg = page.querySelector("[data-board] > svg");
    const find = (selector) => [...svg.querySelectorAll(selector)];
    const laid = new Map();
    for (const tile of find("[data-ply][transform]")) laid.set(Number(tile.dataset.ply), tile);
    return { laid, steps: find("[data-ply]"), spans: find("[data-from]"), ring: svg.querySelector('[id$="last"]') };
  }

  const show = (element, is) => (element.style.display = is ? "inline" : "none");

  function drawBoard() {
    for (const step of marks.steps) show(step, Number(step.dataset.ply) <= now);
    for (const span of marks.spans) {
      const { from, to } = span.dataset;
      show(span, Number(from) <= now && (to === undefined || now < Number(to)));
    }
    const tile = marks.laid.get(now);
    if (marks.ring) show(marks.ring, now > 0 && Boolean(tile));
    if (!marks.ring || !tile) return;
    marks.ring.setAttribute("transform", tile.getAttribute("transform"));
    marks.ring.style.setProperty("--narrow", tile.style.getPropertyValue("--narrow")); // of a phone's arrangement
  }

  function text(selector, value) {
    for (const element of page.querySelectorAll(selector)) {
      if (element.textContent !== value) element.textContent = value;
    }
  }

  function drawWords() {
    const frame = frames[now];
    text("[data-now]", String(now));
    text("[data-said]", frame.said);
    frame.scores.forEach((score, seat) => text(`[data-score="${seat}"]`, score));
    text("[data-open-title]", frame.ended ? "Final score" : "More if it ended here");
    page.querySelector(".points")?.toggleAttribute("data-ended", frame.ended);
    frame.open.forEach((points, seat) => text(`[data-open="${seat}"]`, points));
    for (const [kind, cells] of Object.entries(frame.kinds)) {
      cells.forEach((points, seat) => text(`[data-kind="${CSS.escape(kind)}"][data-of="${seat}"]`, points));
    }
    for (const [kind, points] of Object.entries(frame.open_kinds)) {
      text(`[data-open-kind="${CSS.escape(kind)}"]`, points);
    }
    for (const link of document.querySelectorAll("[data-ply-link]")) link.href = `?ply=${now}`;
    for (const input of document.querySelectorAll("[data-ply-input]")) {
      if (input.value === String(now)) continue;
      input.value = String(now); // what else depends on the ply is asked for (matches/_beliefs.html)
      input.dispatchEvent(new Event("ply", { bubbles: true }));
    }
    for (const link of document.querySelectorAll("[data-board-link]")) {
      link.href = link.href.replace(/ply=\d+/, `ply=${now}`);
    }
  }

  function drawMoves() {
    for (const row of page.querySelectorAll("[data-move][aria-current]")) row.removeAttribute("aria-current");
    const row = page.querySelector(`[data-move="${now}"]`);
    const box = page.querySelector(".moves");
    row?.setAttribute("aria-current", "true");
    if (!row) box.scrollTop = 0;
    else box.scrollTop += row.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 2;
  }

  function weighedRow({ notation, words, value, half, visits, played }) {
    const row = document.createElement("tr");
    if (played) row.setAttribute("aria-current", "true");
    row.innerHTML = WEIGHED_ROW;
    const [head, number, seen] = row.children;
    head.firstChild.textContent = words;
    head.firstChild.title = notation;
    if (played) head.insertAdjacentHTML("beforeend", '<span class="chip info">played</span>');
    number.firstChild.textContent = value;
    number.lastChild.textContent = half;
    seen.textContent = visits;
    return row;
  }

  function drawWeighed() {
    const card = page.querySelector("[data-weighed]");
    if (!card) return;
    const { weighed } = frames[now];
    text("[data-weighed-title]", weighed?.title ?? "What the engine weighed");
    text("[data-weighed-subtitle]", weighed?.subtitle ?? "Step to a ply to see the alternatives.");
    const rows = (weighed?.rows ?? []).map(weighedRow);
    card.querySelector(".table").hidden = !rows.length;
    card.querySelector("tbody").replaceChildren(...rows);
  }

  function drawValue() {
    for (const box of page.querySelectorAll("[data-value-chart]")) drawValueOf(box);
  }

  function drawValueOf(box) {
    const block = document.getElementById(box.dataset.figure);
    if (!block) return;
    const figure = JSON.parse(block.textContent);
    Object.assign(figure.layout.shapes[0], { x0: now, x1: now });
    block.textContent = JSON.stringify(figure);
    if (box.layout) window.Plotly.relayout(box, { "shapes[0].x0": now, "shapes[0].x1": now });
    if (box.on && !box.dataset.clickable) {
      box.dataset.clickable = "true";
      box.on("plotly_click", ({ points }) => go(Math.round(points[0].x)));
    }
  }

  function draw() {
    slider.value = String(now);
    drawBoard();
    drawWords();
    drawMoves();
    drawWeighed();
    drawValue();
  }

  function go(ply) {
    const wanted = Math.min(last, Math.max(0, ply));
    if (wanted === now) return;
    now = wanted;
    draw();
    const address = new URL(location.href);
    address.searchParams.set("ply", String(now));
    history.replaceState(history.state, "", address);
    if (now === last) pause();
  }

  function pause() {
    clearInterval(timer);
    timer = null;
    delete page.dataset.playing;
    button("play").setAttribute("aria-label", "Play");
  }

  function play() {
    if (now === last) go(0);
    page.dataset.playing = "true";
    button("play").setAttribute("aria-label", "Pause");
    timer = setInterval(() => go(now + 1), 1000 / Number(speed.value));
  }

  const toggle = () => (timer === null ? play() : pause());
  const button = (name) => page.querySelector(`[data-step="${name}"]`);
  const steps = {
    first: () => go(0),
    back: () => go(now - 1),
    play: toggle,
    next: () => go(now + 1),
    last: () => go(last),
  };
  const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", " ": "play" };

  page.addEventListener("click", (event) => {
    const step = event.target.closest("[data-step]")?.dataset.step;
    const row = event.target.closest("[data-move], [data-go]");
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.target.closest("[hx-get]") || !(step || row)) return;
    event.preventDefault();
    if (step !== "play") pause();
    if (step) steps[step]();
    else go(Number(row.dataset.move ?? row.dataset.go));
  });
  document.addEventListener("keydown", (event) => {
    const step = keys[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey || event.target.closest(EDITABLE)) return;
    if (event.key === " " && event.target.closest("button, a, summary")) return;
    event.preventDefault();
    if (step !== "play") pause();
    steps[step]();
  });
  slider.addEventListener("input", () => {
    pause();
    go(Number(slider.value));
  });
  speed.addEventListener("change", () => {
    if (timer === null) return;
    pause();
    play();
  });
  page.addEventListener("pointerover", (event) => event.target.closest("[data-value-chart]") && drawValue());
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("[data-ply-link]");
    if (!link || !navigator.clipboard) return;
    event.preventDefault();
    await navigator.clipboard.writeText(link.href);
    const words = link.textContent;
    link.textContent = "Link copied";
    setTimeout(() => (link.textContent = words), 1600);
  });

  document.body.addEventListener("htmx:afterSettle", drawValue); // a figure that has just come
  for (const control of [slider, speed, button("play")]) control.disabled = false;
  draw();
  // a match that one came to watch begins by itself
  if ("plays" in page.dataset && !matchMedia("(prefers-reduced-motion: reduce)").matches) play();
}
