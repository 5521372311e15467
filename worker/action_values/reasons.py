"""Reasons for an action, in one line: from the points that it brings and the game's metrics at the end.

What the ply itself brings is exact. All else is estimated by playouts on the same luck, has half
of its interval behind it, and is said only where that interval leaves out zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.protocol import Game, Metric, State
from worker.analysis.luck import joint_confidence
from worker.analysis.moments import Moments

WORTH_TELLING = 0.5
"""Points, on average at the end of the match, below which a difference is not told."""
DIGITS = 1
"""Decimals of figures."""
Metrics = Mapping[str, float]


class Sure(NamedTuple):
    """A difference above zero, and half of its interval."""

    mean: float
    half: float


def at_once(game: Game, before: State, after: State, seat: int) -> str:
    """Immediate gains of a ply: points, what scored, and what would be added if the match ended now.

    before, after: as the seat sees them; empty where it brings nothing.
    """
    gained = game.scores(after)[seat] - game.scores(before)[seat]
    events = [event for event in game.events(after) if event.points and seat in event.seats]
    if gained:
        what = sorted({event.kind for event in events})
        return f"{gained:+d} {_points(gained)} at once{f', completes {_listed(what)}' if what else ''}"
    later = game.projected_scores(after)[seat] - game.projected_scores(before)[seat]
    return f"{later:+d} {_points(later)} if the match ended now" if later else ""


def in_the_end(game: Game, own: Sequence[Metrics], others: Sequence[Sequence[Metrics]], looks: int) -> str:
    """Sure gains over the other actions looked at, where that can be said of points by kind.

    own: the seat's metrics (`Game.metrics`) at the end of each playout; others: at the ends of the
    same playouts after each other action; looks: claims that have to hold together (`claims`).
    """
    found, surest = "", WORTH_TELLING
    for metric in _kinds(game) if others else ():
        more = _value(own, metric) - np.mean([_value(rows, metric) for rows in others], axis=0)
        sure = surely(more, looks)
        if sure is not None and sure.mean > surest:
            found, surest = f"{sure.mean:+.1f} ±{sure.half:.1f} in the end from {_named(metric)}", sure.mean
    return found


def claims(game: Game) -> int:
    """Number of differences that a reason is chosen from: points by kind, and what others are left."""
    return len(_kinds(game)) + 1


def surely(values: NDArray[np.float64], looks: int = 1) -> Sure | None:
    """The mean of differences of which that is known to be above zero; None where its interval covers zero as written.

    looks: intervals that hold together.
    """
    moments = Moments.of(values)
    interval = moments.interval(joint_confidence(looks))
    if interval is None or moments.mean is None:
        return None
    found = Sure(moments.mean, (interval.high - interval.low) / 2)
    return found if round(found.mean, DIGITS) > round(found.half, DIGITS) else None


def _kinds(game: Game) -> list[Metric]:
    return [metric for metric in game.metric_table if metric.group == "points"]


def _value(rows: Sequence[Metrics], metric: Metric) -> NDArray[np.float64]:
    values = np.array([row.get(metric.id, 0.0) for row in rows], np.float64)
    return np.where(np.isfinite(values), values, 0.0)


def _named(metric: Metric) -> str:
    """Name of a source of points within a sentence: names keep the case that they have within the metric's label."""
    is_name = metric.kind and metric.kind in metric.label
    return metric.kind if is_name else (metric.kind or metric.label).lower()


def against(taken: NDArray[np.float64], looks: int) -> str:
    """Points that the best other side surely gets less than after the other actions looked at.

    taken: by playout; looks: claims that have to hold together (`claims`).
    """
    sure = surely(taken, looks)
    if sure is None or sure.mean <= WORTH_TELLING:
        return ""
    return f"leaves the others {sure.mean:.1f} ±{sure.half:.1f} less"


def line(*parts: str, otherwise: str) -> str:
    """The reasons that there are, at most two, as one line; `otherwise` where there is none."""
    said = [part for part in parts if part][:2]
    text = "; ".join(said) or otherwise
    return text[:1].upper() + text[1:]


def _points(number: int) -> str:
    return "point" if abs(number) == 1 else "points"


def _listed(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]
