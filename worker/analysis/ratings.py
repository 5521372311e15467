"""Ratings of a pool of players, in Elo above the mean of the pool, with all that deals say of their errors.

Matches of a deal share its luck, whoever plays them, so deals are the units, and they are drawn again as wholes: each
has an exponential weight, the extra deals of `plackett_luce` gamma weights of shape 1/2 for their won and lost half
(the Bayesian bootstrap, Rubin 1981, Annals of Statistics 9). Of two players with one match a deal this is Jeffreys'
interval of a rate (Brown, Cai and DasGupta 2001, Statistical Science 16), which is honest where one of them won all.

Weights of n deals spread a mean by the root of (n - 1) / (n + 1) too little, and few deals ask for Student's t: ends
are as much farther out in the quantiles (Hesterberg 2015, American Statistician 69, section 3.3.2). Intervals,
probabilities and sets of ranks are all read from this one distribution, so a lead is more than 97.5 % sure exactly
where its 95 % interval is above 0.

No player is exact: all are rated against the mean of the pool, and `covariance` has what their errors share.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from worker.analysis import plackett_luce
from worker.analysis.intervals import CONFIDENCE, Interval
from worker.analysis.lazy_scipy import special
from worker.analysis.plackett_luce import Counts, Ranking

Array = NDArray[np.float64]

ELO = 400 / math.log(10)
"""Elo of one unit of strength."""
LEAST_DEALS = 10
"""Deals of a player under which resampling says too little."""
RESAMPLES = 1000
TAIL = 0.005
"""Part of the samples at either end that are too few to read quantiles from: there the line through the median and the
end of the rest goes on, on normal paper."""
LEAST_WEIGHT = 1e-4
"""Of the won and lost half of an extra deal: who won all of 20 deals is at most 2,100 Elo above the loser."""


@dataclass(frozen=True)
class Ratings:
    """Ratings of players.

    elo: float64[N], above the mean of the pool; samples: float64[R, N], the same with deals drawn again;
    deals: int64[N], those that each player took part in.
    """

    elo: Array
    samples: Array
    deals: NDArray[np.int64]

    def less(self, player: int) -> Ratings:
        """The same above one player in place of the mean of the pool."""
        return Ratings(self.elo - self.elo[player], self.samples - self.samples[:, [player]], self.deals)

    @property
    def covariance(self) -> Array:
        """Of the errors of all ratings: float64[N, N], in Elo squared.

        Each is made as much wider as the number of its player's deals asks for.
        """
        wider = np.sqrt(self._wider)
        found: Array = np.cov(self.samples.T) * np.outer(wider, wider)
        return found

    @property
    def _wider(self) -> Array:
        """How much larger a variance is than weights of so many deals show: float64[N]."""
        wider: Array = (self.deals + 1) / np.maximum(self.deals - 1, 1)
        return wider

    def interval(self, player: int, confidence: float = CONFIDENCE) -> Interval | None:
        """Interval of a rating; None where its deals are too few."""
        return self._ends(self.samples[:, player], self.deals[[player]], confidence)

    def lead(self, first: int, second: int) -> float:
        """Rating of the first less that of the second."""
        return float(self.elo[first] - self.elo[second])

    def lead_interval(self, first: int, second: int, confidence: float = CONFIDENCE) -> Interval | None:
        """Interval of a lead; None where deals are too few."""
        leads = self.samples[:, first] - self.samples[:, second]
        return self._ends(leads, self.deals[[first, second]], confidence)

    def probability_above(self, first: int, second: int) -> float | None:
        """Probability that the first is the stronger; None where deals are too few."""
        least = self.least_deals(first, second)
        if least < LEAST_DEALS:
            return None
        normal = -_normal_of(self.samples[:, first] - self.samples[:, second], 0.0)
        return float(special.stdtr(least - 1, normal / _wider(least)))

    def least_deals(self, first: int, second: int) -> int:
        """Deals of that one of two who has fewer: what is known of their order rests on them."""
        return int(self.deals[[first, second]].min())

    def order(self) -> list[int]:
        """Players, the strongest first."""
        return [int(i) for i in np.argsort(-self.elo, kind="stable")]

    def ranks(self, player: int, confidence: float = CONFIDENCE) -> tuple[int, int]:
        """Set of ranks, first to last, that holds the rank of a player with this confidence.

        It is behind those who are surely above, and ahead of those surely below, by the differences to all others at
        once (Mogstad, Romano, Shaikh and Wilhelm 2024, Review of Economic Studies 91, section 3; Bonferroni).
        """
        players = len(self.elo)
        others = [other for other in range(players) if other != player]
        sides = [self._side(player, other, 1 - (1 - confidence) / max(1, len(others))) for other in others]
        return 1 + sides.count(-1), players - sides.count(1)

    def _side(self, first: int, second: int, confidence: float) -> int:
        """1 where the first is surely above the second, -1 where below, 0 where neither."""
        above = self.probability_above(first, second)
        tail = (1 - confidence) / 2
        return 0 if above is None else (above > 1 - tail) - (above < tail)

    def _ends(self, values: Array, deals: NDArray[np.int64], confidence: float) -> Interval | None:
        least = int(deals.min())
        if least < LEAST_DEALS:
            return None
        reach = float(special.stdtrit(least - 1, (1 + confidence) / 2)) * _wider(least)
        return Interval(_quantile(values, -reach), _quantile(values, reach))


def _wider(deals: int) -> float:
    """How much larger a standard error is than weights of so many deals show."""
    return math.sqrt((deals + 1) / (deals - 1))


@cache
def _end() -> float:
    return float(special.ndtri(1 - TAIL))


def _quantile(values: Array, normal: float) -> float:
    """The quantile of samples at the probability of this normal value."""
    if abs(normal) <= _end():
        return float(np.quantile(values, special.ndtr(normal)))
    middle, end = np.quantile(values, (0.5, TAIL if normal < 0 else 1 - TAIL))
    return float(middle + (end - middle) * abs(normal) / _end())


def _normal_of(values: Array, at: float) -> float:
    """The normal value of a place among samples: the inverse of `_quantile`."""
    low, middle, high = np.quantile(values, (TAIL, 0.5, 1 - TAIL))
    if low <= at <= high:
        ends = np.sort(values)
        return float(special.ndtri(np.interp(at, ends, np.linspace(0, 1, len(ends)))))
    end = low if at < low else high
    return float(_end() * (at - middle) / abs(end - middle)) if end != middle else math.copysign(math.inf, at - middle)


def rate(matches: Sequence[Ranking], players: int, seed: int = 0) -> Ratings:
    """Rate players by their matches.

    Raises ValueError where some met none of the others, not even by way of third ones.
    """
    return rate_counts(plackett_luce.counts(matches, players), seed)


def rate_counts(counted: Counts, seed: int = 0, resamples: int = RESAMPLES) -> Ratings:
    """The same of matches that are added up. seed: of what is drawn again."""
    apart = counted.groups()[1:]
    if apart:
        rest = sorted(player for group in apart for player in group)
        raise ValueError(f"players {rest} met none of the others, so nothing says how strong they are beside them")
    half = counted.extra[None] / 2
    strength = plackett_luce.fit(counted, np.ones((1, len(counted.deals))), half, half)[0]
    samples = plackett_luce.fit(counted, *drawn_again(counted, seed, resamples), strength)
    return Ratings(ELO * strength, ELO * samples, counted.deals_of_each)


def drawn_again(counted: Counts, seed: int, resamples: int) -> tuple[Array, Array, Array]:
    """Weights of deals, float64[R, deals], ; wins and losses of the extra deals, float64[R, pairs]."""
    rng = np.random.Generator(np.random.PCG64(seed))
    weights = rng.standard_exponential((resamples, len(counted.deals)))
    shape, size = counted.extra / counted.meetings / 2, counted.meetings
    ahead, behind = (
        size * np.maximum(LEAST_WEIGHT, rng.standard_gamma(shape, (resamples, len(size)))) for _ in range(2)
    )
    return weights, ahead, behind
