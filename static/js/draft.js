// A form with data-draft comes back as it was left: going back to the page, or reloading it, shows
// it again. Each entry of the history has a draft of its own, kept until the tab closes; the
// server gives the form the shape that its draft needs. A fresh visit starts afresh.
const form = () => document.querySelector("form[data-draft]");
const key = () => history.state?.draft && `draft ${history.state.draft}`;

function keep() {
  if (!form() || form().inert) return; // inert: its draft is still on the way
  if (!key()) history.replaceState({ ...history.state, draft: String(Math.random()) }, "");
  const data = new FormData(form());
  for (const name of ["csrfmiddlewaretoken", "pasted"]) data.delete(name);
  sessionStorage.setItem(key(), new URLSearchParams(data).toString());
}

async function restore() {
  const kept = key() && sessionStorage.getItem(key());
  const shown = form();
  if (!kept || !shown) return;
  const values = { ...Object.fromEntries(new URLSearchParams(kept)), do: "update" };
  shown.inert = true; // nobody may start what the draft replaces
  try {
    await window.htmx.ajax("POST", shown.action, { target: shown, swap: "outerHTML", values });
  } finally {
    shown.inert = false;
  }
}

for (const name of ["input", "change", "htmx:afterSettle"]) document.addEventListener(name, keep);
document.addEventListener("DOMContentLoaded", restore);

// What the estimate finds wrong is said at the field, too, and taken away there when it is mended.
// A field that nobody touched stays quiet.
function followProblems(estimate) {
  const problems = new Map();
  for (const told of estimate.querySelectorAll("[data-error-of]")) problems.set(told.dataset.errorOf, told.textContent);
  for (const place of estimate.closest("form").querySelectorAll(".field")) {
    const controls = place.querySelectorAll("input:not([type=hidden]), select, textarea");
    if (!controls.length) continue;
    const id = place.matches("fieldset") ? controls[0].id.replace(/_\d+$/, "") : controls[0].id;
    let note = document.getElementById(`${id}_error`);
    const text = problems.get(id);
    if (text === undefined) note?.remove();
    if (text !== undefined && !note && place.dataset.touched) {
      note = Object.assign(document.createElement("span"), { className: "error", id: `${id}_error` });
      place.insertBefore(note, place.querySelector(":scope > .help"));
    }
    if (note && text !== undefined) note.textContent = text;
    for (const control of controls) {
      if (text === undefined) control.removeAttribute("aria-invalid");
      else if (note) control.setAttribute("aria-invalid", "true");
    }
    if (note && !place.matches("fieldset")) {
      const others = (controls[0].getAttribute("aria-describedby") ?? "")
        .split(" ")
        .filter((it) => it && it !== note.id);
      controls[0].setAttribute("aria-describedby", [...others, note.id].join(" "));
    }
  }
}

document.addEventListener("input", ({ target }) => target.closest(".field")?.setAttribute("data-touched", "yes"));
document.addEventListener("htmx:afterSettle", ({ detail }) => {
  if (detail.elt.id === "estimate" && detail.elt.closest("[data-draft]")) followProblems(detail.elt);
});
