"""Why an action is good, in one line: from the points that it brings and the game's metrics at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.protocol import Game, Metric, State

WORTH_TELLING = 0.5
"""Points, on average at the end of the match, below which a difference is not told."""


def at_once(game: Game, before: State, after: State, seat: int) -> str:
    """What the ply itself brings: points, what scored, and what would be added if the match ended now.

    before, after: as the seat sees them; empty where it brings nothing.
    """
    gained = game.scores(after)[seat] - game.scores(before)[seat]
    events = [event for event in game.events(after) if event.points and seat in event.seats]
    if gained:
        what = sorted({event.kind for event in events})
        return f"{gained:+d} {_points(gained)} at once{f', completes {_listed(what)}' if what else ''}"
    later = game.projected_scores(after)[seat] - game.projected_scores(before)[seat]
    return f"{later:+d} {_points(later)} if the match ended now" if later else ""


def in_the_end(game: Game, own: Mapping[str, float], others: Sequence[Mapping[str, float]]) -> str:
    """What it brings more of than the other actions looked at, where that can be said of points by kind.

    own, others: means of the seat's metrics (`Game.metrics`) over the playouts of each action.
    """
    if not others:
        return ""
    found = ("", 0.0)
    for metric in game.metric_table:
        if metric.group != "points" or metric.id not in own:
            continue
        more = own[metric.id] - sum(row.get(metric.id, 0.0) for row in others) / len(others)
        if more > max(WORTH_TELLING, found[1]):
            found = (_named(metric), more)
    return f"{found[1]:+.1f} in the end from {found[0]}" if found[0] else ""


def _named(metric: Metric) -> str:
    """What brings the points, within a sentence: names keep the case that they have within the metric's label."""
    is_name = metric.kind and metric.kind in metric.label
    return metric.kind if is_name else (metric.kind or metric.label).lower()


def against(taken: float) -> str:
    """What the best other side gets less than after the other actions looked at, in points."""
    return f"leaves the others {taken:.1f} less" if taken > WORTH_TELLING else ""


def line(*parts: str, otherwise: str) -> str:
    """The reasons that there are, at most two, as one line; `otherwise` where there is none."""
    said = [part for part in parts if part][:2]
    text = "; ".join(said) or otherwise
    return text[:1].upper() + text[1:]


def _points(number: int) -> str:
    return "point" if abs(number) == 1 else "points"


def _listed(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]
