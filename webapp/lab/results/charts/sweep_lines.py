"""Where the arms of a sweep stand on its charts: which axis lies across, which lines there are."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from webapp.lab.results.charts.figure import plain
from webapp.lab.results.swept_names import engines, lower_first
from webapp.records.models import Experiment
from worker.spec import Axis, naming, sweep
from worker.spec.model import combinations

LOG_SPAN = 20
"""Values that span more than this factor stand on a logarithmic axis; budgets always do, and so do steps by a ratio."""
RATIO_ROUNDING = 0.25
"""Ratios of neighbours may differ by this part and still be one: 10, 20, 50, 100."""
CATEGORY_WIDTH = 0.6
LINE_STEP = 0.012
"""Lines beside each other are this part of the axis apart, where the values leave room."""
LABEL_GAP, PHONE_LABEL_GAP = 0.07, 0.16
"""Tick labels stand at least this part of the axis apart."""


@dataclass(frozen=True)
class Line:
    """One combination of the other axes: its values, and the arm at each value of the axis shown."""

    name: str
    arms: tuple[int, ...]


@dataclass(frozen=True)
class Plan:
    """What goes where; order: the values of the axis shown from left to right."""

    axes: tuple[Axis, ...]
    labels: tuple[str, ...]
    engines: tuple[str, ...]
    shown: int
    lines: tuple[Line, ...]
    order: tuple[int, ...]

    @property
    def axis(self) -> Axis:
        """The axis that lies across."""
        return self.axes[self.shown]

    @property
    def lines_by(self) -> str:
        """What the values in the names of lines are of, where there are several."""
        others = [label for k, label in enumerate(self.labels) if k != self.shown]
        return ", ".join(map(lower_first, others)) if len(others) > 1 else ""

    def words(self, axis: int, index: int) -> str:
        """A value in words."""
        return naming.value_words(self.axes[axis], self.engines, self.axes[axis].values[index])


def _preferred(axes: Sequence[Axis]) -> list[int]:
    """Axes in the order in which they would lie across: budgets, then numbers, those with most values first."""
    rank = [(axis.part != "budget", not axis.is_numeric, -len(axis.values)) for axis in axes]
    return sorted(range(len(axes)), key=lambda k: (rank[k], k))


def choices(experiment: Experiment) -> list[str]:
    """By which axis; nothing to choose with one."""
    axes = sweep.stored_axes(experiment.spec)
    labels = naming.labels(axes, engines(experiment))
    return [f"By {lower_first(labels[k])}" for k in _preferred(axes)] if len(axes) > 1 else []


def fits(experiment: Experiment) -> bool:
    """Whether it is a sweep."""
    return bool(sweep.stored_axes(experiment.spec))


def plan_of(experiment: Experiment, choice: int) -> Plan:
    """The plan for one of `choices`."""
    axes, playing = sweep.stored_axes(experiment.spec), engines(experiment)
    shown = _preferred(axes)[choice if choice < len(axes) else 0]
    labels = tuple(naming.labels(axes, playing))
    rows: dict[tuple[int, ...], list[int]] = {}
    for arm, indices in enumerate(combinations(axes)):
        rows.setdefault(indices[:shown] + indices[shown + 1 :], []).append(arm)
    others = [k for k in range(len(axes)) if k != shown]
    lines = []
    for indices, arms in rows.items():
        words = [naming.value_words(axes[k], playing, axes[k].values[i]) for k, i in zip(others, indices, strict=True)]
        if len(others) == 1:
            words = [naming.with_value(labels[others[0]], axes[others[0]], words[0])]
        lines.append(Line(", ".join(words), tuple(arms)))
    values = axes[shown].values
    by_value = axes[shown].is_numeric
    order = sorted(range(len(values)), key=lambda i: values[i] if by_value else i)
    return Plan(axes, labels, playing, shown, tuple(lines), tuple(order))


def _is_log(axis: Axis) -> bool:
    values = [value for value in axis.values if isinstance(value, int | float)]
    if not axis.is_numeric or min(values) <= 0:
        return False
    return axis.part == "budget" or max(values) / min(values) > LOG_SPAN or _steps_by_ratio(values)


def _steps_by_ratio(values: Sequence[float]) -> bool:
    """Whether neighbours stand in one ratio, unlike those of even steps: 1, 2, 4, 8, but not 1, 2, 3, 4."""
    steps = [math.log(high / low) for low, high in itertools.pairwise(sorted(values))]
    if len(steps) < 2 or min(steps) <= 0:
        return False
    return max(steps) - min(steps) <= RATIO_ROUNDING * max(steps)


class Across:
    """Places on the horizontal axis."""

    def __init__(self, plan: Plan) -> None:
        axis = plan.axis
        self.plan, self.is_log = plan, _is_log(axis)
        # in the axis' own measure: logarithms, numbers, or places of categories
        self.places = [self._place(value, i) for i, value in enumerate(axis.values)]
        ordered = sorted(self.places)
        self.low, self.high = ordered[0], ordered[-1]
        gap = min(b - a for a, b in itertools.pairwise(ordered))
        lines = len(plan.lines)
        wide = LINE_STEP * (lines - 1) * (self.high - self.low)
        self.width = min(wide, CATEGORY_WIDTH * gap) if axis.is_numeric else CATEGORY_WIDTH * (lines - 1) / lines

    def _place(self, value: Any, index: int) -> float:
        if not self.plan.axis.is_numeric:
            return index
        return math.log10(value) if self.is_log else float(value)

    def x(self, index: int, line: int) -> float:
        """Where a line has the value: lines stand a little apart."""
        lines = len(self.plan.lines)
        shift = self.width * (line / (lines - 1) - 0.5) if lines > 1 else 0.0
        place = self.places[index] + shift
        return 10**place if self.is_log else place

    @property
    def ends(self) -> tuple[float, float]:
        """Where the axis begins and ends, in the values that traces have."""
        low, high = self._range()
        return (10**low, 10**high) if self.is_log else (low, high)

    def _range(self) -> tuple[float, float]:
        numeric = self.plan.axis.is_numeric
        pad = 0.06 * (self.high - self.low) if numeric else 0.5
        return self.low - self.width / 2 * numeric - pad, self.high + self.width / 2 * numeric + pad

    def _ticks(self, gap: float) -> dict[str, Any]:
        kept: list[int] = []
        for i in self.plan.order:
            if not kept or self.places[i] - self.places[kept[-1]] >= gap * (self.high - self.low):
                kept.append(i)
        return {
            "tickvals": [10 ** self.places[i] if self.is_log else self.places[i] for i in kept],
            "ticktext": [plain(self.plan.words(self.plan.shown, i)) for i in kept],
        }

    def layout(self) -> dict[str, Any]:
        """The axis as Plotly takes it."""
        numeric = self.plan.axis.is_numeric
        title = {"text": plain(self.plan.labels[self.plan.shown])}
        axis = {
            "title": title,
            "range": [*self._range()],
            "zeroline": False,
            **self._ticks(LABEL_GAP if numeric else 0),
        }
        return axis | ({"type": "log"} if self.is_log else {})

    def phone(self) -> dict[str, Any]:
        """What differs on a phone: fewer labels."""
        return self._ticks(PHONE_LABEL_GAP) if self.plan.axis.is_numeric else {}
