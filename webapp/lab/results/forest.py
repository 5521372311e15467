"""Forest plots as HTML draws them: a row for each side, its difference from the baseline, and one axis for all. Pure.

While an experiment runs the axis holds what it had at first, wide and for every game the same, and every
interval of `queries.LOOKS` so far. Both only grow, so that no whisker seems to move because the axis did; what lies
beyond is cut off at the edge, with an arrow. At the end the axis fits the intervals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from webapp.common.formats import signed, span
from webapp.lab.results.comparisons import PLACE
from webapp.lab.results.sides import Side
from worker.analysis.intervals import Interval
from worker.analysis.stop_rules.model import LEAST, MARGIN, WIN_RATE

MOST_TICKS = 7
MARGIN_OF_AXIS = 0.04


@dataclass(frozen=True)
class Unit:
    """How pages write a difference. scale: of 1; words: many of them; on_axis: what the axis shows.

    at_first: where the axis ends on both sides while there are few deals; least: where it ends at least.
    reach: so far from the mean an interval of few deals is shown; gap: the words for an amount in short.
    """

    scale: float
    digits: int
    words: str
    on_axis: str
    at_first: float
    least: float
    reach: float
    gap: str = "points"

    def is_nothing(self, value: float | None) -> bool:
        """Whether a difference is 0 as pages write it."""
        return round(value or 0, self.digits) == 0

    def amount(self, value: float) -> str:
        """A difference without its sign."""
        return signed(abs(value), self.digits).removeprefix("+")

    def signed(self, value: float) -> str:
        """A difference with its sign."""
        return signed(value, self.digits)

    def span(self, interval: Interval) -> str:
        """An interval of differences."""
        return f"{self.signed(interval.low)} to {self.signed(interval.high)}"


UNITS = {
    WIN_RATE: Unit(100, 1, "percentage points", "percentage points of the win rate", 20, 2, 200),
    MARGIN: Unit(1, 1, "points", "points of the margin", 10, 1, 20),
    PLACE: Unit(1, 2, "places", "places gained", 1, 0.1, 2, "places"),
}


@dataclass(frozen=True)
class Compared:
    """One side less the baseline, as pages write it: a rate in percentage points.

    mean: None where the two have no deal in common; interval: None where there is none yet, and where nothing
    varied (is_constant). course: the intervals of the first deals, of
    more of them, and so on. level: how the side did by itself, in words; has_failed: all its matches did.
    dropped: after how many deals the stop rule dropped it.
    """

    side: Side
    mean: float | None = None
    interval: Interval | None = None
    deals: int = 0
    is_constant: bool = False
    course: tuple[Interval, ...] = ()
    level: str = ""
    has_failed: bool = False
    dropped: int | None = None

    @property
    def name(self) -> str:
        """As pages call the side."""
        return self.side.name

    @property
    def differs(self) -> bool:
        """Whether the two are told apart: the interval that is shown leaves out 0."""
        return self.interval is not None and not self.interval.low <= 0 <= self.interval.high

    @property
    def is_better(self) -> bool:
        """Whether it is said to be better than the baseline."""
        return self.differs and (self.mean or 0) > 0

    @property
    def is_worse(self) -> bool:
        """Whether it is said to be worse."""
        return self.differs and (self.mean or 0) < 0


@dataclass(frozen=True)
class Tick:
    """A number below the axis, and where it stands, in per cent of the axis."""

    at: str
    text: str


@dataclass(frozen=True)
class Strip:
    """Differences that the stop rule declared too small to matter, or that lie between its two claims."""

    low: float
    high: float
    words: str


@dataclass(frozen=True)
class Axis:
    """From where to where a forest goes."""

    low: float
    high: float

    def at(self, value: float) -> str:
        """Where a value stands, in per cent; at the edge where it lies beyond."""
        part = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return f"{100 * part:.2f}"

    def ticks(self, unit: Unit) -> tuple[Tick, ...]:
        """Round numbers, 0 among them, at most MOST_TICKS."""
        step = _step((self.high - self.low) / MOST_TICKS)
        digits = max(0, -math.floor(math.log10(step) + 1e-9))
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return tuple(Tick(self.at(k * step), signed(k * step, digits)) for k in range(first, last + 1))


def _step(least: float) -> float:
    """The smallest of 1, 2, 5, 10, ... times a power of ten that is at least this."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * part for part in (1, 2, 5, 10) if power * part >= least * (1 - 1e-9))


def axis(rows: Sequence[Compared], unit: Unit, strip: Strip | None = None, *, is_live: bool) -> Axis:
    """The axis that all rows share."""
    ends = [0.0, *((strip.low, strip.high) if strip else ())]
    if is_live:
        ends += [-unit.at_first, unit.at_first]
        ends += [end for row in rows for interval in row.course for end in interval]
    else:
        ends += [-unit.least, unit.least]
        ends += [end for row in rows for end in _reach(row, unit)]
    low, high = min(ends), max(ends)
    pad = MARGIN_OF_AXIS * (high - low)
    return Axis(low - pad, high + pad)


def _reach(row: Compared, unit: Unit) -> tuple[float, ...]:
    """What a finished row wants to be seen: its interval, of few deals not all of it."""
    if row.mean is None:
        return ()
    if row.interval is None:
        return (row.mean,)
    if row.deals >= LEAST:
        return tuple(row.interval)
    most = max(unit.reach, 2 * abs(row.mean))
    return max(row.interval.low, row.mean - most), min(row.interval.high, row.mean + most)


@dataclass(frozen=True)
class Row:
    """A row as the template places it. low, middle, high: in per cent of the axis, empty where there is none.

    cut: at which edges the whisker goes on, "low", "high" or both; chip: the class of the state's chip.
    """

    side: Side
    level: str
    difference: str
    interval: str
    state: str
    chip: str
    low: str = ""
    middle: str = ""
    high: str = ""
    cut: str = ""
    is_pale: bool = False


@dataclass(frozen=True)
class Forest:
    """Everything that the template needs. zero: where no difference is; kind: of the intervals, in words."""

    rows: tuple[Row, ...]
    ticks: tuple[Tick, ...]
    zero: str
    strip: tuple[str, str]
    kind: str
    unit: str
    baseline: str
    first_head: str
    note: str

    @property
    def has_marks(self) -> bool:
        """Whether marks tell sides apart."""
        return any(row.side.mark is not None for row in self.rows)


def row(compared: Compared, scale: Axis, unit: Unit, state: tuple[str, str]) -> Row:
    """A row of a forest. state: chip, and what it says."""
    chip, words = state
    plain = Row(compared.side, compared.level, "", "", words, chip, is_pale=compared.dropped is not None)
    if compared.mean is None:
        return plain
    mean, interval = compared.mean, compared.interval
    low, high = interval or (mean, mean)
    cut = [edge for edge, is_beyond in (("low", low < scale.low), ("high", high > scale.high)) if is_beyond]
    return Row(
        compared.side,
        compared.level,
        unit.signed(mean),
        _interval_words(compared, unit),
        words,
        chip,
        scale.at(low) if interval else "",
        scale.at(mean),
        scale.at(high) if interval else "",
        " ".join(cut),
        plain.is_pale,
    )


def _interval_words(compared: Compared, unit: Unit) -> str:
    if compared.interval:
        return unit.span(compared.interval)
    return "the same in every deal" if compared.is_constant else span(None, None)


def baseline_row(side: Side, level: str, scale: Axis) -> Row:
    """The row of the side that all others are compared with."""
    return Row(side, level, "0", "by definition", "baseline", "info", middle=scale.at(0))
