// The strategy editor: the keyboard goes on where the change was, and Alt with an arrow moves a rule.
const editor = () => document.getElementById("editor");

function goOn() {
  const part = editor()?.dataset.focus;
  if (!part) return;
  delete editor().dataset.focus;
  editor().querySelector(`[data-part="${part}"]`)?.focus();
}
document.addEventListener("htmx:afterSettle", goOn);

document.addEventListener("keydown", (event) => {
  const part = { ArrowUp: "up", ArrowDown: "down" }[event.key];
  const rule = event.target.closest?.("[data-rule]");
  if (!part || !rule || !event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const button = rule.querySelector(`[data-move="${part}"]`);
  if (!button.disabled) button.click();
});
