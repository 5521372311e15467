// A form with data-draft comes back as it was left: whoever goes back to it, or reloads, finds
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
