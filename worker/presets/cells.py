"""Cells that many tables have in common: two players and who starts, wins of an arm, features and meeples."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from worker.analysis.intervals import CONFIDENCE
from worker.analysis.lazy_scipy import special
from worker.analysis.rates import Share
from worker.analysis.verdict import Sample
from worker.presets.model import CLAIM, EXTREME, MEAN, RATE, SCORE, SHOWN, AsRun, Cell, Figure, Measure, Reason
from worker.presets.numbers import Numbers, Quantity
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


def versus(result: Result, sides: tuple[Side, Side], arm: int = 0, as_run: int | None = None) -> tuple[Cell, ...]:
    """Wins, mean and extremes of two players by who starts, as the thesis prints them.

    as_run: arm with the players as the thesis' program most likely ran them.
    Place 0 of the arm's line-up is the first of `sides`, seats rotate, and half of the
    published games are in each column.
    """
    half = int(result.setup["games"]) // 2
    found: list[Cell] = []
    for first, starter in enumerate(sides):
        row = result.row(starts=starter.starts)
        for place, side in enumerate(sides):
            seat = 0 if place == first else 1
            again = None if as_run is None else (as_run, place, seat)
            found += _player(row[side.key], half, f"{starter.label} starts", side, (arm, place, seat), again)
    return tuple(found)


Place = tuple[int, int, int]
"""Arm, place of its line-up, seat."""


def _player(
    figures: dict[str, float], games: int, group: str, side: Side, key: Place, again: Place | None
) -> tuple[Cell, ...]:
    """key: where its matches are; again: where those are as the program ran, if there are any."""
    wins, mean = Share(int(figures["wins"]), games), Sample(games, figures["mean"])
    lowest, highest = figures["min"], figures["max"]
    found = [
        Cell(group, f"{side.label}: wins", wins, _wins(key), RATE, side.reason, seatings=2),
        Cell(group, f"{side.label}: mean score", mean, _mean(key), SCORE, side.reason, seatings=2),
        Cell(group, f"{side.label}: lowest score", lowest, lambda n: n.tally(*key).lowest, EXTREME),
        Cell(group, f"{side.label}: highest score", highest, lambda n: n.tally(*key).highest, EXTREME),
    ]
    if again is not None:
        found[:2] = [
            replace(cell, as_run=AsRun(ours(again))) for cell, ours in zip(found, (_wins, _mean), strict=False)
        ]
    return tuple(found)


def _wins(key: Place) -> Callable[[Numbers], Share | None]:
    return lambda numbers: numbers.wins(*key)


def _mean(key: Place) -> Callable[[Numbers], Sample | None]:
    return lambda numbers: numbers.score(*key)


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
