"""Measurements of Carcassonne."""

from __future__ import annotations

from worker.strength.line_ups import engine, for_seconds, insider, level, regret, response, strongest, versus
from worker.strength.model import MATCHES, WIN, Measurement, Target

GAME = "carcassonne"
TIME = 0.02
STRONGEST = strongest(GAME)
MASTER = level(GAME, STRONGEST)
BEFORE = engine("uct", {"simulations": 1000}, policy="informed", playout_plies=20)
"""Master as it was before evaluations were learned."""
STAR = engine("expectimax")
"""Star2.5 as Heyden's thesis ends with it: probing 5, dynamic bounds, its final weights."""
WEIGHTS = (
    "weight_meeples -100 to 400, weight_unfinished 0 to 100, weight_unfinished_city -50 to 50, "
    "weight_poor_field -200 to 50"
)
ONE_PLY = engine("expectimax", {"depth": 1}, evaluation="own", weight_score=100.0)

OF_STAR, OF_MASTER = Target(WIN, 0.80, 0.02), Target(WIN, 0.60, 0.05)
"""About 5 % the first test ended after 60 matches, decided, but with an interval that reached below the target."""

MEASUREMENTS: tuple[Measurement, ...] = (
    Measurement(
        "carcassonne-star",
        GAME,
        MATCHES,
        "Master against Star2.5",
        "The best player of Heyden's thesis, with 20 ms of CPU time a ply for both.",
        versus(GAME, for_seconds(MASTER, TIME), for_seconds(STAR, TIME), deals=300, target=OF_STAR),
        OF_STAR,
    ),
    Measurement(
        "carcassonne-master-before",
        GAME,
        MATCHES,
        "Master against the Master before",
        "UCT with informed playouts of 20 plies, the strongest level until 30 November 2026; 20 ms a ply for both.",
        versus(GAME, for_seconds(MASTER, TIME), for_seconds(BEFORE, TIME), deals=400, target=OF_MASTER),
        OF_MASTER,
    ),
    regret(GAME, positions=50, playouts=400),
    insider(GAME, "medium", {"playouts": 300}, 15, allocation="halving", paired=True),
    insider(GAME, "hard", {"playouts": 1500}, 20, allocation="halving", paired=True),
    response(GAME, "medium", ONE_PLY, WEIGHTS, size=(32, 600, 400)),
    response(GAME, "hard", ONE_PLY, WEIGHTS, size=(32, 600, 400)),
    response(GAME, STRONGEST, BEFORE, "c 0.3 to 30 log, playout_plies 4 to 60, epsilon 0 to 0.3", size=(8, 48, 60)),
)
