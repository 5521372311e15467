"""Measurements of Kingdomino."""

from __future__ import annotations

from worker.strength.line_ups import (
    FRESH,
    engine,
    for_seconds,
    insider,
    level,
    named,
    regret,
    response,
    strongest,
    versus,
)
from worker.strength.model import MARGIN, MATCHES, WIN, Measurement, Target

GAME = "kingdomino"
TIME = 0.02
FOUR = 4
STRONGEST = strongest(GAME)
MASTER = level(GAME, STRONGEST)
LEARNED = named("kingdomino_learned")
MCE = engine("flat_mc", policy="fg", utility="relative")
"""MCE-FG/R, the best player of Gedda, Lagerkvist and Butler (2018)."""
FLAT = engine("flat_mc", {"playouts": 300}, policy="informed", candidates=16, allocation="halving", paired=True)
VALUES = "candidates 4 to 40, epsilon 0 to 0.5"

OF_MCE, OF_MASTER = Target(MARGIN, 5.0, 3.0), Target(WIN, 0.60)
"""A test about 5 % had ended after 94 matches of two, decided, but with an interval about the target."""

MEASUREMENTS: tuple[Measurement, ...] = (
    Measurement(
        "kingdomino-mce",
        GAME,
        MATCHES,
        "Master against three MCE-FG/R",
        "The best player of Gedda, Lagerkvist and Butler in three of four seats, with 20 ms of CPU time a ply for all. "
        "The margin is to the best of the three: among four equals it is about \u22129.",
        versus(GAME, for_seconds(MASTER, TIME), for_seconds(MCE, TIME), deals=100, seats=FOUR, target=OF_MCE),
        OF_MCE,
    ),
    Measurement(
        "kingdomino-learned",
        GAME,
        MATCHES,
        "The learned search against Master",
        "What was learned from self-play, as leaf and in playouts, against the same search without it; two seats, "
        "20 ms a ply for both.",
        versus(GAME, for_seconds(LEARNED, TIME), for_seconds(MASTER, TIME), deals=400, target=OF_MASTER, seed=FRESH),
        OF_MASTER,
    ),
    regret(GAME, positions=60, playouts=600),
    insider(GAME, "easy", {"playouts": 400}, 50, candidates=24, allocation="halving", paired=True),
    insider(GAME, "expert", {"playouts": 400}, 50, candidates=24, allocation="halving", paired=True),
    response(GAME, "expert", FLAT, VALUES, size=(8, 80, 100)),
    response(GAME, STRONGEST, FLAT, VALUES, size=(8, 80, 100)),
)
