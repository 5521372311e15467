// Small things of forms and pages: copy a box, dismiss a toast, close menus, keep a form from
// being sent twice, show or hide what a select decides. Every page works without it.
const TOAST_MS = 8000;

async function copy(button) {
  const source = document.getElementById(button.dataset.copy);
  const text = source.value ?? source.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    source.focus();
    getSelection()?.selectAllChildren(source);
    button.textContent = "Selected: copy with your keyboard";
  }
  const status = document.getElementById("status");
  if (status) status.textContent = button.textContent;
}

function closeMenus(except) {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (menu !== except) menu.open = false;
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button?.matches("[data-copy]")) copy(button);
  if (button?.matches("[data-dismiss]")) button.closest(".toast").remove();
  closeMenus(event.target.closest("details.menu"));
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  document.querySelector("details.menu[open] > summary")?.focus();
  closeMenus(null);
});

// One press starts one thing: the server checks it too (each shown form has its own number).
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("[data-once]") || event.defaultPrevented) return;
  if (event.submitter?.name === "do") return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "yes";
  event.submitter?.setAttribute("aria-busy", "true");
});
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("[data-sent]")) {
    delete form.dataset.sent;
    form.querySelector('[aria-busy="true"]')?.removeAttribute("aria-busy");
  }
});

// A live page that becomes another one waits while somebody writes: it would take the text along.
document.addEventListener("htmx:beforeOnLoad", (event) => {
  const isRenewed = event.detail.xhr.getResponseHeader("HX-Refresh");
  if (isRenewed && document.querySelector("[data-unsaved]")) event.preventDefault();
});

// A page that shows something once: reloading it sends nothing again.
const shown = document.querySelector("[data-reload-as]");
if (shown) history.replaceState(null, "", shown.dataset.reloadAs);

function welcome() {
  for (const toast of document.querySelectorAll(".toast:not([data-timed])")) {
    toast.dataset.timed = "yes";
    setTimeout(() => toast.matches(":hover, :focus-within") || toast.remove(), TOAST_MS);
  }
  for (const late of document.querySelectorAll("[data-script-only][hidden]")) late.hidden = false;
  for (const spare of document.querySelectorAll("[data-no-script]")) spare.hidden = true;
}
document.addEventListener("htmx:afterSettle", welcome);
welcome();
