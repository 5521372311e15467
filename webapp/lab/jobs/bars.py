"""Small forests: the differences of many jobs on one axis for each measure, as rows of a list draw them. Pure.

The axis of a measure is the same for all rows of a page. It begins at the first of its steps and grows until every
difference lies on it, but a few that are far away from all others, which would make dots of these. What goes on beyond
the edge ends there, with an arrow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from webapp.common.formats import MINUS, number
from webapp.lab.jobs.briefs import Brief, Effect

STEPS: Mapping[str, tuple[float, ...]] = {
    "win_rate": (20, 50, 100),
    "margin": (10, 20, 50, 100, 200, 500),
    "place": (1, 2, 3),
    "rating": (100, 200, 500, 1000, 2000),
}
"""Measure -> how far its axis may go to both sides."""
FAR = 4.0
"""Differences of more than so many times an axis may lie beyond it"""
FEW = 4
"""if no more than one in so many does."""
WORDS = {
    "win_rate": "percentage points of the win rate",
    "margin": "points of the margin",
    "place": "places gained",
    "rating": "points of the rating",
}


@dataclass(frozen=True)
class Bar:
    """A difference on its axis, in per cent of it. low, high: empty without an interval; cut: edges it goes beyond."""

    middle: str
    low: str = ""
    high: str = ""
    cut: str = ""


@dataclass(frozen=True)
class ShownBrief:
    """A brief as a page shows it."""

    words: str
    detail: str
    bar: Bar | None
    effect: Effect | None


@dataclass(frozen=True)
class Axes:
    """How far the axis of each measure goes; a measure that is not among them begins at its first step."""

    reach: Mapping[str, float]

    def show(self, brief: Brief | None) -> ShownBrief | None:
        """A brief with its difference on the axis."""
        if brief is None:
            return None
        bar = self.bar(brief.effect) if brief.effect else None
        return ShownBrief(brief.words, brief.detail, bar, brief.effect)

    def bar(self, effect: Effect) -> Bar | None:
        """Where a difference and its interval stand; None for what has no axis."""
        if effect.measure not in STEPS:
            return None
        reach = self.reach.get(effect.measure, STEPS[effect.measure][0])
        low, high = effect.low, effect.high
        has_interval = low is not None and high is not None
        if low is None or high is None:
            low = high = effect.mean
        beyond = {"low": low < -reach, "high": high > reach}
        cut = " ".join(edge for edge, is_beyond in beyond.items() if is_beyond)
        if not has_interval and not cut:
            return Bar(_at(effect.mean, reach))
        return Bar(_at(effect.mean, reach), _at(low, reach), _at(high, reach), cut)

    def holds(self, brief: Brief) -> bool:
        """Whether the difference of a brief lies on its axis, or far beyond it, or has none."""
        effect = brief.effect
        if effect is None or effect.measure not in STEPS:
            return True
        reach = self.reach.get(effect.measure, 0.0)
        is_far = 0 < FAR * reach < abs(effect.mean)
        return abs(effect.mean) <= reach or is_far or reach == STEPS[effect.measure][-1]

    @property
    def query(self) -> str:
        """The axes as the query of an address, for rows that come later; empty where there are none."""
        found = "&".join(f"{measure}={reach:g}" for measure, reach in self.reach.items())
        return f"?{found}" if found else ""

    @property
    def note(self) -> str:
        """What the axes are, in words; empty where nothing is drawn."""
        each = [
            f"{MINUS}{number(reach, 0)} to +{number(reach, 0)} {WORDS[measure]}"
            for measure, reach in self.reach.items()
        ]
        return f"Bars: the difference with its interval, on an axis from {', or '.join(each)}." if each else ""


def axes_of(effects: Iterable[Effect | None]) -> Axes:
    """The axes on which these differences lie, but for a few that lie far beyond."""
    found: dict[str, list[float]] = {}
    for effect in effects:
        if effect is not None and effect.measure in STEPS:
            found.setdefault(effect.measure, []).append(abs(effect.mean))
    return Axes({measure: _reach(measure, found[measure]) for measure in STEPS if measure in found})


def axes_in(query: Mapping[str, str]) -> Axes:
    """The axes that an address names (`Axes.query`); what is no step is left out."""
    return Axes(
        {measure: step for measure, steps in STEPS.items() for step in steps if query.get(measure) == f"{step:g}"}
    )


def _reach(measure: str, sizes: Sequence[float]) -> float:
    """The first step that holds all, or all but a few that are far away."""
    steps = STEPS[measure]
    for step in steps:
        beyond = [size for size in sizes if size > step]
        if not beyond or (FEW * len(beyond) <= len(sizes) and min(beyond) > FAR * step):
            return step
    return steps[-1]


def _at(value: float, reach: float) -> str:
    """Where a value stands, in per cent of the axis; at the edge where it lies beyond."""
    return f"{50 + 50 * min(max(value / reach, -1.0), 1.0):.2f}"
