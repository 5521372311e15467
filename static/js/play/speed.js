// How fast moves are shown: chosen in the table's menu, kept with the person's preferences.
export class Speed {
  constructor(page, name) {
    this.page = page;
    this.name = name;
    page.toggleAttribute("data-still", name === "off");
    const form = document.querySelector("[data-speed]");
    if (!form) return;
    form.addEventListener("change", ({ target }) => this.choose(form, target.value));
    for (const one of form.querySelectorAll("input")) one.checked = one.value === name;
  }

  choose(form, name) {
    this.name = name;
    this.page.toggleAttribute("data-still", name === "off");
    const headers = { ...JSON.parse(document.body.getAttribute("hx-headers")), "Content-Type": "application/json" };
    const options = { method: "POST", body: JSON.stringify({ motion: name }), headers, keepalive: true };
    fetch(form.dataset.speed, options).catch(() => {}); // kept the next time
  }
}
