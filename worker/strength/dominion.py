"""Measurements of Dominion."""

from __future__ import annotations

from worker.strength.line_ups import (
    FRESH,
    engine,
    for_seconds,
    insider,
    level,
    named,
    policy,
    regret,
    response,
    strongest,
    versus,
)
from worker.strength.model import MATCHES, WIN, Measurement, Target

GAME = "dominion"
TIME = 0.03
STRONGEST = strongest(GAME)
MASTER = level(GAME, STRONGEST)
BEFORE = engine(
    "flat_mc",
    {"playouts": 1000},
    utility="win_difference",
    policy="double_witch",
    epsilon=0.1,
    allocation="halving",
    paired=True,
    forced="search",
)
"""Master as it was before evaluations were learned."""
WON = {"utility": "win_difference", "allocation": "halving", "paired": True, "forced": "search"}
FLAT = engine("flat_mc", {"playouts": 300}, policy="double_witch", epsilon=0.1, **WON)

OF_UCB, OF_WITCH, OF_MASTER = Target(WIN, 0.65), Target(WIN, 0.80), Target(WIN, 0.60)
"""Tests about 5 % had ended after 60 to 84 matches, decided, but with intervals that reached below the targets."""

MEASUREMENTS: tuple[Measurement, ...] = (
    Measurement(
        "dominion-ucb",
        GAME,
        MATCHES,
        "Master against UCB_orig",
        "The thesis' flat search, which sees the other hand, with 30 ms of CPU time a ply for both.",
        versus(
            GAME, for_seconds(MASTER, TIME), for_seconds(named("ucb_orig"), TIME), deals=200, target=OF_UCB, seed=FRESH
        ),
        OF_UCB,
    ),
    Measurement(
        "dominion-double-witch",
        GAME,
        MATCHES,
        "Master against DoubleWitch",
        "The thesis' strongest player without search. Master has the playouts that it was measured with.",
        versus(GAME, MASTER, policy("double_witch"), deals=200, target=OF_WITCH, seed=FRESH),
        OF_WITCH,
    ),
    Measurement(
        "dominion-master-before",
        GAME,
        MATCHES,
        "Master against the Master before",
        "Flat search with playouts by DoubleWitch, the strongest level until 30 November 2026; 30 ms a ply for both.",
        versus(GAME, for_seconds(MASTER, TIME), for_seconds(BEFORE, TIME), deals=100, target=OF_MASTER, seed=FRESH),
        OF_MASTER,
    ),
    regret(GAME, positions=100, playouts=500, policy="learned"),
    insider(GAME, "easy", {"playouts": 300}, 100, **WON),
    insider(GAME, "hard", {"playouts": 300}, 100, **WON),
    response(GAME, "hard", FLAT, "epsilon 0 to 0.6", size=(8, 240, 200)),
    response(GAME, STRONGEST, FLAT, "epsilon 0 to 0.6", size=(8, 80, 100)),
)
