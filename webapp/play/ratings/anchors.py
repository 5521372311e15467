"""Engines' levels as anchors: fixed ratings, fitted from what each level won against the next.

The weakest level has `FLOOR` points. A level stands above the one below it by the points that
make the model expect what was measured (`engines.levels.Measurement`; a draw is half a win, and half
a match on each side keeps a clean sweep finite): with odds o = (losses + draws/2 + 1/2) /
(wins + draws/2 + 1/2) of the stronger one, by POINTS ln o, and where teams of k alike were
measured, whose skills add up, by a k-th of it. A level that nobody has measured against the one
below has no rating, nor has any above it.

The error of a distance comes by the delta method from that of the share of points, whose units are
the deals: POINTS sqrt(e (1/won + 1/lost)) with won and lost as in the odds, where e is the squared
error that the deals show, as a multiple of that of independent matches (`worker.analysis.rates.Share`).
In a clean sweep the deals show nothing. There a deal counts as one trial, so e is the number of its
matches; the lower end of the 95 % interval of the distance is then below that of the exact interval
(Clopper and Pearson 1934) for as many single matches as there were deals, from three deals on.

Distances of other pairs of levels come from other matches, so their errors are independent; but a place is the
sum of all distances below it. Two levels share the errors of the distances up to the lower one of them: their
covariance is the sum of those squared errors, which is the inverse of the information that the chain of pairs
has about the places, the weakest level being the zero.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from engines import levels
from engines.levels import Level, Measurement
from games import registry
from webapp.play import measured_deals
from webapp.play.ratings.scale import POINTS, START, START_ERROR, AnchorErrors
from webapp.table.live import rated_rules
from worker.analysis.rates import Share

FLOOR = 1000.0
HALF = 0.5
OTHER_RULES = 50.0
"""Standard error, beside its own, of a distance that was measured by other rules than those of the pool."""


@dataclass(frozen=True)
class Anchor:
    """A level's place.

    error: standard error of its distance from the level below; whole_error: of its place, so of all distances
    below it. Both are 0 for the weakest. is_measured: by the rules of its pool; else by the paper's, and its
    error is wider.
    """

    level: Level
    mean: float
    error: float
    whole_error: float = 0.0
    is_measured: bool = True


def for_game(game_id: str, pool: str) -> tuple[Anchor, ...]:
    """The levels of a game that have a rating in a pool (`rated_rules.POOLS`), weakest first."""
    known = levels.for_game(game_id)
    if not known:
        return ()
    found = [Anchor(known[0], FLOOR, 0.0)]
    for below, level in pairwise(known):
        own = below.measured(rated_rules.POOLS[pool])
        measured = own or below.against_next
        if measured is None or not measured.matches:
            break
        distance, error = _distance(measured, _team_size(game_id))
        if own is None:
            error = math.hypot(error, OTHER_RULES)
        whole = math.hypot(found[-1].whole_error, error)
        found.append(Anchor(level, found[-1].mean + distance, error, whole, is_measured=own is not None))
    return tuple(found)


def get(game_id: str, pool: str, level_id: str) -> Anchor | None:
    """A level's anchor; None where it has no rating."""
    return next((anchor for anchor in for_game(game_id, pool) if anchor.level.id == level_id), None)


def errors(game_id: str, pool: str) -> AnchorErrors:
    """What the places of a game's levels may be off by, with the start of people, which stands by itself."""
    known = for_game(game_id, pool)
    places = np.arange(len(known))
    shared = np.array([anchor.whole_error**2 for anchor in known])[np.minimum.outer(places, places)]
    covariance = np.zeros((len(known) + 1, len(known) + 1))
    covariance[:-1, :-1] = shared
    covariance[-1, -1] = START_ERROR**2
    return AnchorErrors((*(anchor.level.id for anchor in known), START), covariance)


def leaning(game_id: str, pool: str, level_id: str, mean: float) -> dict[str, float]:
    """The leaning of a level that stood at `mean`; one that is gone was measured through those about it."""
    known = for_game(game_id, pool)
    if not known or any(anchor.level.id == level_id for anchor in known):
        return {level_id: 1.0} if known else {START: 1.0}
    return {min(known, key=lambda anchor: abs(anchor.mean - mean)).level.id: 1.0}


def _team_size(game_id: str) -> int:
    """Partners of one level on each side of the matches that measured it (`engines.ladder`)."""
    traits = registry.get(game_id).traits
    return max(1, traits.min_seats // 2) if traits.has_teams else 1


def _distance(weaker: Measurement, team_size: int) -> tuple[float, float]:
    """Points between two levels, and their standard error."""
    won = weaker.wins + weaker.draws / 2 + HALF
    lost = weaker.losses + weaker.draws / 2 + HALF
    share = Share.of_blocks(measured_deals.points(weaker))
    assert share is not None, "somebody has measured it"
    scale = POINTS / team_size
    return scale * math.log(lost / won), scale * math.sqrt(share.effect * (1 / won + 1 / lost))
