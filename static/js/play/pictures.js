// Copies of pieces of a drawing that can stand anywhere on the page.

export function rectOf(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x, y, width, height };
}

/**
 * A drawing of its own with a copy of a piece and of the symbols it is made of, lying at `rect` over the page.
 * inverse: from pixels to the units of the piece's parent, for a drawing that is not shown any more.
 */
export function pictureOf(piece, svg, rect, inverse = piece.parentNode.getScreenCTM?.()?.inverse()) {
  if (!inverse || !rect.width || !rect.height) return null;
  const from = new DOMPoint(rect.x, rect.y).matrixTransform(inverse);
  const to = new DOMPoint(rect.x + rect.width, rect.y + rect.height).matrixTransform(inverse);
  const picture = document.createElementNS(piece.namespaceURI, "svg");
  picture.setAttribute("viewBox", [from.x, from.y, to.x - from.x, to.y - from.y].join(" "));
  picture.setAttribute("class", `walking ${svg.getAttribute("class") ?? ""}`);
  picture.setAttribute("aria-hidden", "true");
  const symbols = document.createElementNS(piece.namespaceURI, "defs");
  const copy = piece.cloneNode(true);
  copy.style.opacity = "";
  picture.append(symbols, copy);
  addSymbols(picture, symbols, svg);
  Object.assign(picture.style, {
    left: `${rect.x}px`,
    top: `${rect.y}px`,
    width: `${rect.width}px`,
    height: `${rect.height}px`,
  });
  return picture;
}

/** Whatever the copy refers to. Ids stay: the first of two equal ones in the page is the drawing's own. */
function addSymbols(picture, symbols, svg) {
  const seen = new Set();
  for (const uses = [...picture.querySelectorAll("use")]; uses.length;) {
    const id = uses.pop().getAttribute("href");
    const symbol = !seen.has(id) && svg.querySelector(id);
    seen.add(id);
    if (!symbol) continue;
    const copy = symbol.cloneNode(true);
    symbols.append(copy);
    uses.push(...copy.querySelectorAll("use"), ...(copy.matches("use") ? [copy] : []));
  }
}
