"""The chart of the stored result: margins by budget with their intervals, drawn on the server."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from django.utils.safestring import mark_safe

from games.svg import SEAT_MARKS, tag
from webapp.common.formats import signed
from webapp.site.stored_result import Curve, Point, load

LEFT, RIGHT, TOP, BOTTOM = 40, 12, 12, 40
STEP = 5
"""Points between two rules."""
WIDE, NARROW = (540, 282), (320, 250)


def context() -> dict[str, Any]:
    """The stored result with its chart in two widths, for the start page."""
    result = load()
    said = words(result.curves)
    return {
        "result": result,
        "wide": mark_safe(svg(result.curves, *WIDE, said)),
        "narrow": mark_safe(svg(result.curves, *NARROW, said)),
    }


def svg(curves: Sequence[Curve], width: int, height: int, words: str) -> str:
    """One SVG of that size in units of its text; words: its name for those who cannot see it."""
    points = [point for curve in curves for point in curve.points]
    lowest = STEP * math.floor(min(point.low for point in points) / STEP)
    highest = STEP * math.ceil(max(point.high for point in points) / STEP)
    budgets = sorted({point.budget for point in points})
    decades = math.log(budgets[-1] / budgets[0])

    def x(budget: int) -> float:
        return LEFT + RIGHT + (width - LEFT - 2 * RIGHT) * math.log(budget / budgets[0]) / decades

    def y(value: float) -> float:
        return TOP + (height - TOP - BOTTOM) * (highest - value) / (highest - lowest)

    body = ""
    for value in range(lowest, highest + 1, STEP):
        body += tag("path", d=f"M{LEFT} {y(value):.1f}H{width - RIGHT}", class_="rule" if value else "rule zero")
        body += tag("text", signed(value, 0), x=float(LEFT - 7), y=y(value) + 4, class_="tick", text_anchor="end")
    for budget in budgets:
        place = {"x": x(budget), "y": float(height - BOTTOM + 18), "text_anchor": "middle"}
        body += tag("text", str(budget), class_="tick", **place)
    below = {"x": float(width - RIGHT), "y": float(height - 5), "text_anchor": "end"}
    body += tag("text", "playouts for each action", class_="tick", **below)
    for seat, curve in enumerate(curves):
        places = [(x(point.budget), y(point.margin), y(point.low), y(point.high)) for point in curve.points]
        body += tag("g", _curve(places, SEAT_MARKS[seat]), style=f"--c: var(--seat-{seat})")
    return tag("svg", body, viewBox=f"0 0 {width} {height}", role="img", aria_label=words, class_="stored-curve")


def _curve(places: Sequence[tuple[float, float, float, float]], mark: str) -> str:
    """A line through its marks, each with its interval as a whisker. places: x, middle, low, high."""
    whiskers = "".join(tag("path", d=f"M{x:.1f} {low:.1f}V{high:.1f}", class_="whisker") for x, _, low, high in places)
    line = tag("polyline", points=" ".join(f"{x:.1f},{middle:.1f}" for x, middle, _, _ in places), class_="line")
    marks = "".join(
        tag("path", d=mark, class_="mark", transform=f"translate({x:.1f} {middle:.1f})") for x, middle, _, _ in places
    )
    return whiskers + line + marks


def words(curves: Sequence[Curve]) -> str:
    """The chart in a sentence."""
    parts = []
    for curve in curves:
        first, last = curve.points[0], curve.points[-1]
        parts.append(f"{curve.label}: {_of(first)} with {first.budget}, {_of(last)} with {last.budget}")
    return f"Margin in points by playouts for each action. {'; '.join(parts)}."


def _of(point: Point) -> str:
    return signed(point.margin, 1)
