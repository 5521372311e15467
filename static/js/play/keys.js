// The whole match by keyboard. Arrows move among the places on the board, or among the buttons of
// a choice once one is asked for; Enter chooses, and confirms what is whole; R turns, Shift R turns back; numbers
// choose; Escape takes back what was chosen, U one's last move; H asks for a hint; + - 0 L are for the view, M A ?
// for panels. A person may switch
// off all keys of one sign. Keys of forms, menus and lists stay theirs.
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const PAN_PX = 60;
const THEIRS = "input, select, textarea, [contenteditable], .menu, :popover-open, .moves, dialog, [role=tab]";
const BUTTONS = "a, button, summary";

export function listenToKeys(board) {
  const { box, marks, view } = board;
  const { bar } = board; // none for who only watches: then nothing can be chosen

  function arrow(direction) {
    const place = bar.focused;
    if (place >= 0) return bar.focus(place + (direction[0] || direction[1]));
    const target = marks.next(marks.focused, direction);
    if (!target) return undefined;
    marks.focus(target);
    return view.reveal(target);
  }

  /** After a choice by keyboard the focus goes to what is asked for next; with nothing left to ask it stays. */
  function follow() {
    if (board.open?.open && bar.options.length) bar.focusChosen();
    else marks.openToTab();
  }

  function enter() {
    const { focused } = marks;
    if (focused && !focused.classList.contains("is-chosen")) {
      board.press(focused);
      return follow();
    }
    const option = bar.options[bar.focused];
    if (option && option.getAttribute("aria-pressed") !== "true") return option.click();
    if (board.choice.action) return board.do("confirm");
    return bar.options.length ? bar.focusChosen() : undefined;
  }

  function turn({ shiftKey }) {
    const wasInBar = bar.focused >= 0;
    board.do(shiftKey ? "turn back" : "turn");
    if (wasInBar) follow();
  }

  /** Take back; without a choice left, the focus is on the place that was chosen. */
  function back() {
    const [first] = board.choice.taken;
    if (!first) return;
    const wasInBar = bar.focused >= 0;
    board.do("back");
    if (!wasInBar || bar.options.length) return;
    const place = marks.shown.find((target) => target.dataset.value === first.value);
    if (place) marks.focus(place);
  }

  const deeds = { r: turn, Escape: back, h: () => board.hints.ask(), Enter: enter, " ": enter };
  const always = {
    "+": () => view.do("closer"),
    "-": () => view.do("further"),
    0: () => view.do("fit"),
    l: () => view.do("last"),
    m: () => board.side.toggle("moves"),
    a: () => board.side.toggle("aids"),
    "?": () => board.side.toggle("rules"),
    u: () => bar?.undo(),
  };

  function number(key) {
    const option = bar.options[Number(key) - 1];
    if (!option) return false;
    option.click();
    bar.focus(Number(key) - 1);
    return true;
  }

  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (
      event.ctrlKey ||
      event.altKey ||
      event.metaKey ||
      target.closest(THEIRS) ||
      document.querySelector(":popover-open")
    )
      return;
    const name = key.length === 1 ? key.toLowerCase() : key;
    if (key.length === 1 && key !== " " && !board.state.preferences.letters) return;
    if (always[name]) {
      event.preventDefault();
      always[name]();
      return;
    }
    if (!board.open) {
      if (target !== box || !ARROWS[key]) return;
      event.preventDefault();
      if (view.isMovable) view.move(...ARROWS[key].map((part) => -PAN_PX * part));
      return;
    }
    const isNative = ["Enter", " "].includes(key) && target.closest(BUTTONS) && bar.focused < 0;
    if (isNative) return;
    const deed = ARROWS[key] ? () => arrow(ARROWS[key]) : deeds[name];
    if (!deed && !/^[1-9]$/.test(key)) return;
    if (!deed && !number(key)) return;
    event.preventDefault();
    deed?.(event);
  });

  // A pointer sees what it points at: were the view to move now, its click would hit something else.
  box.addEventListener("focusin", ({ target }) => target.matches("[data-step]:focus-visible") && view.reveal(target));
}
