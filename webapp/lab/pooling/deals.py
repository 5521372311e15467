"""Contrasts deal by deal, for those that share deals: what is common to them counts once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webapp.lab.pooling.contrasts import Contrast
from webapp.lab.results import counted, queries
from webapp.lab.results.cache import patient
from webapp.lab.results.queries import PairSums
from webapp.records.models import Experiment
from worker.analysis.methods import Paired
from worker.analysis.moments import Moments

Array = NDArray[np.float64]

BY_DEAL = """
SELECT s.arm_index, s.side, array_agg(s.deal ORDER BY s.deal), array_agg(s.w ORDER BY s.deal),
       array_agg(s.margin ORDER BY s.deal), array_agg(s.score ORDER BY s.deal), array_agg(s.place ORDER BY s.deal)
FROM (
    SELECT s.arm_index, s.side, s.deal, (count(*) FILTER (WHERE s.result = 'win'))::float8 / count(*) AS w,
           sum(s.margin)::float8 / count(*) AS margin, sum(s.score)::float8 / count(*) AS score,
           sum(s.rank)::float8 / count(*) AS place
    FROM {seats} s WHERE s.arm_index = ANY({arms}) GROUP BY s.arm_index, s.side, s.deal
) AS s GROUP BY s.arm_index, s.side
"""


@dataclass(frozen=True)
class SideDeals:
    """A side deal by deal. deals: int64[n], ascending; means of each deal: float64[n]."""

    deals: NDArray[np.int64]
    wins: Array
    margins: Array
    scores: Array
    places: Array


@dataclass(frozen=True)
class PairDeals:
    """Both sides of a contrast on the deals that both have. wins, points, places: float64[2, n]."""

    deals: NDArray[np.int64]
    wins: Array
    points: Array
    places: Array

    def some(self, which: NDArray[np.bool_]) -> PairDeals:
        """Some of the deals."""
        return PairDeals(self.deals[which], self.wins[:, which], self.points[:, which], self.places[:, which])

    @property
    def sums(self) -> PairSums:
        """Over all of them."""
        return PairSums(_sums(self.wins), _sums(self.points), _sums(-self.places))

    def of(self, measure: Array) -> Mapping[int, float]:
        """The difference of each deal in a measure."""
        return dict(zip(self.deals.tolist(), (measure[0] - measure[1]).tolist(), strict=True))


def _sums(values: Array) -> Paired:
    return Moments.of(values[0] - values[1]), Moments.of(values[0]), Moments.of(values[1])


@patient
def _by_side(experiment: Experiment, arms: tuple[int, ...]) -> dict[tuple[int, int], SideDeals]:
    """Every side of some arms."""
    found = {}
    for arm, side, deals, *means in queries.rows(BY_DEAL, experiment, {"arms": list(arms)}):
        values = (np.array(row, dtype=np.float64) for row in means)
        found[arm, side] = SideDeals(np.array(deals, dtype=np.int64), *values)
    return found


def pair_deals(contrast: Contrast) -> PairDeals:
    """A contrast deal by deal."""
    numbers = contrast.numbers
    sides = _by_side(contrast.experiment, tuple(sorted({numbers.side.arm, numbers.baseline.arm})))
    seating = counted.seating(contrast.experiment)
    both = []
    for side in (numbers.side, numbers.baseline):
        size = seating[side.arm].sides
        copies = sorted({place % size for place in side.places})
        both.append([sides[side.arm, place] for place in copies if (side.arm, place) in sides])
    if not all(both):
        return PairDeals(np.zeros(0, np.int64), *(np.zeros((2, 0)) for _ in range(3)))
    common = both[0][0].deals
    for row in (*both[0], *both[1]):
        common = np.intersect1d(common, row.deals, assume_unique=True)
    is_of_arms = contrast.kind == "arms"

    def means(rows: Sequence[SideDeals], name: str) -> Array:
        values = [getattr(row, name)[np.isin(row.deals, common, assume_unique=True)] for row in rows]
        found: Array = np.mean(values, axis=0)
        return found

    points = "margins" if is_of_arms else "scores"
    found = PairDeals(common, *(np.array([means(rows, name) for rows in both]) for name in ("wins", points, "places")))
    return _other_way(found) if contrast.is_turned else found


def _other_way(found: PairDeals) -> PairDeals:
    return PairDeals(found.deals, found.wins[::-1], found.points[::-1], found.places[::-1])
