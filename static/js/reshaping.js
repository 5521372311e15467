// A form that comes in a new shape, as when another game is chosen: it waits until the button is up again, since a
// press would be lost on what is replaced, and what was typed since it was asked for stays. It also comes for what was
// chosen too early.
const isForm = (element) => element instanceof HTMLFormElement;

// ---- a press

let pressed = null;
let held = null;
document.addEventListener("pointerdown", (event) => (pressed = event.target.closest("form")));
document.addEventListener("htmx:beforeSwap", (event) => {
  if (!pressed || event.detail.target !== pressed) return;
  event.detail.shouldSwap = false;
  held = event.detail;
});
function release() {
  const form = held?.target;
  // sent, or changed once more: the answer to that is on its way
  if (form && !form.dataset.sent && !form.querySelector(".htmx-request")) {
    noteTyped(held);
    window.htmx.swap(form, held.serverResponse, { swapStyle: "outerHTML" }, { eventInfo: held });
  }
  pressed = held = null;
}
// the click comes after the button is up, and first
for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => setTimeout(release));

// ---- what was typed meanwhile

// Changes after which every field still means what it did: others remove, copy or replace parts of the form.
const KEEPS_NAMES = new Set(["update", "rules", "add", "add-axis", "seed"]);
const asked = new WeakMap(); // by request: what the form said then
const typed = new WeakMap(); // by request: what it said otherwise when the answer was there
const changed = new WeakMap(); // by request: fields of the new form that say it now

function valuesOf(form) {
  const found = new Map();
  for (const [name, value] of new FormData(form)) found.set(name, [...(found.get(name) ?? []), value]);
  return found;
}

function noteTyped({ xhr, target }) {
  const before = asked.get(xhr);
  if (!before) return;
  const now = valuesOf(target);
  const names = new Set([...before.keys(), ...now.keys()]);
  const fields = new Map();
  for (const name of names) {
    const values = now.get(name) ?? [];
    if (String(values) !== String(before.get(name) ?? [])) fields.set(name, values);
  }
  typed.set(xhr, { fields, caret: document.activeElement?.selectionEnd ?? null });
}

// Puts values into a field; false where it says so already, or does not offer it.
function put(control, values) {
  if (control.matches("[type=checkbox], [type=radio]")) {
    const isOn = values.includes(control.value);
    if (control.checked === isOn) return false;
    control.checked = isOn;
    return true;
  }
  const [value] = values;
  const isOffered = !control.options || [...control.options].some((option) => option.value === value);
  if (control.type === "hidden" || value === undefined || control.value === value || !isOffered) return false;
  control.value = value;
  return true;
}

document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  const deed = detail.requestConfig.formData?.get("do");
  if (isForm(detail.target) && KEEPS_NAMES.has(deed)) asked.set(detail.xhr, valuesOf(detail.target));
});
document.addEventListener("htmx:beforeSwap", ({ detail }) => noteTyped(detail));
document.addEventListener("htmx:afterSwap", ({ target, detail }) => {
  const { fields, caret } = typed.get(detail.xhr) ?? {};
  if (!fields?.size || !isForm(target)) return;
  const controls = [...target.elements].filter((it) => fields.has(it.name) && put(it, fields.get(it.name)));
  const active = controls.find((control) => control === document.activeElement);
  if (active && caret !== null) active.setSelectionRange(caret, caret);
  changed.set(detail.xhr, controls);
});
// The new form listens now: estimate and draft learn of it, and a choice gives it the shape that goes with it.
document.addEventListener("htmx:afterSettle", ({ detail }) => {
  for (const control of changed.get(detail.xhr) ?? []) {
    control.dispatchEvent(new Event("input", { bubbles: true }));
    if (!control.matches("input:not([type=checkbox], [type=radio]), textarea")) {
      control.dispatchEvent(new Event("change", { bubbles: true }));
    }
  }
  changed.delete(detail.xhr);
});

// ---- what was chosen before this script listened, or is filled in by a browser when the page is loaded again

const isOther = ({ options, selectedIndex }) => {
  const first = [...options].findIndex((option) => option.defaultSelected);
  return selectedIndex !== Math.max(first, 0);
};
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) return; // the page as it was left
  for (const shaping of document.querySelectorAll('[hx-post][hx-trigger="change"]')) {
    const selects = shaping.matches("select") ? [shaping] : [...shaping.querySelectorAll("select")];
    selects.find(isOther)?.dispatchEvent(new Event("change", { bubbles: true }));
  }
});
