// Pieces on a board that are lit while something beside it speaks of them.
const PREFIX = "board-";

/** Light the pieces with these ids, or values of data-piece, parted by blanks; none: nothing is lit. */
export function light(svg, names) {
  for (const old of svg?.querySelectorAll(".is-lit") ?? []) old.classList.remove("is-lit");
  for (const name of names?.split(" ").filter(Boolean) ?? []) {
    const found = svg?.querySelectorAll(`[id="${PREFIX}${CSS.escape(name)}"], [data-piece="${CSS.escape(name)}"]`);
    for (const piece of found ?? []) piece.classList.add("is-lit");
  }
}
