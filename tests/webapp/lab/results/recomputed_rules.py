"""What stop rules saw and when they ended an experiment, from values of deals alone, with numpy and scipy.

As `recomputed`: formulas are those of /judging/ and of the papers named there, written down once more, deal after
deal, with nothing of the project.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, stats

from tests.webapp.lab.results import recomputed

Array = NDArray[np.float64]

LEAST = 30
UNSEEN = 1e-3
"""What the outermost possible results count where they were not seen."""


@dataclass(frozen=True)
class Look:
    """What a test of two claims has after some deals: both kinds of evidence, each with its bounds."""

    ratio: float
    lower: float
    upper: float
    alone: float
    least: float
    most: float

    @property
    def ended(self) -> str:
        """What ends it here: a claim, and by which evidence."""
        if self.ratio >= self.upper or self.ratio <= self.lower:
            return "h1 llr" if self.ratio >= self.upper else "h0 llr"
        if self.alone >= self.most or self.alone <= self.least:
            return "h1 beyond" if self.alone >= self.most else "h0 beyond"
        return ""


def looks_of_test(values: Sequence[float], h0: float, h1: float, error: float = 0.05) -> list[Look]:
    """A test of points, after each deal until it ends. error: alpha and beta, of which one claim alone has a tenth."""
    looks: list[Look] = []
    ratios = [0.0]
    wald, most = math.log((1 - 0.9 * error) / (0.9 * error)), -math.log(0.1 * error)
    for count in range(1, len(values) + 1):
        seen = np.array(values[:count])
        ratios.append(_ratio(seen, h0, h1))
        steps = np.diff(ratios)
        up, down = (math.sqrt(2 * float((np.maximum(sign * steps, 0) ** 2).mean())) / 2 for sign in (1, -1))
        skewness = float(stats.skew(seen)) if np.ptp(seen) else 0.0
        around = math.sqrt(float(((seen - (h0 + h1) / 2) ** 2).mean()))
        apart = 2 / 3 * (h1 - h0) / around
        lower, upper = (
            wald * (1 + apart * max(math.sqrt(6 / count) + sign * skewness, 0)) - min(overshoot, wald / 2)
            for sign, overshoot in ((1, down), (-1, up))
        )
        above, below = (max(0.0, _e_value(seen, claim, sign, error / 10)) for claim, sign in ((h0, 1), (h1, -1)))
        alone = above if above >= below else -below
        looks.append(Look(ratios[-1], -lower, upper, alone, -most, most))
        if count >= LEAST and looks[-1].ended:
            break
    return looks


def _ratio(seen: Array, h0: float, h1: float) -> float:
    """Log-likelihood ratio of two means (Owen 1988), with three deals less for the unknown deviation."""
    low = min(float(seen.min()), h0 + h1 - float(seen.max()), 2 * h0 - h1)
    high = h0 + h1 - low
    outer = [(end, UNSEEN) for end, inner in ((low, seen.min()), (high, seen.max())) if end != inner]
    results = np.array([*seen, *(end for end, _ in outer)])
    weights = np.array([*np.ones(len(seen)), *(weight for _, weight in outer)])

    def likelihood(mean: float) -> float:
        excess = results - mean
        ends = -1 / excess.max(), -1 / excess.min()
        inside = [end * (1 - 1e-12) for end in ends]
        root = optimize.brentq(lambda x: float((weights * excess / (1 + x * excess)).sum()), *inside, xtol=1e-15)
        return -float((weights * np.log1p(root * excess)).sum())

    return (likelihood(h1) - likelihood(h0)) * max(len(seen) - 3, 0) / len(seen)


def _e_value(seen: Array, claim: float, sign: int, level: float) -> float:
    """Logarithm of the evidence that the mean is above a claim (sign 1), or below: Student's t, less for skewness."""
    count = len(seen)
    if count < 2 or not np.ptp(seen):
        return -math.inf
    t = sign * (float(seen.mean()) - claim) / float(stats.sem(seen))
    wide = max(math.sqrt(6 / count) - sign * float(stats.skew(seen)), 0) / (6 * math.sqrt(count))
    if t <= wide:
        return -math.inf
    left = optimize.brentq(lambda x: x + wide * (2 * x * x + 1) - t, 0, t)
    spread = 1 + count * (1 - 2 * math.log(level) + math.log(-2 * math.log(level))) / 50
    return (count * math.log((left**2 + count - 1) / (left**2 / spread + count - 1)) - math.log(spread)) / 2


@dataclass
class Race:
    """A race of arms on points: each arm that was dropped, after how many deals; ended: after how many one was left."""

    dropped: dict[int, int] = field(default_factory=dict)
    ended: int | None = None
    best: int | None = None


def raced(arms: Mapping[int, Sequence[float]], planned: int, error: float = 0.05) -> Race:
    """Arm 0 is the baseline and is never dropped; values of deals that all arms have."""
    pairs = list(itertools.combinations(arms, 2))
    ends = {
        (a, b): recomputed.sequence(np.subtract(arms[b], arms[a]).tolist(), planned, error / len(pairs))
        for a, b in pairs
    }
    race, shown, beats = Race(), set[tuple[int, int]](), set[int]()
    for count in range(1, planned + 1):
        claims = []
        for (a, b), found in ends.items():
            low, high = found[count - 1] or (-math.inf, math.inf)
            claims += [(a, b)] if low > 0 else [(b, a)] if high < 0 else []
        for worse, better in sorted(set(claims) - shown):
            shown.add((worse, better))
            if race.dropped.get(worse, count) < count or race.dropped.get(better, count) < count:
                continue
            if worse == 0:
                beats.add(better)
            else:
                race.dropped.setdefault(worse, count)
            left = [arm for arm in arms if arm and arm not in race.dropped]
            if not left or (len(left) == 1 and left[0] in beats):
                race.ended, race.best = count, left[0] if left else 0
                return race
    return race
