"""Values of positions and ends of rounds in searches over hands, and where kernels read them (`worlds`)."""

from __future__ import annotations

from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from games.dominoes import state as layout
from games.dominoes import tiles
from games.dominoes.search import fitted_weights
from games.hands import Valuation
from games.protocol import State

EVALUATIONS = ("pips", "pips_tiles", "fitted")
FINE = 100
"""Worth of a point inside of searches: fitted values have decimals."""
MOST_POINTS = 1024
"""Points of a round that are told apart."""
MOST_TURNS = 2_000_000
"""Turns that one search may make, a fifth of a second; one that would take more is made less deep, in
a few times as many. A round from its first turn to its end takes 500,000 with all hands known."""
TABLE_BITS = 15
"""A table of positions has 2^TABLE_BITS places, half a megabyte, at most: one that left a core's own cache was up to
2.6 times as slow beside busy neighbours, and saves 2 % of the turns."""
BARE_BITS, FEWER_BITS = 18, 8
"""It needs no more bits than BARE_BITS less two for every three tiles on the table from the third on, nor fewer than
FEWER_BITS."""


def points() -> NDArray[np.float64]:
    """Value for team 0 of a round won by a team with so many points, a point worth a point: float64[team, points]."""
    gained = np.arange(float(MOST_POINTS))
    return np.array([gained, -gained])


def words(kernels: ModuleType, state: State, valuation: Valuation, worths: NDArray[np.float64]) -> NDArray[np.int64]:
    """Settings of a search for kernels. worths: as `points`, not looked at where pips are counted as the authors do."""
    module = kernels.worlds
    w = np.zeros(module.WORK, np.int64)
    w[module.EVALUATION] = EVALUATIONS.index(valuation.evaluation)
    w[module.SCALE], w[module.TILE_WORTH], w[module.MOST_TURNS] = FINE, valuation.tile_worth, MOST_TURNS
    w[module.IS_AUTHORS] = valuation.payoff == "authors"
    if valuation.payoff != "authors":
        w[module.WORTH : module.WEIGHTS] = np.rint(FINE * worths).astype(np.int64).reshape(-1)
    if valuation.evaluation == "fitted":
        weights = fitted_weights.value()
        w[module.WEIGHTS : module.WEIGHTS + len(weights)] = np.rint(FINE * weights).astype(np.int64)
    laid = tiles.NUM_TILES - int(state[layout.UNPLAYED]).bit_count()
    needed = max(FEWER_BITS, BARE_BITS - max(0, laid - 2) * 2 // 3)
    w[module.MASK] = (1 << min(TABLE_BITS, needed)) - 1
    return w
