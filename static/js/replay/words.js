// The words of a replay: what stands beside the board after n plies, all of it ready in the "frames" data block.
const WEIGHED_ROW =
  '<th scope="row"><span></span> </th>' +
  '<td class="num"><span></span> <span class="muted"></span></td>' +
  '<td class="num"></td>';

export class Words {
  constructor(page, frames) {
    this.page = page;
    this.frames = frames;
  }

  text(selector, value) {
    for (const element of this.page.querySelectorAll(selector)) {
      if (element.textContent !== value) element.textContent = value;
    }
  }

  draw(ply) {
    const frame = this.frames[ply];
    this.text("[data-now], [data-now-too]", String(ply));
    this.text("[data-said]", frame.said);
    this.text("[data-ply-more]", frame.more);
    frame.scores.forEach((score, seat) => this.text(`[data-score="${seat}"]`, score));
    this.text("[data-open-title]", frame.ended ? "Final score" : "More if it ended here");
    this.page.querySelector(".points")?.toggleAttribute("data-ended", frame.ended);
    frame.open.forEach((points, seat) => this.text(`[data-open="${seat}"]`, points));
    for (const [kind, cells] of Object.entries(frame.kinds)) {
      cells.forEach((points, seat) => this.text(`[data-kind="${CSS.escape(kind)}"][data-of="${seat}"]`, points));
    }
    for (const [kind, points] of Object.entries(frame.open_kinds)) {
      this.text(`[data-open-kind="${CSS.escape(kind)}"]`, points);
    }
    this.links(ply);
    this.move(ply);
    this.weighed(frame.weighed);
  }

  /** What leads elsewhere from this ply, or is asked for again with it (matches/_beliefs.html). */
  links(ply) {
    for (const link of document.querySelectorAll("[data-ply-link]")) link.href = `?ply=${ply}`;
    for (const link of document.querySelectorAll("[data-board-link]")) {
      link.href = link.href.replace(/ply=\d+/, `ply=${ply}`);
    }
    for (const input of document.querySelectorAll("[data-ply-input]")) {
      if (input.value === String(ply)) continue;
      input.value = String(ply);
      input.dispatchEvent(new Event("ply", { bubbles: true }));
    }
  }

  /** The row of the move, in the middle of the list where that scrolls. */
  move(ply) {
    for (const row of this.page.querySelectorAll("[data-move][aria-current]")) row.removeAttribute("aria-current");
    const row = this.page.querySelector(`[data-move="${ply}"]`);
    const box = this.page.querySelector(".moves");
    this.page.querySelector("[data-ply-seat]").dataset.seat = row?.querySelector(".seat").dataset.seat ?? "";
    row?.setAttribute("aria-current", "true");
    let seen = row; // of those that are not filtered out, the one nearest before it
    while (seen && !seen.getClientRects().length) seen = seen.previousElementSibling;
    if (!row) box.scrollTop = 0;
    else if (seen)
      box.scrollTop += seen.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 2;
  }

  weighed(weighed) {
    const card = this.page.querySelector("[data-weighed]");
    if (!card) return;
    this.text("[data-weighed-title]", weighed?.title ?? "What the engine weighed");
    this.text("[data-weighed-subtitle]", weighed?.subtitle ?? "Step to a move to see the alternatives.");
    const rows = (weighed?.rows ?? []).map(weighedRow);
    card.querySelector(".table").hidden = !rows.length;
    card.querySelector("tbody").replaceChildren(...rows);
  }
}

function weighedRow({ notation, words, value, half, visits, played }) {
  const row = document.createElement("tr");
  if (played) row.setAttribute("aria-current", "true");
  row.innerHTML = WEIGHED_ROW;
  const [head, number, seen] = row.children;
  head.firstChild.textContent = words;
  head.firstChild.title = notation;
  if (played) head.insertAdjacentHTML("beforeend", '<span class="chip info">played</span>');
  number.firstChild.textContent = value;
  number.lastChild.textContent = half;
  seen.textContent = visits;
  return row;
}
