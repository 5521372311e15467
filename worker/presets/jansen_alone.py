"""Jansen and Tollisen 2014: one player alone. Table 3 (the tree of turns) and Table 25 (the most points)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from worker.analysis.rates import Share
from worker.analysis.verdict import Sample
from worker.presets import jansen, papers
from worker.presets.model import RATE, SCORE, AsRun, Cell, Curve, Preset, Reason, Scale, exact
from worker.presets.numbers import Numbers, Quantity

# ---- table 3: the tree


def tree() -> Preset:
    """The brute-force tree by turns."""
    result = papers.results()["dominion-tree-size"]

    def scale(turns: int) -> Scale:
        study = {"version": 1, "study": "buying_tree", "game": jansen.GAME, "parameters": {"turns": turns}}
        return Scale(f"{turns} turns", {**study, "seed": jansen.SEED})

    nodes = {row["turns"]: row["nodes"] for row in result.rows}
    return jansen.preset(
        "jansen-table-3",
        where="Table 3",
        title="the tree of one player's turns",
        question="How many nodes has the tree of all hands and buys of one player, turn by turn?",
        method="The tree was built, turn by turn, for one player with Treasure and Victory cards alone.",
        scales=jansen.scales(scale(6), scale(8), scale(6)),
        cells=(
            *(
                Cell("Nodes", _turns(turns), count, _nodes(turns), exact(None), x=turns)
                for turns, count in nodes.items()
            ),
            *(Cell("Nodes", _turns(turns), "not counted", _nodes(turns), exact(None), x=turns) for turns in (7, 8)),
        ),
        notes=(
            "Ours counts equal positions once, with the number of ways to them: the numbers are exact, and the tree is "
            "never built.",
            "The thesis says that 8 kinds of cards have 52 hands of five; it is 792.",
        ),
        curve=Curve("Turns", "Nodes", is_y_log=True),
    )


def _turns(turns: int) -> str:
    return "First turn" if turns == 1 else f"First {turns} turns"


def _nodes(turns: int) -> Callable[[Numbers], float | None]:
    def nodes(numbers: Numbers) -> float | None:
        row = next((row for row in numbers.study.get("by_turn", ()) if row["turn"] == turns), None)
        return None if row is None else int(row["nodes"])

    return nodes


# ---- table 25: the most points

MOST = 83
"""Points of all Provinces, Duchies and Estates."""
BEST = Quantity(
    "most_points", ("points_province", "points_duchy", "points_estate", "points_curse"), reaches=float(MOST)
)


FEW = 10
"""Simulations at which the choice among equals decides."""
EQUALS = Reason(
    f"With {FEW} simulations most actions are equal, and the choice among them decides. The thesis says that its "
    "program moves by most visits and takes the last of equals, which gives nearly every game the most points; the "
    "first of equals gives too few. By the best mean both players come near, which is not what the thesis says.",
    tried=(
        ("Printed", "UCB_mod 83 %, UCT_mod 77 %"),
        ("Most visits, the first of equals", "UCB_mod 62.0 ± 5.5 %, UCT_mod 53.7 ± 5.6 % of 300"),
        ("Most visits, the last of equals", "UCB_mod 97.0 ± 1.9 %, UCT_mod 96.3 ± 2.1 % of 300"),
        ("Best mean", "UCB_mod 81.7 ± 4.4 %, UCT_mod 85.3 ± 4.0 % of 300"),
    ),
)


def most_points() -> Preset:
    """Single player without kingdom cards."""
    result = papers.results()["dominion-table-25"]
    games = int(result.setup["games"])

    def scale(matches: int) -> Scale:
        arms = {
            f"{row['player']}, {row['simulations']} simulations{words}": [
                jansen.variant(row["player"], row["simulations"], utility="own", min_visits=1, **ties)
            ]
            for words, ties in (("", {}), (", last of equals", jansen.LAST_OF_EQUALS))
            for row in result.rows
        }
        spec = jansen.experiment(arms, matches, options={"kingdom": "none"})
        return Scale(f"{matches:,} matches each, as many simulations as the thesis", spec)

    return jansen.preset(
        "jansen-table-25",
        where="Table 25",
        title="the most points of a single player",
        question=f"How many simulations a move does it take to find the {MOST} points of all Victory cards?",
        method=f"{games} games for each number of simulations, one player without kingdom cards, no tuning.",
        scales=jansen.scales(scale(games // 2), scale(5 * games), scale(games)),
        cells=tuple(_points_and_best(result.rows, games)),
        notes=(
            f"{MOST} points take all Provinces (48), all Duchies (24) and all Estates with the first three (11), "
            "bought before two more piles are empty.",
            "What a playout is worth is its points. Minimum visits 1, C = 0.7, epsilon 15 %.",
            "The thesis says that UCB_mod has more games of 83 points: at 10 and 20 simulations it has.",
        ),
        quantities=(BEST,),
        program=jansen.PROGRAM,
    )


def _points_and_best(rows: Sequence[Mapping[str, Any]], games: int) -> Iterable[Cell]:
    for arm, row in enumerate(rows):
        group, best = f"{row['player']}, {row['simulations']} simulations", Share(round(row["optimal_percent"]), games)
        mean, last = Sample(games, row["mean"], row["sd"] or None), len(rows) + arm
        points, most = AsRun(_score(last), last), AsRun(_best(last), last)
        why = EQUALS if row["simulations"] == FEW else None
        yield Cell(group, "Points", mean, _score(arm), SCORE, why, arm=arm, as_run=points)
        yield Cell(group, f"Games of {MOST} points", best, _best(arm), RATE, why, arm=arm, as_run=most)


def _score(arm: int) -> Callable[[Numbers], Sample | None]:
    return lambda numbers: numbers.score(arm, 0)


def _best(arm: int) -> Callable[[Numbers], Share | None]:
    return lambda numbers: numbers.share(arm, 0, BEST.id)
