// Whether single letters, digits and signs are keys of a page that is looked at. A person's preference is the usual
// answer; the switch on the page is a choice of this browser, kept in a cookie as light and dark are.
const YEAR_S = 31_536_000;
const SWITCH = "[data-letters-switch]";

/** usual: by the preferences of whoever looks. */
export function areLettersKeys(usual) {
  const chosen = /(?:^|; )letters=(on|off)/.exec(document.cookie)?.[1];
  return chosen ? chosen === "on" : usual;
}

/** Let the switches of the page show and change it; onChange(is) is called at once, too. */
export function listenToSwitches(usual, onChange) {
  const show = () => {
    const is = areLettersKeys(usual);
    for (const one of document.querySelectorAll(SWITCH)) one.checked = is;
    onChange(is);
  };
  document.addEventListener("change", ({ target }) => {
    if (!target.matches(SWITCH)) return;
    const secure = location.protocol === "https:" ? "; Secure" : "";
    document.cookie = `letters=${target.checked ? "on" : "off"}; path=/; max-age=${YEAR_S}; SameSite=Lax${secure}`;
    show();
  });
  show();
}
