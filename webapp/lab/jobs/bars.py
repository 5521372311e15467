"""Small forests: the differences of many jobs on one axis for each measure, as rows of a list draw them. Pure.

The axis of a measure is the same for all rows of a page. It begins at the first of its steps and grows until every
difference lies on it; an interval that goes on beyond the edge is cut off there, with an arrow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
        if effect.low is None or effect.high is None:
            return Bar(_at(effect.mean, reach))
        beyond = {"low": effect.low < -reach, "high": effect.high > reach}
        cut = " ".join(edge for edge, is_beyond in beyond.items() if is_beyond)
        return Bar(_at(effect.mean, reach), _at(effect.low, reach), _at(effect.high, reach), cut)

    def holds(self, brief: Brief) -> bool:
        """Whether the difference of a brief lies on its axis, or has none."""
        effect = brief.effect
        if effect is None or effect.measure not in STEPS:
            return True
        reach = self.reach.get(effect.measure, 0.0)
        return abs(effect.mean) <= reach or reach == STEPS[effect.measure][-1]

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
    """The axes on which these differences lie."""
    furthest: dict[str, float] = {}
    for effect in effects:
        if effect is not None and effect.measure in STEPS:
            furthest[effect.measure] = max(furthest.get(effect.measure, 0.0), abs(effect.mean))
    return Axes({measure: _reach(measure, furthest[measure]) for measure in STEPS if measure in furthest})


def axes_in(query: Mapping[str, str]) -> Axes:
    """The axes that an address names (`Axes.query`); what is no step is left out."""
    return Axes(
        {measure: step for measure, steps in STEPS.items() for step in steps if query.get(measure) == f"{step:g}"}
    )


def _reach(measure: str, furthest: float) -> float:
    steps = STEPS[measure]
    return next((step for step in steps if furthest <= step), steps[-1])


def _at(value: float, reach: float) -> str:
    """Where a value stands, in per cent of the axis; at the edge where it lies beyond."""
    return f"{50 + 50 * min(max(value / reach, -1.0), 1.0):.2f}"
