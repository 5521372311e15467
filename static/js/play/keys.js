// The whole match by keyboard. Arrows move among the places on the board, or among the buttons of
// a choice once one is asked for; Enter chooses, and confirms what is whole; R turns; numbers
// choose; Escape takes back; + and - zoom. Keys of forms, menus and sheets stay theirs.
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const THEIRS = "input, select, textarea, [contenteditable], .menu, :popover-open, .moves, dialog";

export function listenToKeys(board) {
  const { box, marks, bar, view } = board;

  function arrow(direction) {
    const place = bar.focused;
    if (place >= 0) return bar.focus(place + (direction[0] || direction[1]));
    const target = marks.next(marks.focused, direction);
    if (!target) return undefined;
    marks.focus(target);
    return view.reveal(target);
  }

  /** After a choice by keyboard the focus goes to what is asked for next. */
  function follow() {
    if (!board.open) return;
    const { step } = board.choice;
    if (bar.options.length) bar.focusChosen();
    else if (step?.kind === "place") marks.openToTab();
  }

  function enter() {
    const { focused } = marks;
    const isChosen = focused?.classList.contains("is-chosen");
    if (focused && !isChosen) {
      board.press(focused);
      return follow();
    }
    if (bar.focused >= 0 && document.activeElement.getAttribute("aria-pressed") !== "true") {
      const place = bar.focused;
      document.activeElement.click();
      return bar.focus(place);
    }
    if (board.choice.action) return board.do("confirm");
    return bar.options.length ? bar.focusChosen() : undefined;
  }

  function back() {
    const wasInBar = bar.focused >= 0;
    board.do("back");
    if (!wasInBar || bar.options.length) return;
    const last = marks.shown.find((target) => target.dataset.value === before) ?? marks.shown[0];
    if (last) marks.focus(last);
  }

  let before = "";
  const deeds = {
    r: () => {
      const wasInBar = bar.focused >= 0;
      board.do("turn");
      if (wasInBar) follow();
    },
    Escape: () => {
      before = board.choice.taken[0]?.value;
      back();
    },
    Enter: enter,
    " ": enter,
    "+": () => view.zoom(1.4),
    "-": () => view.zoom(1 / 1.4),
    0: () => view.centre(),
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
    if (event.ctrlKey || event.altKey || event.metaKey || target.closest(THEIRS) || document.querySelector(":popover-open")) return;
    if (!board.open) return;
    const isNative = ["Enter", " "].includes(key) && target.closest("a, button, summary") && bar.focused < 0;
    if (isNative) return;
    const deed = ARROWS[key] ? () => arrow(ARROWS[key]) : deeds[key.length === 1 ? key.toLowerCase() : key];
    if (!deed && !/^[1-9]$/.test(key)) return;
    if (!deed && !number(key)) return;
    event.preventDefault();
    deed?.();
  });

  box.addEventListener("focusin", ({ target }) => target.closest("[data-step]") && view.reveal(target));
}
