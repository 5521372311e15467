"""What the compared side of each arm did on every deal, and how arms differ on the deals that both played."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from psycopg import sql

from webapp.lab.results import counted, queries
from webapp.lab.results.cache import patient
from webapp.lab.results.method import always_valid
from webapp.lab.results.sides import lineups
from webapp.records.models import Experiment
from worker.analysis.intervals import CONFIDENCE, Interval
from worker.analysis.methods import Paired
from worker.analysis.moments import Moments

Array = NDArray[np.float64]

DEALS = """
SELECT s.arm_index, s.deal, (count(*) FILTER (WHERE s.result = 'win'))::float8 / count(*),
       sum(s.margin)::float8 / count(*), count(*)
FROM {seats} s WHERE s.side = {side} AND {speaks} GROUP BY s.arm_index, s.deal ORDER BY s.deal
"""


@dataclass(frozen=True)
class Deals:
    """One arm. numbers: int64[n], of its whole deals, ascending; wins, margins: float64[n], means of each deal.

    rows: seats of the side in a deal, on average.
    """

    numbers: NDArray[np.int64]
    wins: Array
    margins: Array
    rows: float


@patient
def deals(experiment: Experiment) -> dict[int, Deals]:
    """The deals of each arm that has any."""
    side = counted.side_of(experiment, sql.Literal(lineups(experiment).focus))
    by_arm: dict[int, list[tuple[int, float, float, int]]] = {}
    for arm, *row in queries.rows(DEALS, experiment, {"side": side}):
        by_arm.setdefault(arm, []).append((row[0], row[1], row[2], row[3]))
    found = {}
    for arm, rows in by_arm.items():
        numbers, wins, margins, sizes = zip(*rows, strict=True)
        found[arm] = Deals(np.array(numbers, dtype=np.int64), np.array(wins), np.array(margins), float(np.mean(sizes)))
    return found


@dataclass(frozen=True)
class Pairs:
    """An arm less the baseline on the deals that both played whole, in the order of deals.

    numbers: int64[n], of the deals; first, second: float64[n], of the arm and of the baseline.
    sizes: matches of a deal in each; left_out: deals that one of them lacks.
    """

    arm: int
    numbers: NDArray[np.int64]
    first: Array
    second: Array
    sizes: tuple[float, float]
    left_out: int

    @property
    def differences(self) -> Array:
        """The arm less the baseline."""
        return self.first - self.second

    def sums(self, count: int) -> Paired:
        """Over the first deals, as `worker.analysis.methods` takes them."""
        columns = (self.differences[:count], self.first[:count], self.second[:count])
        return Moments.of(columns[0]), Moments.of(columns[1]), Moments.of(columns[2])


def pairs(experiment: Experiment, *, is_rate: bool) -> list[Pairs]:
    """Of every arm but the baseline; is_rate: of win rates, else of margins."""
    found, base = deals(experiment), lineups(experiment).baseline
    if base not in found:
        return []
    rows = []
    for arm in sorted(found):
        both = (found[arm], found[base])
        common, own, theirs = np.intersect1d(both[0].numbers, both[1].numbers, assume_unique=True, return_indices=True)
        if arm != base and len(common):
            of_arm, of_base = (row.wins if is_rate else row.margins for row in both)
            left_out = len(both[0].numbers) + len(both[1].numbers) - 2 * len(common)
            rows.append(Pairs(arm, common, of_arm[own], of_base[theirs], (both[0].rows, both[1].rows), left_out))
    return rows


def confidence(experiment: Experiment) -> float:
    """Of each interval, so that those of all arms hold together (Bonferroni)."""
    return 1 - (1 - CONFIDENCE) / max(1, len(experiment.spec["arms"]) - 1)


def interval_after(experiment: Experiment, found: Pairs, count: int, *, is_rate: bool) -> Interval | None:
    """The interval after so many common deals that holds at every look; None where there is none yet."""
    how, each = always_valid(experiment), confidence(experiment)
    if is_rate:
        return how.paired_rates(found.sums(count), found.sizes, found.left_out, each).interval
    return how.paired(found.sums(count), found.left_out, each).interval
