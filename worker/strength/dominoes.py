"""Measurements of team dominoes, in single rounds."""

from __future__ import annotations

from functools import partial

from worker.strength.line_ups import FRESH, engine, for_seconds, level, regret, response, strongest, versus
from worker.strength.model import MATCHES, WIN, Measurement, Target

GAME = "dominoes"
ROUNDS = "Paper: single rounds"
TIME = 0.02
STRONGEST = strongest(GAME)
MASTER = level(GAME, STRONGEST)
BEFORE = engine("pimc", {"simulations": 200}, inner="playouts", inference="manner", level=0.6, payoff="match")
"""Master as it was before evaluations were learned."""
PIMC = engine("pimc", {"simulations": 50}, alpha=5.0, beta=1 / 3)
"""The DominAI paper's best honest player, with deals drawn as they may be."""
PLAYOUTS = engine("pimc", {"simulations": 100}, inner="playouts", inference="manner", level=0.6)
against = partial(versus, GAME, for_seconds(MASTER, TIME), deals=400, rules=ROUNDS, seed=FRESH)
VALUES = "level 0 to 1, sharpness 0.5 to 12"

OF_PIMC, OF_MASTER = Target(WIN, 0.58), Target(WIN, 0.55)
"""Tests about 4 % had ended after 88 and 108 rounds, decided, but with intervals about the targets."""

MEASUREMENTS: tuple[Measurement, ...] = (
    Measurement(
        "dominoes-pimc",
        GAME,
        MATCHES,
        "Master against PIMC",
        "The paper's best honest player (5, 1/3, 50 deals that fit what is known), with 20 ms of CPU time a turn "
        "for both; shares are of rounds.",
        against(for_seconds(PIMC, TIME), target=OF_PIMC),
        OF_PIMC,
    ),
    Measurement(
        "dominoes-master-before",
        GAME,
        MATCHES,
        "Master against the Master before",
        "Playouts with inference, the strongest level until 30 November 2026; 20 ms a turn for both, shares of rounds.",
        against(for_seconds(BEFORE, TIME), target=OF_MASTER),
        OF_MASTER,
    ),
    regret(GAME, positions=200, playouts=1000, rules=ROUNDS),
    response(GAME, "medium", PLAYOUTS, VALUES, size=(16, 1600, 1000), rules=ROUNDS),
    response(GAME, STRONGEST, PLAYOUTS, VALUES, size=(16, 1600, 1000), rules=ROUNDS),
)
