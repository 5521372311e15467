"""What a search foretells of one that is deeper: the linear models of ChanceProbCut, fitted and kept as data.

A line V = a v' + b + e for each evaluation, depth d and number of plies R left out, as the first part of the
article has it (Schadd, Winands, Uiterwijk 2009; how its authors fitted theirs was not at hand): v' is the value
`d - R` plies deep for the seat on turn, V that `d` plies deep, sigma the deviation of e.
``python -m engines depth-models GAME`` fits them on positions that the stored ones, on which searches are
compared, have no part in.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from engines import bench_positions
from engines.deepening import Kernels, Plan, Run, kernels_of
from engines.driver import NodeAllowance
from games import data_files
from games.protocol import Game, State

NAME = "depth_models"
FORMAT = "depth-models-1"
SEATS = 2
"""Seats of the positions of a fit; what one seat gains the other loses, so a model holds for both."""
SEED = 1994
"""Seed of the positions of a fit, which differ from the stored ones."""
PAIRS = ((1, 1), (2, 1), (2, 2))
"""(Depth, plies left out) that are fitted."""
POSITIONS = 200
UNBOUNDED = 1e9


@dataclass(frozen=True)
class Fit:
    """Line from the value `depth - reduction` plies deep to that `depth` plies deep, for the seat on turn.

    sigma: standard deviation about the line, in units of the evaluation; correlation: of the two values.
    """

    evaluation: str
    depth: int
    reduction: int
    slope: float
    offset: float
    sigma: float
    correlation: float
    positions: int


def load(game: Game, evaluation: str, reduction: int) -> tuple[Fit, ...]:
    """The stored fits of an evaluation of a game; none where nobody made any."""
    return tuple(fit for fit in _stored(cast(Any, game)) if (fit.evaluation, fit.reduction) == (evaluation, reduction))


@cache
def _stored(game: Any) -> tuple[Fit, ...]:  # games are one object each, by identity
    data = data_files.read(game.folder, NAME, FORMAT)
    return () if data is None else tuple(Fit(**row) for row in data["fits"])


def model(fits: Sequence[Fit], threshold: float) -> NDArray[np.float64]:
    """The kernels' array (see `search/star.py`), float64[2, depths, 3], with error bars of `threshold` deviations.

    A seat's value of a position is minus that of the other, so the line of others on turn is a v' - b.
    """
    found = np.zeros((2, 1 + max((fit.depth for fit in fits), default=0), 3))
    for fit in fits:
        found[0, fit.depth] = fit.slope, -fit.offset, threshold * fit.sigma
        found[1, fit.depth] = fit.slope, fit.offset, threshold * fit.sigma
    return found


def make(game: Game, count: int = POSITIONS) -> tuple[Fit, ...]:
    """Fit all pairs of depths for all evaluations of a game. Raises ValueError where it has no evaluation."""
    if not game.evaluations:
        raise ValueError(f"{game.label} has no evaluation")
    kernels, states = kernels_of(cast(Any, game)), tuple(_positions(game, count))
    found = []
    for name, weights in game.evaluations.items():
        row = kernels.weights(weights)
        by_depth = {depth: [_value(kernels, game, state, depth, row) for state in states] for depth in range(3)}
        found += [_fit(name, depth, by_depth[depth - left_out], left_out, by_depth[depth]) for depth, left_out in PAIRS]
    return tuple(found)


def text(game: Game, fits: Sequence[Fit]) -> str:
    """The file that holds the fits, one a line."""
    rows = ",\n".join(json.dumps(asdict(fit)) for fit in fits)
    return json.dumps({"format": FORMAT, "game": game.id})[:-1] + f', "fits": [\n{rows}\n]}}\n'


def _positions(game: Game, count: int) -> Iterator[State]:
    """Positions in the mix of phases and standings of the stored ones, far enough from the end for every depth."""
    number = 0
    while count:
        number += 1
        state = bench_positions.make_one(game, number, SEED).state(game)
        if sum(game.plies_left(state, seat) for seat in range(SEATS)) >= 2:
            count -= 1
            yield state


def _value(kernels: Kernels, game: Game, state: State, depth: int, weights: NDArray[np.float64]) -> float:
    """Value of a position for the seat on turn, `depth` plies deep, not cut off at any bound."""
    seat = game.current_player(state)
    if depth == 0:
        return float(kernels.star.leaf(state, seat, UNBOUNDED, weights, np.zeros(kernels.rules.MAX_SEATS)))
    order = kernels.order(game.orderings[-1]) if game.orderings else 0
    plan = Plan(True, 1, False, True, False, order, weights, UNBOUNDED)
    iteration = Run(kernels, state, seat, plan, depth).deepen([depth], NodeAllowance(None, None, True))
    return float(iteration.values[iteration.best])


def _fit(evaluation: str, depth: int, shallow: Sequence[float], left_out: int, deep: Sequence[float]) -> Fit:
    """Least squares of the deeper values on the others."""
    (slope, offset), (residual,) = np.polyfit(shallow, deep, 1), np.polyfit(shallow, deep, 1, full=True)[1]
    sigma = float(np.sqrt(residual / (len(deep) - 2)))
    correlation = float(np.corrcoef(shallow, deep)[0, 1])
    slope, offset, sigma, correlation = (float(f"{value:.6g}") for value in (slope, offset, sigma, correlation))
    return Fit(evaluation, depth, left_out, slope, offset, sigma, correlation, len(deep))
