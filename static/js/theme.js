// Light, dark or the system's theme. The choice is a cookie, so that the server writes
// data-theme and nothing flashes; figures follow through the "lab:theme" event.
const root = document.documentElement;
const YEAR_S = 31_536_000;

function choose(theme) {
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `theme=${theme}; path=/; max-age=${theme === "system" ? 0 : YEAR_S}; SameSite=Lax${secure}`;
  mark();
  document.dispatchEvent(new CustomEvent("lab:theme"));
}

function mark() {
  for (const button of document.querySelectorAll("[data-theme-choice]")) {
    button.setAttribute("aria-pressed", String(button.dataset.themeChoice === (root.dataset.theme ?? "system")));
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-theme-choice]");
  if (!button) return;
  choose(button.dataset.themeChoice);
  button.closest("details")?.removeAttribute("open");
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () =>
  document.dispatchEvent(new CustomEvent("lab:theme")),
);
mark();
