"""The history of a rating as a figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from webapp.common.formats import count, signed
from webapp.lab.results.charts.figure import MAX_POINTS, Trace, band
from webapp.play.ratings import anchors, scale, selectors
from webapp.play.ratings.anchors import Anchor
from webapp.play.ratings.selectors import History

HEIGHT_REM = 15
PAD = 40.0
MOST_TICKS = 6
LABEL_GAP = 0.09
"""Names of levels stand at least this part of the axis apart."""
LABEL_ROOM = 72
"""Pixels to the right of the figure, where the levels are named and no line crosses a name."""


def history_figures(histories: Sequence[History]) -> list[dict[str, Any]]:
    """Histories as pages show them, each with its figure and that in words."""
    return [{"history": one, "figure": history(one), "words": words(one)} for one in histories]


def history(found: History) -> dict[str, Any]:
    """Mean and 95 % band after every rated match, the levels of the engines as lines across."""
    skills = [selectors.skill_before(row) for row in found.seats[:1]]
    skills += [selectors.skill_after(row) for row in found.seats]
    step = -(-len(skills) // MAX_POINTS)
    kept = sorted({*range(0, len(skills), step), len(skills) - 1})
    x = [float(place) for place in kept]
    means = [skills[place].mean for place in kept]
    low, high = [skills[place].low for place in kept], [skills[place].high for place in kept]
    bottom, top = min(low) - PAD, max(high) + PAD
    shown = [
        anchor for anchor in anchors.for_game(found.rating.game, found.rating.rules) if bottom <= anchor.mean <= top
    ]
    line: Trace = {
        "type": "scatter",
        "mode": "lines+markers",
        "x": x,
        "y": means,
        "line": {"color": "@seat-0", "width": 1.8},
        "marker": {"color": "@seat-0", "size": 5, "line": {"width": 0}},
        "hovertemplate": "after %{x} matches: %{y:.0f}<extra></extra>",
    }
    data = [band(x, low, high, "seat-0"), line]
    named = _apart(shown, LABEL_GAP * (top - bottom))
    ticks = {"dtick": max(1, round(x[-1] / MOST_TICKS)), "zeroline": False}
    layout = {
        "showlegend": False,
        "margin": {"r": LABEL_ROOM},
        "xaxis": {"title": {"text": "Rated matches"}, "range": [0, max(x[-1], 1.0)], **ticks},
        "yaxis": {"title": {"text": "Points"}, "range": [bottom, top], "zeroline": False},
        "shapes": [_across(anchor.mean) for anchor in shown],
        "annotations": [_label(anchor.level.label, anchor.mean) for anchor in named],
    }
    return {"data": data, "layout": layout}


def words(found: History) -> str:
    """The history for those who do not see it."""
    first = found.seats[0].mean_before if found.seats else scale.MEAN
    change = signed(found.skill.mean - first, 0)
    return f"From {count(round(first))} to {count(round(found.skill.mean))} points ({change})"


def _apart(found: Sequence[Anchor], gap: float) -> list[Anchor]:
    """Anchors whose names leave room for each other."""
    kept: list[Anchor] = []
    for anchor in found:
        if not kept or anchor.mean - kept[-1].mean >= gap:
            kept.append(anchor)
    return kept


def _across(mean: float) -> dict[str, Any]:
    line = {"color": "@muted", "width": 1, "dash": "dot"}
    return {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": mean, "y1": mean, "line": line, "layer": "below"}


def _label(text: str, mean: float) -> dict[str, Any]:
    place = {"xref": "paper", "x": 1, "xanchor": "left", "xshift": 6, "y": mean, "yanchor": "middle"}
    return {"text": text, "showarrow": False, "font": {"size": 11, "color": "@muted"}, **place}
