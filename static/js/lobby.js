// The level of a game in the lobby: segments, or a slider on a phone and where there are many; the line below says what
// the level does.
function follow(form) {
  const radios = [...form.querySelectorAll("[name=level]")];
  const slider = form.querySelector(".slide input");
  if (!slider) return;
  const show = () => {
    const chosen = radios.findIndex((radio) => radio.checked);
    if (chosen < 0) return;
    slider.value = String(chosen);
    const label = radios[chosen].parentElement.textContent.trim();
    slider.setAttribute("aria-valuetext", label);
    form.querySelector(".slide output").textContent = label;
    for (const line of form.querySelectorAll("[data-level]")) {
      line.hidden = line.dataset.level !== radios[chosen].value;
    }
  };
  slider.addEventListener("input", () => {
    radios[Number(slider.value)].checked = true;
    show();
  });
  for (const radio of radios) radio.addEventListener("change", show);
  form.querySelector(".slide").hidden = false;
  form.dataset.slides = form.dataset.levels;
  show();
}

for (const form of document.querySelectorAll("[data-levels]")) follow(form);
