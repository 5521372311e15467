// Cards of a kingdom by click: the text field holds their names, as it does without this script.
const SIZE = 10;
const names = (field) =>
  field.value
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
const same = (one, other) => one.toLowerCase() === other.toLowerCase();
const cards = (box) => [...box.querySelectorAll("[data-card]")];
const fieldOf = (box) => document.getElementById(box.dataset.kingdom);

function show(box) {
  const chosen = names(fieldOf(box));
  for (const card of cards(box)) {
    const isChosen = chosen.some((name) => same(name, card.dataset.card));
    card.setAttribute("aria-pressed", isChosen ? "true" : "false");
  }
  const banned = cards(box).filter((card) => card.dataset.banned).length;
  box.querySelector("[data-kingdom-count]").textContent =
    `${chosen.length} chosen${banned ? `, ${banned} banned` : ""}`;
}

function choose(box, chosen) {
  const field = fieldOf(box);
  field.value = chosen.join(", ");
  for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));
  show(box);
}

function ban(card, isBanned) {
  if (isBanned) card.dataset.banned = "yes";
  else delete card.dataset.banned;
  card.setAttribute("aria-description", isBanned ? "banned" : "");
}

function fill(box) {
  const chosen = names(fieldOf(box));
  const free = cards(box).filter(
    (card) => !card.dataset.banned && !chosen.some((name) => same(name, card.dataset.card)),
  );
  while (chosen.length < SIZE && free.length) {
    const [card] = free.splice(Math.floor(Math.random() * free.length), 1);
    chosen.push(card.dataset.card);
  }
  choose(box, chosen);
}

function press(box, card) {
  const chosen = names(fieldOf(box));
  const others = chosen.filter((name) => !same(name, card.dataset.card));
  if (box.dataset.mode === "ban") {
    ban(card, !card.dataset.banned);
    return choose(box, card.dataset.banned ? others : chosen);
  }
  ban(card, false);
  choose(box, others.length < chosen.length ? others : [...chosen, card.dataset.card]);
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest?.("[data-kingdom] button");
  const box = button?.closest("[data-kingdom]");
  if (!box) return;
  const { card, kingdomDo, kingdomMode } = button.dataset;
  if (card) press(box, button);
  if (kingdomDo === "random") fill(box);
  if (kingdomDo === "clear") {
    for (const one of cards(box)) ban(one, false);
    choose(box, []);
  }
  if (kingdomMode) {
    box.dataset.mode = kingdomMode;
    for (const one of box.querySelectorAll("[data-kingdom-mode]"))
      one.setAttribute("aria-pressed", one === button ? "true" : "false");
  }
});
document.addEventListener("input", ({ target }) => {
  const box = target.id && document.querySelector(`[data-kingdom="${target.id}"]`);
  if (box) show(box);
});

function showAll() {
  for (const box of document.querySelectorAll("[data-kingdom]")) show(box);
}
document.addEventListener("htmx:afterSettle", showAll);
showAll();
