"""Counting boards: counts by start cell, the published numbers beside them, pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from webapp.common.formats import THIN, count, plural, seconds
from webapp.lab.results.charts.figure import Column
from webapp.lab.studies.presentations.kingdom_pictures import gallery, lone_board, order_words
from webapp.lab.studies.presentations.section import Fact, Gallery, Section, Table
from webapp.records.models import Study
from worker.studies.tilings import KINGDOMS

NO_BREAK = "\u202f"
"""Between thousands in running text, so that no number is torn apart."""
WHAT = {
    "tessellations": ("tessellation", "tessellations"),
    "packings": ("end position", "end positions"),
    "grown": ("end position that grows from the start cell", "end positions that grow from the start cell"),
    "terrain": ("end state distinguished by terrain", "end states distinguished by terrain"),
    "crowns": ("end state distinguished by terrain and crowns", "end states distinguished by terrain and crowns"),
    "first_touch": ("end state by the published search", "end states by the published search"),
}
COLUMNS = {
    "ends": "End positions",
    "complete": "Full boards",
    "determinant": "Kasteleyn's determinant",
    "outlines": "Seams distinguished",
    "complete_outlines": "of these full",
    "numbers": "Dominoes distinguished",
    "complete_numbers": "of these full",
}
ODD = (
    "Colour the squares like a chessboard, the corners dark. There is one dark square more than light ones, and a "
    "domino covers one of each: with the castle on a light square nothing fills the board."
)
ALONE = "the castle alone, no domino fits"
ALIKE = "Each line stands for all cells that turning and mirroring the board carry into it."
NOTES = {
    "tessellations": (
        "Counted square by square over the states of the frontier of the filled part, in whole numbers of any size; "
        "Kasteleyn's determinant, also in whole numbers, is another way to the same number.",
    ),
    "packings": ("End positions: no two neighbouring squares are empty, in whichever order the dominoes came.",),
    "grown": (
        "End positions: no two neighbouring squares are empty, and every domino was laid beside the castle or an "
        "earlier one, so that all are connected.",
    ),
    "terrain": (
        "One player lays any of the 48 dominoes by Kingdomino's rule until none fits; boards that show the same "
        "terrains count as one, wherever the seams between dominoes are.",
    ),
    "crowns": (
        "One player lays any of the 48 dominoes by Kingdomino's rule until none fits. End positions and full boards "
        "are counted by the terrains and crowns that they show; with seams distinguished, also by where the dominoes "
        "lie; with dominoes distinguished, also by which of the 48 lies where. Every end position is scored: once all "
        "parts are done the most points are proved.",
    ),
    "first_touch": (
        "The published program tries an empty square only beside the first matching neighbour that its walk from the "
        "castle meets, and distinguishes boards by terrain alone: it never sees some boards that the rule allows.",
    ),
}


def finding(study: Study, result: Mapping[str, Any]) -> str:
    """The count in one sentence."""
    total = result["total"]
    if total is None:
        return ""
    number = _main(result, total)
    one, many = WHAT[result["rule"]]
    start = _start_words(result)
    words = f"{_board(result)}{start} has {plural(number, one, many)}"
    if "complete" in total and result["rule"] != "tessellations":
        words += f", {count(int(total['complete']))} of them full"
    best = _best(result)
    words += f". The most points are {best['points']}." if best else "."
    return words.replace(THIN, NO_BREAK)


def facts(study: Study, result: Mapping[str, Any]) -> Sequence[Fact]:
    """Count, full boards, points, time."""
    total, found = result["total"], []
    if total is not None:
        small = _start_words(result).strip()
        found.append(Fact(WHAT[result["rule"]][1].capitalize(), count(_main(result, total)), small))
        if result["rule"] != "tessellations":
            found.append(Fact("Full boards", count(int(total["complete"]))))
    if best := _best(result):
        found.append(Fact("Most points", count(best["points"]), "bonuses left out"))
    if result["cells"]:
        found.append(Fact("CPU time", seconds(sum(cell["cpu_s"] for cell in result["cells"])), "to count"))
    return found


def sections(study: Study, result: Mapping[str, Any]) -> Sequence[Section]:
    """Counts, published numbers, best kingdom, gallery."""
    odd = any(cell["column"] and not cell["may_be_full"] for cell in result["cells"])
    found = [Section("Counts", [ODD] if odd else [], tables=[_counts(result)], notes=NOTES[result["rule"]])]
    if result["published"]:
        found.append(_published(result))
    if best := _best(result):
        found.append(Section("Best kingdom", galleries=[_best_picture(result, best)]))
    if result["boards"]:
        found.append(Section("Gallery", galleries=[_gallery(study, result)]))
    elif study.spec.get("parameters", {}).get("shown") and result["total"] and not _main(result, result["total"]):
        found.append(Section("Gallery", ["There is nothing to draw: no layout exists."]))
    return found


# ---- words
def _main(result: Mapping[str, Any], counts: Mapping[str, str]) -> int:
    return int(counts["complete" if result["rule"] == "tessellations" else "ends"])


def _board(result: Mapping[str, Any]) -> str:
    return f"A board of {result['width']} x {result['height']} squares"


def _place(cell: Mapping[str, Any]) -> str:
    if cell["column"]:
        return f"column\u00a0{cell['column']}, row\u00a0{cell['row']}"
    return "none" if cell["weight"] == 1 else "anywhere"


def _start_words(result: Mapping[str, Any]) -> str:
    """The castles that the total is of, in words."""
    cells = result["cells"]
    if _is_one_of_each(result):
        return " from one start cell of each class"
    if len(cells) == 1 and cells[0]["column"] and cells[0]["weight"] == 1 < result["width"] * result["height"]:
        return f" with the castle in {_place(cells[0])}"
    if len(cells) == 1 and not cells[0]["column"] and cells[0]["weight"] == 1:
        return ""
    return " with the castle anywhere"


def _is_one_of_each(result: Mapping[str, Any]) -> bool:
    """Whether the total takes each start cell once, though turning and mirroring carry it into others."""
    return result["rule"] == "first_touch" and len(result["cells"]) > 1


def _best(result: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The best kingdom over all start cells, once all are known."""
    known = [cell["best"] for cell in result["cells"] if cell["best"]]
    if result["total"] is None or not known:
        return None
    best: Mapping[str, Any] = max(known, key=lambda one: one["points"])
    return best


# ---- tables
def _counts(result: Mapping[str, Any]) -> Table:
    """A line for each start cell, and their sum."""
    cells = result["cells"]
    main = "complete" if result["rule"] == "tessellations" else "ends"
    names = list(next((cell["counts"] for cell in cells if cell["counts"]), [main]))
    has_best = any(cell["best"] for cell in cells)
    columns = [Column("Castle", False), Column("Equivalent cells"), *(Column(_label(result, name)) for name in names)]
    columns += [Column("Most points")] if has_best else []
    rows = []
    for cell in cells:
        if cell["counts"] is None:
            numbers = [f"{cell['done']} of {cell['parts']} parts"] + [""] * (len(names) - 1)
        else:
            numbers = [count(int(cell["counts"][name])) for name in names]
        points = [count(cell["best"]["points"]) if cell["best"] else ""] if has_best else []
        rows.append([_place(cell).capitalize(), count(cell["weight"]), *numbers, *points, seconds(cell["cpu_s"])])
    if result["total"] is not None and len(cells) > 1:
        best = _best(result)
        points = [count(best["points"]) if best else ""] if has_best else []
        squares = count(sum(cell["weight"] for cell in cells))
        time = seconds(sum(cell["cpu_s"] for cell in cells))
        name = f"These {len(cells)} cells" if _is_one_of_each(result) else "All cells"
        rows.append([name, squares, *(count(int(result["total"][n])) for n in names), *points, time])
    note = ALIKE if len(cells) > 1 and not _is_one_of_each(result) else ""
    return Table(_board(result).removeprefix("A ").capitalize(), [*columns, Column("CPU time")], rows, note)


def _label(result: Mapping[str, Any], name: str) -> str:
    return "Tessellations" if name == "complete" and result["rule"] not in KINGDOMS else COLUMNS[name]


def _published(result: Mapping[str, Any]) -> Section:
    """Printed numbers, what their reading gives here, and what is correct."""
    found = result["published"]
    rows = []
    for row in found:
        ours, mark = "needs all start cells", ""
        if row["as_read"] is not None:
            ours = count(int(row["as_read"]))
            mark = "the same" if row["as_read"] == row["printed"] else "differs"
        rows.append([row["what"], count(int(row["printed"])), ours, mark, count(int(row["correct"]))])
    readings = "; ".join(dict.fromkeys(row["reading"] for row in found))
    correct = "; ".join(dict.fromkeys(row["correct_is"] for row in found))
    columns = [Column("", False), *map(Column, ("Printed", "Ours, same reading", "", "Correct"))]
    table = Table("M. Wong, S. Kang, Simulating Kingdomino", columns, rows, f"Read as: {readings}. Correct: {correct}.")
    return Section("Published", tables=[table])


# ---- pictures
def _gallery(study: Study, result: Mapping[str, Any]) -> Gallery:
    boards = result["boards"]
    is_kingdom = result["rule"] in KINGDOMS
    captions = [_caption(board) for board in boards]
    what = "Kingdom" if is_kingdom else "Layout"
    lones = [
        lone_board(result["width"], result["height"], board, f"{what}, {caption}")
        for board, caption in zip(boards, captions, strict=True)
    ]
    if is_kingdom:
        note = "Drawn at random, full where the castle allows it; the castle up to symmetry."
    elif study.spec["parameters"]["picked"] == "first":
        note = "The first ones by number."
    else:
        note = "Drawn at random, each as likely as any other."
    return gallery(plural(len(boards), "picture", "pictures"), note, lones, captions, "g-", is_large=is_kingdom)


def _caption(board: Mapping[str, Any]) -> str:
    if board["number"]:
        return f"No. {count(int(board['number']))}"
    return f"dominoes {order_words(board)}" if board["dominoes"] else ALONE


def _best_picture(result: Mapping[str, Any], best: Mapping[str, Any]) -> Gallery:
    board = lone_board(result["width"], result["height"], best, f"Kingdom with {best['points']} points")
    order = f"can be laid in the order {order_words(best)}" if best["dominoes"] else ALONE
    caption = f"{best['points']} points; {order}"
    return gallery("Most points", "Bonuses left out.", [board], [caption], "b-", is_large=True)
