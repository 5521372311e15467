"""Cells that many tables have in common: two players and who starts, wins of an arm, features and meeples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from scipy import special

from worker.analysis.intervals import CONFIDENCE
from worker.analysis.rates import Share
from worker.analysis.verdict import Sample
from worker.presets.model import CLAIM, EXTREME, MEAN, RATE, SCORE, SHOWN, Cell, Figure, Measure, Reason
from worker.presets.numbers import Quantity
from worker.presets.papers import Result

PAY = replace(SCORE, digits=2)
"""Points per feature."""


@dataclass(frozen=True)
class Side:
    """A player of a table. key: its name in the published rows; starts: what the row of its starts is called."""

    key: str
    label: str
    starts: str
    reason: Reason | None = None


def versus(result: Result, sides: tuple[Side, Side], arm: int = 0) -> tuple[Cell, ...]:
    """Wins, mean and extremes of two players by who starts, as the thesis prints them.

    Place 0 of the arm's line-up is the first of `sides`, seats rotate, and half of the
    published games are in each column.
    """
    half = int(result.setup["games"]) // 2
    found: list[Cell] = []
    for first, starter in enumerate(sides):
        row = result.row(starts=starter.starts)
        for place, side in enumerate(sides):
            seat = 0 if place == first else 1
            found += _player(row[side.key], half, f"{starter.label} starts", side, (arm, place, seat))
    return tuple(found)


def _player(
    figures: dict[str, float], games: int, group: str, side: Side, key: tuple[int, int, int]
) -> tuple[Cell, Cell, Cell, Cell]:
    wins, mean = Share(int(figures["wins"]), games), Sample(games, figures["mean"])
    return (
        Cell(group, f"{side.label}: wins", wins, lambda n: n.wins(*key), RATE, side.reason, seatings=2),
        Cell(group, f"{side.label}: mean score", mean, lambda n: n.score(*key), SCORE, side.reason, seatings=2),
        Cell(group, f"{side.label}: lowest score", figures["min"], lambda n: n.tally(*key).lowest, EXTREME),
        Cell(group, f"{side.label}: highest score", figures["max"], lambda n: n.tally(*key).highest, EXTREME),
    )


def wins(group: str, label: str, published: Figure | None, arm: int, measure: Measure, seat: int | None = None) -> Cell:
    """Share of the matches of an arm that place 0 of its line-up wins, in one seat or in all."""
    return Cell(group, label, published, lambda n: n.wins(arm, 0, seat), measure)


def quantity(
    group: str,
    label: str,
    published: Figure | None,
    where: tuple[int, int],
    counted: Quantity,
    reason: Reason | None = None,
) -> Cell:
    """A mean that the game's metrics hold, of one place of one arm."""
    arm, place = where
    measure = SHOWN if not isinstance(published, Sample) else PAY if counted.id.startswith("points") else MEAN
    return Cell(group, label, published, lambda n: n.quantity(arm, place, counted.id), measure, reason)


def features(kinds: Sequence[tuple[str, str]]) -> tuple[Quantity, ...]:
    """Points per feature that gave some, and meeples placed per match, of each kind and in all.

    kinds: (name in the metrics, name in the cells).
    """
    points = [Quantity(f"points_{kind}", (f"points_{kind}",), (f"features_{kind}",)) for kind, _ in kinds]
    meeples = [Quantity(f"placed_{kind}", (f"placed_{kind}",)) for kind, _ in kinds]
    return (*points, *meeples, Quantity("placed", tuple(f"placed_{kind}" for kind, _ in kinds)))


def known_sample(n: int | None, mean: float | None, interval: Sequence[float] | None) -> Sample | None:
    """A mean of which somebody kept the 95 % interval over n units."""
    if n is None or mean is None:
        return None
    if interval is None or n < 2:
        return Sample(n, mean)
    error = (interval[1] - mean) / float(special.stdtrit(n - 1, (1 + CONFIDENCE) / 2))
    return Sample(n, mean, error * math.sqrt(n))


def without_judgement(measure: Measure) -> Measure:
    """The same measure, shown and never judged."""
    return replace(measure, judge=None)


def judge_by_claim(measure: Measure) -> Measure:
    """The same measure, judged by the claim that the paper makes."""
    return replace(measure, judge=CLAIM.judge)


def less(one: Sample | None, other: Sample | None) -> Sample | None:
    """A mean less another, with the error of independent ones; None where one has no spread."""
    if one is None or other is None or one.deviation is None or other.deviation is None:
        return None
    n = min(one.n, other.n)
    square = one.deviation**2 / one.n + other.deviation**2 / other.n
    return Sample(n, one.value - other.value, math.sqrt(n * square), min(one.degrees, other.degrees))
