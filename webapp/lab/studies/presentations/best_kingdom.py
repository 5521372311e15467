"""Best kingdom: the board beside the bound, and the best of each castle cell and search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from webapp.common.formats import count, plural, seconds
from webapp.lab.results.charts.figure import Column
from webapp.lab.studies.presentations.kingdom_pictures import gallery, lone_board, order_words
from webapp.lab.studies.presentations.section import Fact, Gallery, Section, Table
from webapp.records.models import Study
from worker.studies.best_kingdom import DECIDED, SCORED

BOUND = (
    "The bound leaves geometry out: whichever dominoes are taken, all squares of a terrain count as one area. An "
    "integer program, solved to proved optimality (HiGHS), chooses the best dominoes, so no kingdom with the same "
    "number of dominoes has more points, wherever its castle stands."
)
WORDS = {
    SCORED: "Every end state is scored: once all parts are done the most points of each castle are proved.",
    DECIDED: (
        "More than 124 points take all six dominoes with mines and one of nine sets of six others; with fewer or other "
        "dominoes the bound is lower. Mines, swamp and wheat must then each be one connected area, and every way to do "
        "so is tried on every tessellation. Once all parts are done the most points of each castle are proved."
    ),
}
SEARCH = (
    "A search begins with random full boards and cools them by simulated annealing; the boards that it finds are "
    "legal. One that has the points of the bound is proved to be the best; else better ones may exist, up to the bound."
)
UNFITTING = "Castles on the other colour are left out: they allow no full kingdom."
FEW = "124 or fewer"
NO_BREAK = "\u00a0"


def finding(study: Study, result: Mapping[str, Any]) -> str:
    """The most points, and whether they are proved."""
    best, bound = _top(result), result["bound"]
    if best is None:
        return ""
    size, is_met = result["size"], bound is not None and bound["points"] == best["points"]
    if result["is_proved"] or is_met:
        where = "" if result["castle"] == "everywhere" or is_met else " with the castle in the middle"
        return f"No kingdom of {size} x {size} squares{where} has more than {best['points']} points, and one has them."
    words = f"The best kingdom of {size} x {size} squares found so far has {best['points']} points"
    return f"{words}; none has more than {bound['points']}." if bound else f"{words}."


def facts(study: Study, result: Mapping[str, Any]) -> Sequence[Fact]:
    """Best, bound, with bonuses."""
    found = []
    if result["best"]:
        small = "proved" if result["is_proved"] else "found so far"
        found.append(Fact("Most points", count(result["best"]["points"]), small))
    if result["known"] and not result["is_proved"]:
        found.append(Fact("Best known", count(result["known"]["points"]), "from longer searches"))
    if result["bound"] and not result["is_proved"]:
        found.append(Fact("No more than", count(result["bound"]["points"]), "bound without geometry"))
    if middle := _middle(result):
        words = "middle kingdom and harmony"
        found.append(Fact("With both bonuses", count(middle["points"] + result["bonuses"]), words))
    return found


def sections(study: Study, result: Mapping[str, Any]) -> Sequence[Section]:
    """Pictures, castles, bound."""
    found = []
    if pictures := _pictures(result):
        found.append(Section("Kingdoms", galleries=[pictures]))
    if any(cell["done"] for cell in result["cells"]):
        size = result["size"]
        notes = [UNFITTING] if size > SCORED and len(result["cells"]) > 1 else []
        found.append(Section("Castles", [WORDS.get(size, SEARCH)], tables=[_castles(result)], notes=notes))
    if result["bound"]:
        found.append(Section("Bound", [BOUND], tables=[_areas(result)]))
    return found


def _top(result: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The better of the board found here and the best known."""
    boards = [board for board in (result["best"], result["known"]) if board]
    return max(boards, key=lambda board: board["points"], default=None)


def _middle(result: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The best with the castle in the middle, of this study or known: all squares full, it has both bonuses."""
    middle = result["size"] ** 2 // 2
    boards = [cell["best"] for cell in result["cells"] if cell["best"]] + [result["known"]]
    fitting = [board for board in boards if board and board["castle"] == middle and len(board["dominoes"]) == middle]
    return max(fitting, key=lambda board: board["points"], default=None)


def _pictures(result: Mapping[str, Any]) -> Gallery | None:
    size, boards = result["size"], [cell["best"] for cell in result["cells"] if cell["best"]]
    boards.sort(key=lambda board: -board["points"])
    named = [(f"{board['points']} points", board) for board in boards]
    if result["known"]:
        named.append((f"Best known: {result['known']['points']} points", result["known"]))
    if not named:
        return None
    captions = [f"{name}; can be laid in the order {order_words(board)}" for name, board in named]
    lones = [lone_board(size, size, board, f"Kingdom, {name}") for name, board in named]
    note = "The best of each castle. Bonuses left out." if len(named) > 1 else "Bonuses left out."
    return gallery("Most points", note, lones, captions, "k-", is_large=True)


def _castles(result: Mapping[str, Any]) -> Table:
    """A line for each castle cell; of searches also how many reached which points."""
    size, is_search = result["size"], result["size"] not in WORDS
    rows = []
    for cell in result["cells"]:
        is_done = cell["done"] == cell["parts"]
        few = FEW if size == DECIDED and is_done else ""
        best = count(cell["best"]["points"]) if cell["best"] else few
        pieces = f"{count(cell['done'])} of {count(cell['parts'])}"
        row = [
            f"Column{NO_BREAK}{cell['column']}, row{NO_BREAK}{cell['row']}",
            count(cell["weight"]),
            best,
            pieces,
            seconds(cell["cpu_s"]),
        ]
        often = ", ".join(f"{points} ({count(times)})" for points, times in cell["points"][:6])
        rows.append([*row, often] if is_search else row)
    names = ["Equivalent cells", "Most points", "Searches" if is_search else "Parts done", "CPU time"]
    columns = [Column("Castle", False), *map(Column, [*names, "Points (searches)"] if is_search else names)]
    return Table(f"Kingdoms of {size} x {size} squares", columns, rows)


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
