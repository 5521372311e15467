"""Numbers of a result page from its exported CSV alone, with numpy and scipy: nothing of the project is used.

Formulas are those of /judging/ and of the docstrings of `worker.analysis`, written down once more. The deal is the
unit: a list holds, for each deal, the values of its matches.
"""

from __future__ import annotations

import csv
import io
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy import optimize, special, stats

from tests.webapp.lab.results import by_hand

Row = dict[str, str]
Values = Callable[[Row], float]
Deals = list[list[float]]
Ends = tuple[float, float]

LEAST_DEALS = 5
"""Of fewer deals a mean has no interval that holds at every look."""


def won(row: Row) -> float:
    return float(row["result"] == "win")


def drawn(row: Row) -> float:
    return float(row["result"] == "draw")


def lost(row: Row) -> float:
    return float(row["result"] == "loss")


def of(column: str) -> Values:
    """The values of a column."""
    return lambda row: float(row[column])


@dataclass
class Export:
    """The rows of a file of matches. last: deals that count in the numbers, where a stop rule ended it before.

    teams: whether places 0 and 2 play against 1 and 3, and have result, score and margin in common.
    """

    text: str
    teams: bool = False
    last: int | None = None
    matches: dict[tuple[int, int, int], list[Row]] = field(default_factory=dict)
    whole: dict[int, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        seats: dict[tuple[int, int, int], list[Row]] = defaultdict(list)
        for row in csv.DictReader(io.StringIO(self.text)):
            seats[int(row["arm"]), int(row["deal"]), int(row["rotation"])].append(row)
        self.matches = {key: sorted(rows, key=lambda row: int(row["seat"])) for key, rows in sorted(seats.items())}
        for arm in sorted({arm for arm, _, _ in self.matches}):
            finished = [deal for (own, deal, _), rows in self.matches.items() if own == arm and _is_finished(rows)]
            size = max(finished.count(deal) for deal in finished)
            self.whole[arm] = [deal for deal in sorted(set(finished)) if finished.count(deal) == size]
            if self.last is not None:
                self.whole[arm] = [deal for deal in self.whole[arm] if deal < self.last]

    @property
    def finished(self) -> int:
        """Matches that have a result."""
        return sum(map(_is_finished, self.matches.values()))

    @property
    def failed(self) -> int:
        """Matches that have none."""
        return len(self.matches) - self.finished

    @property
    def counted(self) -> list[tuple[int, int, int]]:
        """Matches of whole deals."""
        return [key for key in self.matches if key[1] in self.whole[key[0]] and _is_finished(self.matches[key])]

    def of_deal(self, arm: int, deal: int) -> list[list[Row]]:
        """The matches of a deal."""
        return [rows for (own, number, _), rows in self.matches.items() if (own, number) == (arm, deal)]

    def deals(self, arm: int, side: int, value: Values, seat: int | None = None) -> Deals:
        """Values of a side in each whole deal, of one seat if it is said; of partners one speaks for both."""
        modulus = 2 if self.teams else 1_000
        found = []
        for deal in self.whole[arm]:
            rows = []
            for match in self.of_deal(arm, deal):
                own = [row for row in match if int(row["place"]) % modulus == side]
                own = [row for row in own if seat is None or int(row["seat"]) % modulus == seat]
                rows += own[:1]
            found.append([value(row) for row in rows])
        return found

    def seat(self, seat: int, value: Values) -> Deals:
        """Values of a seat in each deal, over all arms."""
        return self.by_deal(lambda match: value(match[seat]))

    def by_deal(self, value: Callable[[list[Row]], float | None]) -> Deals:
        """Values of the matches of each deal, over all arms; None: it has none."""
        every: dict[int, list[float]] = defaultdict(list)
        for arm, deal, rotation in self.counted:
            found = value(self.matches[arm, deal, rotation])
            if found is not None:
                every[deal].append(found)
        return list(every.values())

    def common(self, arm: int, other: int) -> list[int]:
        """Deals that both arms have whole."""
        return [deal for deal in self.whole[arm] if deal in self.whole[other]]

    def pair(self, arm: int, other: int, value: Values) -> tuple[Deals, Deals]:
        """Values of the first sides of two arms on the deals that both have."""
        both = []
        for own in (arm, other):
            by_deal = dict(zip(self.whole[own], self.deals(own, 0, value), strict=True))
            both.append([by_deal[deal] for deal in self.common(arm, other)])
        return both[0], both[1]


def _is_finished(rows: list[Row]) -> bool:
    return all(row["status"] == "finished" for row in rows)


def mean(deals: Deals) -> float:
    """Mean over all values."""
    return float(np.mean(np.concatenate([np.array(deal) for deal in deals])))


def total(deals: Deals) -> float:
    """Sum over all values."""
    return sum(map(sum, deals))


def error(deals: Deals) -> float:
    """Standard error of the mean, a ratio of two totals over deals (Cochran 1977, section 6.3)."""
    sizes, sums = np.array([len(deal) for deal in deals if deal]), np.array([sum(deal) for deal in deals if deal])
    residuals = sums - sums.sum() / sizes.sum() * sizes
    return math.sqrt(len(sizes) / (len(sizes) - 1) * float((residuals**2).sum())) / float(sizes.sum())


def student(deals: Deals, confidence: float = 0.95) -> Ends:
    """Student's interval of a mean."""
    half = float(stats.t.ppf((1 + confidence) / 2, sum(map(bool, deals)) - 1)) * error(deals)
    return mean(deals) - half, mean(deals) + half


def rate(deals: Deals) -> Ends:
    """Wilson's interval over as many independent matches as those of the deals are worth."""
    return by_hand.rate_bounds([[bool(value) for value in deal] for deal in deals if deal])


@dataclass(frozen=True)
class Compared:
    """A difference, its interval, p before any correction, and the ratio of variances."""

    deals: int
    mean: float
    ends: Ends | None
    p: float
    ratio: float = math.nan


def difference(ours: Deals, theirs: Deals, confidence: float) -> Compared:
    """Student's test of the means of deals, paired."""
    first, second = (np.array([np.mean(deal) for deal in deals]) for deals in (ours, theirs))
    found = stats.ttest_1samp(first - second, 0.0)
    ends = found.confidence_interval(confidence)
    ratio = np.var(first - second, ddof=1) / (np.var(first, ddof=1) + np.var(second, ddof=1))
    bounds = float(ends.low), float(ends.high)
    return Compared(len(ours), float(np.mean(first - second)), bounds, float(found.pvalue), float(ratio))


def rate_difference(ours: Deals, theirs: Deals, confidence: float) -> Compared:
    """The score interval of two rates on the same deals."""
    first, second = ([[bool(value) for value in deal] for deal in deals] for deals in (ours, theirs))
    low, high, p = by_hand.difference(first, second, confidence)
    return Compared(len(ours), mean(ours) - mean(theirs), (low, high), p)


def holm(ps: Sequence[float]) -> list[float]:
    """p-values that hold together (Holm 1979)."""
    order = np.argsort(ps)
    steps = np.maximum.accumulate([(len(ps) - i) * ps[k] for i, k in enumerate(order)])
    adjusted = np.empty(len(ps))
    adjusted[order] = np.minimum(1, steps)
    return adjusted.tolist()


def every_look(deals: Deals, planned: int, confidence: float = 0.95) -> Ends | None:
    """Interval of a mean that holds at every look; None for few deals, and where nothing varies.

    The mixture boundary (Waudby-Smith et al. 2024, theorem 2.2), as far out in Student's distribution as it is in the
    normal one, and farther for a skewness of 0.75 (Johnson 1978).
    """
    number, alpha = len(deals), 1 - confidence
    if number < LEAST_DEALS or not error(deals):
        return None
    tuned = (-2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))) / max(planned, LEAST_DEALS)
    grown = 1 + number * tuned
    normal = math.sqrt(2 * grown / (number * tuned) * math.log(math.sqrt(grown) / alpha))
    bound = float(stats.t.isf(stats.norm.sf(normal), number - 1))
    half = (bound + 0.75 * (2 * bound**2 + 1) / (6 * math.sqrt(number))) * error(deals)
    return mean(deals) - half, mean(deals) + half


def every_look_rate(deals: Deals, confidence: float = 0.95, step: float = 1.0) -> Ends:
    """Interval of a rate that holds at every look: a Beta(1/2, 1/2) mixture (Robbins 1970) of independent trials.

    Of values from 0 to 1 that differ by `step` at least. As many trials as they are worth, with Student's correction
    at the confidence of an ordinary interval that is about as wide.
    """
    share, trials, freedom = by_hand.worth_of(deals, step)
    alpha = 1 - confidence
    z = math.sqrt(3 - 2 * math.log(alpha))
    if freedom is not None:
        trials *= (z / float(stats.t.isf(stats.norm.sf(z), freedom))) ** 2
    wins, losses = share * trials, (1 - share) * trials

    def evidence(p: float) -> float:
        mixture = special.betaln(wins + 0.5, losses + 0.5) - special.betaln(0.5, 0.5)
        return float(mixture - special.xlogy(wins, p) - special.xlog1py(losses, -p) + math.log(alpha))

    low = optimize.brentq(evidence, 1e-12, share) if wins and evidence(1e-12) > 0 else 0.0
    high = optimize.brentq(evidence, share, 1 - 1e-12) if losses and evidence(1 - 1e-12) > 0 else 1.0
    return low, high


def every_look_rate_difference(ours: Deals, theirs: Deals, confidence: float) -> Ends | None:
    """The same of the difference of two rates on the same deals, which lies between -1 and 1; no narrower than once."""
    apart = [float(np.mean(one) - np.mean(two)) for one, two in zip(ours, theirs, strict=True)]
    if np.ptp(apart) == 0:
        return None
    step = 1 / max(len(ours[0]), len(theirs[0])) / 2
    low, high = every_look_rate([[(value + 1) / 2] for value in apart], confidence, step)
    once = rate_difference(ours, theirs, confidence).ends
    assert once is not None
    return min(2 * low - 1, once[0]), max(2 * high - 1, once[1])


def every_look_difference(ours: Deals, theirs: Deals, planned: int, confidence: float) -> Ends | None:
    """Interval of a difference of means on the same deals."""
    apart = [[float(np.mean(one) - np.mean(two))] for one, two in zip(ours, theirs, strict=True)]
    return every_look(apart, planned, confidence)


def places_every_look(deals: Deals, last: int) -> Ends:
    """Interval of a mean place from 1 to the last."""
    low, high = every_look_rate([[(place - 1) / (last - 1) for place in deal] for deal in deals], step=1 / (last - 1))
    return 1 + (last - 1) * low, 1 + (last - 1) * high


def sequence(values: Sequence[float], planned: int, level: float = 0.05) -> list[Ends | None]:
    """Interval of the mean of values without bounds after each one (Wang and Ramdas 2023, theorem 4.9).

    Farther out on the side on which skewness makes t heavier, with a standard error of the skewness added.
    """
    found: list[Ends | None] = []
    for count in range(1, len(values) + 1):
        seen = np.array(values[:count])
        spread = 1 + count * (-2 * math.log(level) + math.log(-2 * math.log(level)) + 1) / max(planned / 4, 50)
        growth = (spread / level**2) ** (1 / count)
        if growth >= spread or not np.ptp(seen):
            found.append(None)
            continue
        limit = math.sqrt((count - 1) * (growth - 1) / (1 - growth / spread))
        unsure, skewness = math.sqrt(6 / count), float(stats.skew(seen))
        wide = (2 * limit**2 + 1) / (6 * math.sqrt(count))
        scale = float(seen.std(ddof=1)) / math.sqrt(count)
        below, above = (limit + max(unsure + sign * skewness, 0) * wide for sign in (-1, 1))
        found.append((float(seen.mean()) - below * scale, float(seen.mean()) + above * scale))
    return found


def precise_after(differences: Iterable[float], half_width: float, least: int = 30) -> tuple[int | None, list[float]]:
    """Deals after which Student's interval is narrow enough for the first time, and its half-width after each."""
    values, widths = list(differences), []
    for count in range(2, len(values) + 1):
        deviation = float(np.std(values[:count], ddof=1))
        widths.append(float(stats.t.ppf(0.975, count - 1)) * deviation / math.sqrt(count))
    ends = [count for count, width in enumerate(widths, start=2) if count >= least and width <= half_width]
    return (ends[0] if ends else None), [math.inf, *widths]
