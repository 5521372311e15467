"""Gedda, Lagerkvist, Butler 2018: cells of Table III by the method as described, and as the authors' program ran.

The program is public: github.com/mgedda/kdom-ai (`UCTSearch`, `UCTSNode`, `TinyGameState`,
`TinyMonteCarloEvaluationAlgorithm`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from worker.presets import gedda
from worker.presets.gedda_players import as_programmed, counts, experiment, flat, tree
from worker.presets.model import MARGIN, AsRun, Cell, Preset, Program, Scale

FAMILIES: Mapping[str, str] = {"mce": "MCE-{}/R", "uct": "UCT-{}"}
POLICIES, COLUMNS = ("FG", "PG"), ("0.1s", "0.5s")
WARM_UP = (
    "Each match of the paper began in a fresh Java process: below a second a ply its players made fewer playouts in "
    "the first rounds than these rates say. Table III by families has those of the result files."
)
COUNTS = (
    "All have the playouts that the authors' program made in that time, round by round: with full-greedy playouts 29 a "
    "second in round 1, 54 in round 4 and 35,412 in round 13 (its published result files; rounds without a figure lie "
    "between their neighbours in equal ratio)."
)
PROGRAM = Program(
    "Flat Monte Carlo draws the action of each playout at random. The tree tries new actions in the order of a list, "
    "the lowest domino first and all of its placements before the next one; each node keeps one draw of the dominoes "
    "for the whole search; equal scores are a win for nobody; of equal actions, in the tree too, one that leaves the "
    "player most points is followed.",
    "Its source is public: github.com/mgedda/kdom-ai, UCTSearch, UCTSNode, TinyGameState and "
    "TinyMonteCarloEvaluationAlgorithm.",
    "A tree with fewer simulations than actions sees what comes first in its list: a part of the distance between UCT "
    "and flat Monte Carlo at short times is that order, not the method.",
    is_certain=True,
)
DESCRIBED = (
    "As described: playouts are shared evenly; new actions are tried in random order, the dominoes are drawn anew in "
    "every simulation, equal scores count a half, and points decide among equal actions at the root."
)


def players(family: str, policy: str, column: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A player of Table III as described, and as the authors' program ran; both with its rates by round."""
    by_round = counts(policy, float(column[:-1]))
    described = flat(policy, "relative", 1) if family == "mce" else tree(policy, {}, 1)
    described = described | {"budget": dict.fromkeys(described["budget"], by_round)}
    return described, as_programmed(described)


def preset() -> Preset:
    """Eight cells of Table III at short times, where program and words are furthest apart."""
    chosen = [(family, policy, column) for family in FAMILIES for policy in POLICIES for column in COLUMNS]

    def scale(deals: int) -> Scale:
        arms: dict[str, Mapping[str, Any]] = {}
        for family, policy, column in chosen:
            name = f"{FAMILIES[family].format(policy)}, {column[:-1]} s"
            arms[f"{name}, as described"], arms[f"{name}, as programmed"] = players(family, policy, column)
        return Scale(f"{deals} matches for each cell and reading", experiment(arms, "fg", deals))

    return gedda.preset(
        "gedda-table-3-program",
        where="Table III, as programmed",
        title="what of it is the program, and what the method?",
        question="Does UCT fall so far behind flat Monte Carlo at short times by its method, or by its program?",
        method="200 games for each player and each time a ply, against three fully greedy players.",
        scales={"quick": scale(40), "standard": scale(100), "published": scale(200)},
        cells=tuple(
            Cell(
                FAMILIES[family].format(policy),
                f"{column[:-1]} s",
                gedda.printed_margin(FAMILIES[family].format(policy), column),
                gedda.margin(2 * number),
                MARGIN,
                gedda.LISTED if family == "uct" else None,
                arm=2 * number,
                as_run=AsRun(gedda.margin(2 * number + 1), 2 * number + 1),
            )
            for number, (family, policy, column) in enumerate(chosen)
        ),
        notes=(DESCRIBED, COUNTS, WARM_UP, gedda.ORDER),
        program=PROGRAM,
    )
