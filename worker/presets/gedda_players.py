"""Players of Gedda, Lagerkvist, Butler 2018, as the paper describes them and as the authors' program ran them.

The program is public: github.com/mgedda/kdom-ai (`UCTSearch`, `UCTSNode`, `TinyGameState`,
`TinyMonteCarloEvaluationAlgorithm`).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from worker.presets import papers
from worker.presets.model import Program

GAME = "kingdomino"
SEED = 2018
SEATS = 4

RATES: Mapping[str, float] = {"TR": 7050, "PG": 219, "eG": 217, "FG": 54}
"""Playouts a second of the authors' program in round 4, from its published result files."""
EPSILON, C = 0.75, 0.6
AS_CODED: Mapping[str, Mapping[str, Any]] = {
    "flat_mc": {"allocation": "lot"},
    "uct": {
        "utility": "win",
        "chance": "sampled",
        "order": "listed",
        "listing": "choices_first",
        "ties": "points",
    },
}
"""Engine -> what the program does otherwise than the paper's words, or where these are silent."""
SOURCE = "Its source and its result files are public: github.com/mgedda/kdom-ai, "
FLAT_PROGRAM = Program(
    "A ply had seconds, so the playouts grew from round to round, and the first plies of each match had few while Java "
    "warmed up; each playout drew its action at random.",
    f"{SOURCE}TinyMonteCarloEvaluationAlgorithm and experiments/runs, from which the counts by round are.",
    "Where time is the budget, its course over a match is a part of the player: a constant count of the same mean is "
    "another one.",
    is_certain=True,
)
TREE_PROGRAM = Program(
    "A ply had seconds, so the simulations grew from round to round, and the first plies of each match had few while "
    "Java warmed up. New actions were tried in the order of a list, the lowest domino first and all of its placements "
    "before the next one; each node kept one draw of the dominoes for the whole search; equal scores were a win for "
    "nobody; of equal actions, in the tree too, one that leaves the player most points was followed.",
    f"{SOURCE}UCTSearch, UCTSNode, TinyGameState and experiments/runs, from which the counts by round are.",
    "A tree with fewer simulations than actions sees what comes first in its list: a part of the distance between UCT "
    "and flat Monte Carlo at short times is that order, not the method.",
    is_certain=True,
)
_POLICIES: Mapping[str, Mapping[str, Any]] = {
    "TR": {"policy": "tr"},
    "FG": {"policy": "fg"},
    "PG": {"policy": "pg"},
    "eG": {"policy": "fg", "epsilon": EPSILON},
}


def player(policy: str) -> dict[str, Any]:
    """A seat that follows a policy."""
    return {"engine": "scripted", "options": {"policy": policy}, "budget": {}}


def experiment(arms: Mapping[str, Mapping[str, Any]], opponent: str, deals: int) -> dict[str, Any]:
    """A spec: each player in seat 0, against three opponents that follow a policy."""
    others = [player(opponent)] * (SEATS - 1)
    return {
        "version": 1,
        "game": GAME,
        "seats": SEATS,
        "arms": [{"name": name, "seats": [dict(first), *others]} for name, first in arms.items()],
        "deals": deals,
        "rotation": "none",
        "seed": SEED,
    }


def playout_policy(name: str) -> dict[str, Any]:
    """Options of a playout policy of the paper."""
    return dict(_POLICIES[name])


def playouts_in(policy: str, seconds: float, factor: float) -> int:
    """Playouts that the authors' program made in this time in round 4, divided by a factor; at least one."""
    return max(1, round(RATES[policy] * seconds / factor))


def counts(policy: str, seconds: float) -> dict[str, Any]:
    """Playouts of the authors' program in this time, by round; at least one."""
    rates = {
        row["round"]: float(row["per_s"])
        for row in papers.results()["kingdomino-playouts"].rows
        if row["policy"] == policy
    }
    found = dict(rates)
    for first, last in pairwise(sorted(rates)):
        for round_ in range(first + 1, last):
            part = (round_ - first) / (last - first)
            found[round_] = rates[first] ** (1 - part) * rates[last] ** part
    return {"by": "round", "counts": [max(1, round(found[round_] * seconds)) for round_ in sorted(found)]}


def flat(policy: str, utility: str, playouts: int) -> dict[str, Any]:
    """MCE with a playout policy of the paper."""
    return {
        "engine": "flat_mc",
        "options": {**_POLICIES[policy], "utility": utility},
        "budget": {"playouts": playouts},
    }


def tree(policy: str, enhancement: Mapping[str, float], simulations: int) -> dict[str, Any]:
    """UCT with a playout policy of the paper, for wins, C = 0.6; of actions that win alike one that scores most.

    The order of the dominoes is drawn anew each time.
    """
    options = {"utility": "wdl", "scale": "unit", "c": C, "chance": "open_loop", "tie_break": "gain"}
    options |= {**_POLICIES[policy], **enhancement}
    return {"engine": "uct", "options": options, "budget": {"simulations": simulations}}


def as_programmed(seat: Mapping[str, Any], by_round: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The same player as the authors' program ran it. by_round: its playouts, where it has others."""
    options = {**seat["options"], **AS_CODED[str(seat["engine"])]}
    budget = dict(seat["budget"]) if by_round is None else {key: dict(by_round) for key in seat["budget"]}
    return {**seat, "options": options, "budget": budget}
