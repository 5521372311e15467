"""Heyden 2009: players, budgets and specs of the matches of chapter 6."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from worker.presets import papers
from worker.presets.model import Preset

GAME = "carcassonne"
SEED = 2009
CLOCK = {"seconds_per_match": 360}
"""Time that the thesis gave each player: 6 minutes of a match."""

PLAYOUTS, SIMULATIONS, DEPTH = {"playouts": 250}, {"simulations": 250}, {"depth": 2}
"""Counts that a ply of the thesis was worth, by our estimate: see BUDGETS."""
BUDGETS = (
    "The thesis gave each player 6 minutes a match, about 10 s a ply. Its search made about 40,000 nodes a second; a "
    "playout tries some 1,500 moves, so 10 s hold about 250 playouts. Quick and standard take this count, so that "
    "anybody gets the same matches. As published, with 6 minutes on a machine of today, all players are stronger."
)
SPREAD = "The thesis prints no standard deviations: the error of its means is taken from the spread of our own matches."
TIES = "A win is the sole best score; draws are counted apart, here and in the thesis."


def seat(engine: str, budget: Mapping[str, Any], **options: Any) -> dict[str, Any]:
    """One place of a line-up, as a spec writes it."""
    return {"engine": engine, "options": options, "budget": dict(budget)}


def experiment(arms: Mapping[str, Sequence[Mapping[str, Any]]], deals: int) -> dict[str, Any]:
    """A spec with two seats that rotate."""
    return {
        "version": 1,
        "game": GAME,
        "seats": 2,
        "arms": [{"name": name, "seats": [dict(place) for place in places]} for name, places in arms.items()],
        "deals": deals,
        "rotation": "all",
        "seed": SEED,
    }


def flat(budget: Mapping[str, Any], utility: str = "difference", **options: Any) -> dict[str, Any]:
    """Flat Monte Carlo: MC, or with utility "wdl" MCo."""
    return seat("flat_mc", budget, utility=utility, **options)


def uct(budget: Mapping[str, Any], utility: str = "difference", c: float = 3.0, **options: Any) -> dict[str, Any]:
    """Tree search: MCTS, or with utility "wdl" MCTSo."""
    return seat("uct", budget, utility=utility, c=c, **options)


def star(budget: Mapping[str, Any], **options: Any) -> dict[str, Any]:
    """Star2.5 with probing factor 5 and moved bounds."""
    return seat("expectimax", budget, **{"algorithm": "star2.5", "probing": 5, "bounds": "dynamic", **options})


def preset(name: str, **values: Any) -> Preset:
    """A preset of the thesis."""
    return Preset(id=name, paper=papers.paper("heyden-2009"), game=GAME, **values)
