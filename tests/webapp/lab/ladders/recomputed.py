"""Ratings of a ladder for two from its exported CSV alone, with numpy and scipy: nothing of the project is used.

As /judging/ has it: Bradley and Terry's model (1952) by Hunter's fixed point (2004), with one deal more for each
engine, half won; deals as units, each drawn again with an exponential weight (Rubin 1981).
"""

from __future__ import annotations

import csv
import io
import itertools
import math
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Array = NDArray[np.float64]
Ends = tuple[float, float]

ELO = 400 / math.log(10)
DRAWS, SEED = 1000, 23
ROUNDS = 300
TAIL = 0.005
"""Quantiles beyond are read from the line through the median and this one, on normal paper."""


@dataclass
class Ladder:
    """Matches of a file: by deal and pair, how often they met, what the first of them scored, and its margins."""

    text: str

    @cached_property
    def matches(self) -> list[tuple[int, tuple[str, str], float, float]]:
        """Deal, both names, points of the first, its margin."""
        seats: dict[str, dict[int, dict[str, str]]] = defaultdict(dict)
        for row in csv.DictReader(io.StringIO(self.text)):
            seats[row["match"]][int(row["place"])] = row
        found = []
        for match in seats.values():
            first, second = match[0]["player"], match[1]["player"]
            points = {"win": 1.0, "draw": 0.5, "loss": 0.0}[match[0]["result"]]
            found.append((int(match[0]["deal"]), (first, second), points, float(match[0]["margin"])))
        return found

    @cached_property
    def names(self) -> list[str]:
        """Of all engines, in the order of the alphabet."""
        return sorted({name for _, pair, _, _ in self.matches for name in pair})

    @cached_property
    def numbers(self) -> dict[int, int]:
        """Row of a deal."""
        return {deal: i for i, deal in enumerate(sorted({deal for deal, _, _, _ in self.matches}))}

    @cached_property
    def points(self) -> Array:
        """What each scored against each on a deal: float64[deals, N, N]."""
        found = np.zeros((len(self.numbers), len(self.names), len(self.names)))
        for deal, (first, second), points, _ in self.matches:
            a, b, row = self.names.index(first), self.names.index(second), self.numbers[deal]
            found[row, a, b] += points
            found[row, b, a] += 1 - points
        return found

    @cached_property
    def extra(self) -> tuple[Array, Array]:
        """Deals that each pair has besides, and matches of a deal in which it meets: float64[N, N]."""
        met = (self.points + self.points.transpose(0, 2, 1)).sum(axis=0)
        has_met = met > 0
        degree = has_met.sum(axis=1)
        share = np.where(has_met, (1 / degree[:, None] + 1 / degree[None]) / 2, 0)
        deals = ((self.points + self.points.transpose(0, 2, 1)) > 0).sum(axis=0)
        return share, np.where(has_met, met / np.maximum(deals, 1), 0)

    def _elo(self, points: Array) -> Array:
        """Likeliest ratings above their mean: float64[R, N] of points float64[R, N, N]."""
        met, won = points + points.transpose(0, 2, 1), points.sum(axis=2)
        strength = np.ones(won.shape)
        for _ in range(ROUNDS):
            strength = won / (met / (strength[:, :, None] + strength[:, None])).sum(axis=2)
            strength /= np.exp(np.log(strength).mean(axis=1, keepdims=True))
        found: Array = ELO * np.log(strength)
        return found

    @cached_property
    def elo(self) -> Array:
        """Ratings above the mean of all."""
        share, size = self.extra
        found: Array = self._elo((self.points.sum(axis=0) + share * size / 2)[None])[0]
        return found

    @cached_property
    def samples(self) -> Array:
        """The same with deals drawn again: float64[DRAWS, N]."""
        rng = np.random.default_rng(SEED)
        share, size = self.extra
        weights = rng.standard_exponential((DRAWS, len(self.numbers)))
        more = size * np.maximum(1e-4, rng.standard_gamma(share / 2, (DRAWS, *share.shape)))
        return self._elo(np.einsum("rd,dij->rij", weights, self.points) + np.where(share > 0, more, 0))

    def deals(self, *names: str) -> int:
        """Deals of that one of these engines who has fewest."""
        each = (self.points + self.points.transpose(0, 2, 1)).sum(axis=2) > 0
        return int(min(each[:, self.names.index(name)].sum() for name in names))

    def interval(self, first: str, second: str = "") -> Ends:
        """Of a rating, or of the lead of the first over the second."""
        values = self.samples[:, self.names.index(first)]
        least = self.deals(first, *([second] if second else []))
        if second:
            values = values - self.samples[:, self.names.index(second)]
        reach = float(stats.t.ppf(0.975, least - 1)) * math.sqrt((least + 1) / (least - 1))
        low, high = (float(np.quantile(values, stats.norm.cdf(sign * reach))) for sign in (-1, 1))
        return low, high

    def above(self, first: str, second: str) -> float:
        """Probability that the first is the stronger."""
        leads = self.samples[:, self.names.index(first)] - self.samples[:, self.names.index(second)]
        least = self.deals(first, second)
        end, middle = np.quantile(leads, (TAIL if np.median(leads) > 0 else 1 - TAIL, 0.5))
        part = float((leads > 0).mean())
        if TAIL <= part <= 1 - TAIL:
            normal = float(stats.norm.ppf(part))
        else:
            normal = float(stats.norm.ppf(1 - TAIL) * middle / abs(middle - end))
        return float(stats.t.cdf(normal / math.sqrt((least + 1) / (least - 1)), least - 1))

    def ranks(self, name: str, times: float = 1.0) -> tuple[int, int]:
        """First and last rank that an engine may have, by the differences to all others at once (Bonferroni).

        times: by how much each difference may err more often.
        """
        others = [self.above(name, other) for other in self.names if other != name]
        tail = times * 0.05 / len(others) / 2
        return 1 + sum(p < tail for p in others), len(self.names) - sum(p > 1 - tail for p in others)

    def pair(self, first: str, second: str) -> tuple[float, int, int, float] | None:
        """Share of points of the first, matches, deals and mean margin; None where they never met."""
        rows = []
        for deal, pair, points, margin in self.matches:
            if pair == (first, second):
                rows.append((deal, points, margin))
            elif pair == (second, first):
                rows.append((deal, 1 - points, -margin))
        if not rows:
            return None
        numbers, points_of, margins = zip(*rows, strict=True)
        return float(np.mean(points_of)), len(rows), len(set(numbers)), float(np.mean(margins))

    def margins(self, first: str, second: str) -> list[float]:
        """Margins of the first in all matches with the second."""
        turned = {(first, second): 1, (second, first): -1}
        return [turned[pair] * margin for _, pair, _, margin in self.matches if pair in turned]

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """All pairs, in either order, whether they met or not."""
        return list(itertools.permutations(self.names, 2))
