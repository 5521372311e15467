"""What tells sides apart: by how much they differ in the numbers that charts show, over the first deals.

The first deals never change once they are played, so what follows from them alone, the order of charts and
which are left out, stays as it is however long an experiment goes on, and nothing need be stored.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from psycopg import sql

from webapp.common.formats import THIN, number
from webapp.lab.results import counted, queries
from webapp.lab.results.cache import per_version
from webapp.lab.results.charts import kinds
from webapp.lab.results.charts.figure import MARGIN, RANK, SCORE, WIN, Number
from webapp.records import metric_numbers
from webapp.records.models import Experiment
from worker.analysis.moments import BlockMoments

FIRST_DEALS = 100
FARTHEST = 99.0
"""Standardised difference of numbers that never vary and are not the same."""
DIGITS = 2
OVER = (Experiment.Status.FINISHED, Experiment.Status.STOPPED)
OWN = {
    WIN: "(s.result = 'win')::int",
    SCORE: "s.score",
    MARGIN: "s.margin",
    RANK: "s.rank",
}


@dataclass(frozen=True)
class Told:
    """One number of every side. base: which is the baseline."""

    number: Number
    sums: tuple[BlockMoments, ...]
    base: int = 0

    @property
    def effect(self) -> float | None:
        """The greatest standardised difference to the baseline; None where no two sides have it.

        Of the means of deals: their difference over the root of the mean of both variances (Cohen 1988, section 2.2).
        """
        known = {i: _spread(row) for i, row in enumerate(self.sums) if row.blocks > 1}
        if len(known) < 2:
            return None
        base = self.base if self.base in known else min(known)
        mean, variance = known.pop(base)
        return max(_standardised(mean - other, (variance + spread) / 2) for other, spread in known.values())

    @property
    def is_constant(self) -> bool:
        """Whether all sides have the same number, and as pages print it nothing varies."""
        prints = {text for row in self.sums if row.n for text in self._prints(row)}
        return len(prints) == 1

    def _prints(self, row: BlockMoments) -> set[str]:
        interval = row.interval()
        ends = [*interval] if interval else [-math.inf, math.inf]
        return {self._text(value) for value in (row.mean or 0.0, *ends)}

    def _text(self, value: float) -> str:
        return number(100 * value if self.number.is_share else value, DIGITS)

    @property
    def words(self) -> str:
        """What it is in all matches, where it is constant."""
        total = sum((row for row in self.sums), BlockMoments())
        return self._text(total.mean or 0.0) + (f"{THIN}%" if self.number.is_share else "")


def _spread(row: BlockMoments) -> tuple[float, float]:
    """Mean, and variance of the mean of a deal."""
    assert row.mean is not None
    return row.mean, row.spread / (row.blocks - 1) / (row.n / row.blocks) ** 2


def _standardised(difference: float, variance: float) -> float:
    if variance == 0:
        return 0.0 if difference == 0 else FARTHEST
    return min(FARTHEST, abs(difference) / math.sqrt(variance))


@per_version
def told(experiment: Experiment, numbers: tuple[Number, ...]) -> dict[Number, Told]:
    """Numbers over the first deals, of what charts draw side by side."""
    sides = kinds.drawn_sides(experiment)
    if not numbers:
        return {}
    places = [(side.arm, side.place % counted.seating(experiment)[side.arm].sides) for side in sides]
    found: dict[tuple[int, int], list[BlockMoments]] = {}
    with queries.snapshot():
        for i in range(0, len(numbers), queries.MAX_PAIRS):
            part = numbers[i : i + queries.MAX_PAIRS]
            for arm, side, *sums in queries.fetched(_query(experiment, places, part)):
                found.setdefault((arm, side), []).extend(queries.moments(sums))
    nothing = [BlockMoments()] * len(numbers)
    columns = zip(*(found.get(place, nothing) for place in places), strict=True)
    base = kinds.baseline_of(experiment, sides)
    return {of: Told(of, tuple(sums), base) for of, sums in zip(numbers, columns, strict=True)}


def _query(experiment: Experiment, places: Sequence[tuple[int, int]], numbers: Sequence[Number]) -> sql.Composed:
    """The sums of all sides in one statement."""
    names = dict.fromkeys(
        name for row in numbers for name in (row.value, row.cases) if name is not None and name not in OWN
    )
    inner, outer = [], []
    for i, row in enumerate(numbers):
        value = sql.SQL(OWN[row.value]) if row.value in OWN else sql.Identifier("x", row.value)
        size = sql.SQL("count({})").format(value)
        if row.cases is not None:
            size = sql.SQL("sum({}) FILTER (WHERE {} IS NOT NULL)").format(sql.Identifier("x", row.cases), value)
        inner.append(sql.SQL(f"sum({{}})::float8 AS t{i}, {{}} AS n{i}").format(value, size))
        outer.append(queries.block_sums(f"t{i}", f"n{i}"))
    numbers_of = metric_numbers.of_game(experiment.game)
    metrics = sql.SQL("CROSS JOIN LATERAL {} AS x").format(numbers_of.relation(names, "s"))
    return sql.SQL(
        "SELECT arm_index, side, {outer} FROM (SELECT s.arm_index, s.side, s.deal, {inner} FROM {seats} s {metrics}"
        " WHERE s.deal < {deals} AND (s.arm_index, s.side) IN ({places}) GROUP BY s.arm_index, s.side, s.deal) AS block"
        " GROUP BY arm_index, side"
    ).format(
        outer=sql.SQL(", ").join(outer),
        inner=sql.SQL(", ").join(inner),
        seats=counted.seats(experiment),
        metrics=metrics if names else sql.SQL(""),
        deals=sql.Literal(FIRST_DEALS),
        places=sql.SQL(", ").join(sql.SQL("({}, {})").format(*map(sql.Literal, place)) for place in places),
    )


def is_settled(experiment: Experiment) -> bool:
    """Whether the first deals are all there: the experiment is over, or every arm that still plays has them whole."""
    if experiment.status in OVER:
        return True
    limits = counted.limits(experiment)
    wins = told(experiment, (WINS,))[WINS].sums
    sides = kinds.drawn_sides(experiment)
    return all(
        row.blocks >= min(FIRST_DEALS, limits.get(side.arm, FIRST_DEALS)) for side, row in zip(sides, wins, strict=True)
    )


WINS = Number("Win rate", WIN, is_share=True)
