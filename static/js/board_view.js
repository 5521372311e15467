// Zoom and centre of a board: only its viewBox changes, the drawing is the game's.
const STEP = 1.4;
const MOST = 6;

function view(box) {
  const svg = box.querySelector(":scope > svg");
  if (!svg) return;
  const home = svg.viewBox.baseVal;
  const whole = { x: home.x, y: home.y, width: home.width, height: home.height };
  let at = { ...whole };
  let held = null;
  const fingers = new Map();

  function apply() {
    const spare = (axis, size) => Math.min(whole[axis] + whole[size] - at[size], Math.max(whole[axis], at[axis]));
    at.x = spare("x", "width");
    at.y = spare("y", "height");
    svg.setAttribute("viewBox", [at.x, at.y, at.width, at.height].map((n) => n.toFixed(2)).join(" "));
    const isZoomed = at.width < whole.width * 0.999;
    box.classList.toggle("is-zoomed", isZoomed);
    box.querySelector('[data-zoom="in"]').disabled = at.width <= whole.width / MOST;
    for (const name of ["out", "centre"]) box.querySelector(`[data-zoom="${name}"]`).disabled = !isZoomed;
  }

  function zoom(factor, cx = 0.5, cy = 0.5) {
    const width = Math.min(whole.width, Math.max(whole.width / MOST, at.width / factor));
    const height = (width * whole.height) / whole.width;
    at = { x: at.x + (at.width - width) * cx, y: at.y + (at.height - height) * cy, width, height };
    apply();
  }

  const unit = () => Math.max(at.width / svg.clientWidth, at.height / svg.clientHeight);
  const spread = () => {
    const [a, b] = [...fingers.values()];
    return Math.hypot(a.x - b.x, a.y - b.y);
  };

  box.addEventListener("click", (event) => {
    const deed = event.target.closest("[data-zoom]")?.dataset.zoom;
    if (deed === "in") zoom(STEP);
    else if (deed === "out") zoom(1 / STEP);
    else if (deed === "centre") {
      at = { ...whole };
      apply();
    }
  });
  svg.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    held = fingers.size === 2 ? spread() : null;
  });
  svg.addEventListener("pointermove", (event) => {
    const finger = fingers.get(event.pointerId);
    if (!finger) return;
    const dx = event.clientX - finger.x;
    const dy = event.clientY - finger.y;
    Object.assign(finger, { x: event.clientX, y: event.clientY });
    if (fingers.size === 2) {
      zoom(spread() / held);
      held = spread();
    } else if (box.classList.contains("is-zoomed")) {
      box.classList.add("is-dragged");
      at.x -= dx * unit();
      at.y -= dy * unit();
      apply();
    }
  });
  const release = (event) => {
    fingers.delete(event.pointerId);
    box.classList.remove("is-dragged");
  };
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) svg.addEventListener(end, release);
  svg.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const place = svg.getBoundingClientRect();
      const part = (value, start, size) => (value - start) / size;
      zoom(event.deltaY < 0 ? STEP : 1 / STEP, part(event.clientX, place.x, place.width), part(event.clientY, place.y, place.height));
    },
    { passive: false },
  );
  apply();
}

function viewAll() {
  for (const box of document.querySelectorAll("[data-board]:not([data-viewed])")) {
    box.dataset.viewed = "yes";
    view(box);
  }
}

document.addEventListener("htmx:afterSettle", viewAll); // a board that came later
viewAll();
