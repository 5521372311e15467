"""Wong and Kang, *Simulating Kingdomino*: the boards that the report counts, and those that it leaves out.

What each number stands for is read in `worker.studies.wong_kang`, which all cells take theirs from.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from worker.presets import papers
from worker.presets.model import SHOWN, WHOLE, Cell, Preset, Reason, Scale, exact
from worker.presets.numbers import Numbers
from worker.studies import wong_kang
from worker.studies.lone_kingdom import PRINTED
from worker.studies.sizes import CONFIDENCE

GAME, PAPER, SEED = "kingdomino", "wong-kang", 2018
NAMES = {"ends": "end positions", "complete": "full boards", "best": "most points"}
WAYS = {
    "plain": "all of them",
    "four": "one start cell of each class of rotations, four times their sum",
    "once": "corner, edge and centre, their sum once",
    "best": "the best of all end states",
}
SUMS = (
    "The report takes one start cell of each class of rotations and multiplies the sum by four. The centre is its own "
    "image, so that its boards are counted four times instead of once: the printed number is read that way here, and "
    "stands beside the count of boards, each once."
)
BY_SEARCH = Reason(
    "The published search misses end states that the rule allows; counted by that search the printed numbers come out.",
    "The preset Section 4, by the published search.",
)
CAPTION = Reason(
    "The caption contradicts the text, which has the number that is proved.",
    "The row of the text in this table, whose study scores every end state.",
)
CERTAIN = "Nothing here is left to chance: numbers agree where every digit does."


def presets() -> tuple[Preset, ...]:
    """Section by section, then what the report asks and does not answer."""
    return (
        *(_tessellations(side) for side in (2, 4, 6, 8)),
        _tree(),
        _kingdoms("first_touch", "search", "by the published search"),
        _kingdoms("terrain", "rule", "by the rule of the game"),
        _figure_2(),
        *(_ends(side) for side in (3, 5)),
        _ends_7(),
        *(_best(side) for side in (5, 7)),
    )


def _preset(name: str, **values: Any) -> Preset:
    return Preset(id=f"wong-kang-{name}", paper=papers.paper(PAPER), game=GAME, **values)


def _scales(words: str, kind: str, **parameters: Any) -> dict[str, Scale]:
    """One size of a study that is exact, or quick enough at its largest."""
    spec = {"version": 1, "study": kind, "game": GAME, "parameters": parameters, "seed": SEED}
    return dict.fromkeys(("quick", "standard", "published"), Scale(words, spec))


# ---- counts beside printed ones


def _as_read(printed: str, what: str) -> Callable[[Numbers], int | None]:
    """Our number counted as the report counts it."""

    def value(numbers: Numbers) -> int | None:
        rows = numbers.study.get("published") or ()
        found = next((row for row in rows if (row["printed"], row["what"]) == (printed, what)), None)
        return None if found is None or found["as_read"] is None else int(found["as_read"])

    return value


def _total(count: str) -> Callable[[Numbers], int | None]:
    """Our number of boards, each once, with the castle anywhere."""

    def value(numbers: Numbers) -> int | None:
        total: Mapping[str, Any] = numbers.study.get("total") or {}
        return int(total[count]) if total.get(count) is not None else None

    return value


def _cells(rule: str, side: int) -> tuple[Cell, ...]:
    """Every number that the report prints of a board by a rule, as it is read and as it is."""
    found = []
    for row in wong_kang.printed_numbers():
        if (row["rule"], row["width"], row["height"]) != (rule, side, side):
            continue
        name, printed = NAMES[row["count"]], int(row["printed"])
        label, reason = f"counted as in the report: {WAYS[row['way']]}", BY_SEARCH if rule == "terrain" else None
        found.append(Cell(name, label, printed, _read(row), exact(None), reason))
        if row["way"] != "plain":
            found.append(Cell(name, "every board once, castle anywhere", None, _total(row["count"]), WHOLE))
    return tuple(found)


def _read(row: Mapping[str, Any]) -> Callable[[Numbers], int | None]:
    return _as_read(row["printed"], row["what"])


def _tessellations(side: int) -> Preset:
    return _preset(
        f"tessellations-{side}",
        where=f"Section 2, {side} x {side}",
        title=f"tessellations of {side} x {side} squares",
        question=f"In how many ways do dominoes cover a board of {side} x {side} squares?",
        method="The product formula of Kasteleyn, Temperley and Fisher; on 4 x 4 the program was checked by it.",
        scales=_scales(
            "counted over a frontier",
            "tilings",
            width=side,
            height=side,
            rule="tessellations",
            start="none",
            shown=36 if side == 4 else 0,
            picked="first",
        ),
        cells=_cells("tessellations", side),
        notes=(
            CERTAIN,
            "The formula runs over i and says j, and its short form leaves k free; the numbers below it are right.",
        ),
    )


def _ends(side: int) -> Preset:
    return _preset(
        f"ends-{side}",
        where=f"Section 5, {side} x {side}",
        title=f"end positions on {side} x {side} squares",
        question="How many boards of plain dominoes are there to which none can be added, and how many are full?",
        method="Algorithm 2: depth-first search over all positions, those met before left out.",
        scales=_scales("counted over a frontier", "tilings", width=side, height=side, rule="grown", shown=0),
        cells=_cells("grown", side),
        notes=(SUMS, CERTAIN),
    )


def _kingdoms(rule: str, name: str, words: str) -> Preset:
    return _preset(
        f"kingdoms-{name}",
        where=f"Section 4, {words}",
        title=f"kingdoms of 3 x 3 squares, {words}",
        question="How many end states has a kingdom of 3 x 3 squares, and how many of them are full?",
        method="Algorithm 1: depth-first search with all 48 dominoes, states met before left out, in about an hour.",
        scales=_scales("all end states, counted", "tilings", width=3, height=3, rule=rule, shown=0),
        cells=_cells(rule, 3),
        notes=(
            "The printed numbers are those of the published search, digit for digit. It lays a domino only beside the "
            "first square of its terrain that it meets, and so misses end states that the rule allows: counted by the "
            "rule with the same start cells the numbers are 994,074 and 806,334.",
            CERTAIN,
        ),
    )


def _figure_2() -> Preset:
    return _preset(
        "figure-2",
        where="Figure 2",
        title="the best kingdom of 3 x 3 squares",
        question="What is the most that a kingdom of 3 x 3 squares can score?",
        method="The best of all end states; the text says 36 points, the caption of its picture 27.",
        scales=_scales("every end state with crowns is scored", "tilings", width=3, height=3, rule="crowns", shown=0),
        cells=tuple(
            Cell("most points", row["what"].removeprefix("Most points ").strip("()"), int(row["printed"]), _read(row),
                 exact(None), None if row["printed"] == row["correct"] else CAPTION)
            for row in wong_kang.printed_numbers()
            if (row["rule"], row["count"]) == ("crowns", "best")
        ),
        notes=("All end states with the castle in the corner, on an edge and in the centre are scored: a proof.",),
    )  # fmt: skip


# ---- what is estimated, and what goes on beyond the report


def _tree() -> Preset:
    def of(key: str, which: str) -> Callable[[Numbers], float | None]:
        def value(numbers: Numbers) -> float | None:
            found: float | None = (numbers.study.get(key) or {}).get(which)
            return found

        return value

    def scale(populations: int) -> Scale:
        parameters = {"size": "5", "castle": "middle", "populations": populations, "paths": 400}
        spec = {"version": 1, "study": "lone_kingdom", "game": GAME, "parameters": parameters, "seed": SEED}
        return Scale(f"{populations} populations of 400 random paths", spec)

    printed = PRINTED["depth"] * math.log10(PRINTED["breadth"])
    return _preset(
        "section-3",
        where="Section 3",
        title="how large the game of one kingdom is",
        question="How many ways are there to lay a kingdom of 5 x 5 squares to its end, and how many end states?",
        method="At most 24 ways to lay a domino, at most 18 dominoes: 24 to the power of 18 leaves.",
        scales={"quick": scale(8), "standard": scale(30), "published": scale(100)},
        cells=(
            Cell("Leaves of the tree, decimal logarithm", "printed", printed, of("tree_ends", "mean"), SHOWN),
            Cell("Leaves of the tree, decimal logarithm", "at least, 95 %", None, of("tree_ends", "at_least"), SHOWN),
            *(
                Cell("End states, decimal logarithm", label, None, of("kingdom_ends", which), SHOWN)
                for which, label in (
                    ("mean", "estimate without bias"),
                    ("at_least", "at least, 95 %"),
                    ("lowest", "lowest population"),
                    ("highest", "highest population"),
                )
            ),
            Cell("End states, decimal logarithm", "at least, 95 %, by the lowest population", None, _at_least, SHOWN),
        ),
        notes=(
            "A board of 5 x 5 squares with a castle holds 12 dominoes, not 18; and most positions have far more than "
            "24 ways to lay one, for 24 is where one of them fits, not which. So the printed number is no bound.",
            "Estimates by populations of random paths have no bias but are so skewed that no interval with two ends "
            "holds. The lower ends are Markov's, of the mean and of the lowest population; an upper end nobody knows.",
        ),
    )


def _at_least(numbers: Numbers) -> float | None:
    """Lower end by the lowest of n populations: that all are more than t times the truth has a chance of t^-n."""
    lowest, count = (numbers.study.get("kingdom_ends") or {}).get("lowest"), numbers.study.get("populations")
    return None if lowest is None or not count else float(lowest + math.log10(1 - CONFIDENCE) / count)


def _ends_7() -> Preset:
    return _preset(
        "ends-7",
        where="Section 5, 7 x 7",
        title="end positions on 7 x 7 squares",
        question="How many boards of plain dominoes on 7 x 7 squares grow from a castle until none can be added?",
        method='The report stops before: "a 7 x 7 board was too computationally expensive to simulate".',
        scales=_scales("counted over a frontier", "tilings", width=7, height=7, rule="grown", shown=0),
        cells=tuple(
            Cell(NAMES[count], "every board once, castle anywhere", None, _total(count), WHOLE)
            for count in ("ends", "complete")
        ),
        notes=(
            CERTAIN,
            "The report expects exponential growth. Full boards, each once, are 18, 2,180 and 2,200,776: times 121, "
            "then times 1,010.",
        ),
    )


def _best(side: int) -> Preset:
    def bound(numbers: Numbers) -> float | None:
        return (numbers.study.get("bound") or {}).get("points")

    def best(numbers: Numbers) -> float | None:
        return (numbers.study.get("best") or {}).get("points")

    is_decided = side == 5
    words = "every full board is decided" if is_decided else "8 searches for each castle"
    return _preset(
        f"best-{side}",
        where=f"Section 1, {side} x {side}",
        title=f"the best kingdom of {side} x {side} squares",
        question="What is the maximum number of points possible?",
        method="The report asks it of 5 x 5 squares and answers it for 3 x 3.",
        scales=_scales(words, "best_kingdom", size=str(side), castle="everywhere"),
        cells=(
            Cell("Most points, without bonuses", "found", None, best, WHOLE),
            Cell("Most points, without bonuses", "bound that leaves the board out", None, bound, WHOLE),
        ),
        notes=(
            "Proved: more than 124 points take certain dominoes, and every full board is tried with them." if is_decided
            else "Proved: no kingdom has more than 272 points, by a sum that leaves the board out, and for every "
            "castle that allows a full kingdom the searches find one that has them.",
        ),
    )  # fmt: skip
