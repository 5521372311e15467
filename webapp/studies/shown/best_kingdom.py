"""Best kingdom: the board, how it compares with the bound, what each castle cell and search brought."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from webapp.common.formats import count, plural, seconds
from webapp.records.models import Study
from webapp.results.charts.figure import Column
from webapp.studies.shown.kingdom_pictures import gallery, lone, order_words
from webapp.studies.shown.section import Fact, Gallery, Section, Table

BOUND = (
    "The bound leaves geometry out: whichever dominoes are taken, all squares of a terrain count as one area. An "
    "integer program chooses them best, solved to proved optimality (HiGHS), so no kingdom of so many dominoes has "
    "more points, wherever its castle stands."
)
SEARCH = (
    "A search begins with random full boards and cools them by simulated annealing; what it finds is legal, but more "
    "may exist up to the bound."
)
SCORED = "Every end state was scored, so the most points are proved."
UNFITTING = "Castles on the other colour are left out: they allow no full kingdom."


def finding(study: Study, result: Mapping[str, Any]) -> str:
    """How many points, and how sure that is."""
    best, bound = _top(result), result["bound"]
    if best is None:
        return ""
    size = result["size"]
    if result["is_proved"]:
        return f"No kingdom of {size} x {size} squares has more than {best['points']} points, and one has them."
    words = f"The best kingdom of {size} x {size} squares found has {best['points']} points"
    return f"{words}; none has more than {bound['points']}." if bound else f"{words}."


def facts(study: Study, result: Mapping[str, Any]) -> Sequence[Fact]:
    """Best, bound, with bonuses."""
    found, best = [], _top(result)
    if result["best"]:
        small = "proved" if result["is_proved"] else "found here"
        found.append(Fact("Most points", count(result["best"]["points"]), small))
    if result["known"] and not result["is_proved"]:
        found.append(Fact("Best known", count(result["known"]["points"]), "from longer searches"))
    if result["bound"]:
        found.append(Fact("No more than", count(result["bound"]["points"]), "bound without geometry"))
    if best and best["castle"] == result["size"] ** 2 // 2:
        found.append(Fact("With both bonuses", count(best["points"] + result["bonuses"]), "middle kingdom and harmony"))
    return found


def sections(study: Study, result: Mapping[str, Any]) -> Sequence[Section]:
    """Pictures, castles, bound."""
    found = []
    if pictures := _pictures(result):
        found.append(Section("Kingdoms", galleries=[pictures]))
    if any(cell["done"] for cell in result["cells"]):
        is_scored = not result["known"]
        words = [SCORED if is_scored else SEARCH]
        notes = [UNFITTING] if not is_scored and len(result["cells"]) > 1 else []
        found.append(Section("Castles", words, tables=[_castles(result, is_scored)], notes=notes))
    if result["bound"]:
        found.append(Section("Bound", [BOUND], tables=[_areas(result)]))
    return found


def _top(result: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The better of what was found here and what is known."""
    boards = [board for board in (result["best"], result["known"]) if board]
    return max(boards, key=lambda board: board["points"], default=None)


def _pictures(result: Mapping[str, Any]) -> Gallery | None:
    size, boards = result["size"], []
    if result["best"]:
        boards.append(("Best of this study" if result["known"] else "Best", result["best"]))
    if result["known"]:
        boards.append(("Best known", result["known"]))
    if not boards:
        return None
    names = [f"{name}: {board['points']} points" for name, board in boards]
    captions = [
        f"{name}; can be laid in the order {order_words(board)}" for name, (_, board) in zip(names, boards, strict=True)
    ]
    lones = [lone(size, size, board, name) for name, (_, board) in zip(names, boards, strict=True)]
    return gallery("Most points", "Bonuses left out.", lones, captions, "k-", is_large=True)


def _castles(result: Mapping[str, Any], is_scored: bool) -> Table:
    rows = []
    for cell in result["cells"]:
        often = ", ".join(f"{points} ({count(times)})" for points, times in cell["points"][:6])
        pieces = f"{count(cell['done'])} of {count(cell['parts'])}"
        best = count(cell["best"]["points"]) if cell["best"] else ""
        place = f"Column {cell['column']}, row {cell['row']}"
        row = [place, count(cell["weight"]), best, pieces, seconds(cell["cpu_s"])]
        rows.append(row if is_scored else [*row, often])
    names = ["Cells alike", "Most points", "Parts scored" if is_scored else "Searches", "CPU time"]
    columns = [Column("Castle", False), *map(Column, names if is_scored else [*names, "Points (searches)"])]
    return Table(f"Kingdoms of {result['size']} x {result['size']} squares", columns, rows)


def _areas(result: Mapping[str, Any]) -> Table:
    bound = result["bound"]
    rows = [[terrain.capitalize(), count(s), count(c), count(s * c)] for terrain, s, c in bound["areas"]]
    rows.append(["Together", count(sum(s for _, s, _ in bound["areas"])), "", count(bound["points"])])
    dominoes = plural(result["size"] ** 2 // 2, "domino", "dominoes")
    return Table(
        f"The best {dominoes}, one area each",
        [Column("Terrain", False), *map(Column, ("Squares", "Crowns", "Points"))],
        rows,
    )
