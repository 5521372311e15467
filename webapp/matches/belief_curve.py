"""A small curve: how probable the true deal was, ply by ply, in two ways to reckon."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from games.svg import tag

WIDTH, HEIGHT = 640, 190
LEFT, RIGHT, TOP, BOTTOM = 44, 150, 12, 34
STYLES = ({"class_": "first"}, {"class_": "second", "stroke_dasharray": "7 4"})
_STEPS = (1, 2, 5, 10, 20, 50)
_APART = 15
"""Units between two labels."""


def svg(plies: range, lines: Sequence[Sequence[float]], labels: Sequence[str], now: int) -> str:
    """One SVG. lines: natural logarithms at each ply, at most two; now: the ply that is marked."""
    if not plies:
        return ""
    lowest = min(min(line) for line in lines)
    step = next(step for step in _STEPS if -lowest / step <= 6)
    floor = -step * max(1, -(-int(-lowest + 0.999) // step))

    def x(ply: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (ply - plies.start) / max(1, len(plies) - 1)

    def y(value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * value / floor

    body = ""
    for value in range(0, floor - 1, -step):
        said, place = str(value).replace("-", "\N{MINUS SIGN}"), {"class_": "tick", "text_anchor": "end"}
        body += tag("path", d=f"M{LEFT} {y(value):.1f}H{WIDTH - RIGHT}", class_="rule")
        body += tag("text", said, x=LEFT - 8, y=y(value) + 4, **place)
    for ply in plies:
        is_between = ply % 5 == 0 and min(plies[-1] - ply, ply - plies.start) > 2
        if is_between or ply in (plies.start, plies[-1]):
            body += tag("text", str(ply), x=x(ply), y=float(HEIGHT - 16), class_="tick", text_anchor="middle")
    body += tag("text", "move", x=float(WIDTH - RIGHT + 22), y=float(HEIGHT - 16), class_="tick")
    if now in plies:
        body += tag("path", d=f"M{x(now):.1f} {TOP}V{HEIGHT - BOTTOM}", class_="now")
    ends = _spread([y(line[-1]) for line in lines])
    for line, label, style, end in zip(lines, labels, STYLES, ends, strict=False):
        points = " ".join(f"{x(ply):.1f},{y(value):.1f}" for ply, value in zip(plies, line, strict=True))
        body += tag("polyline", points=points, fill="none", **style)
        body += tag("text", escape(label), x=float(WIDTH - RIGHT + 10), y=end + 4, class_=f"label {style['class_']}")
    said = "; ".join(f"{label} from {line[0]:.1f} to {line[-1]:.1f}" for label, line in zip(labels, lines, strict=True))
    name = f"Log-probability of the true deal by move of the round: {said}."
    return tag("svg", body, viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", aria_label=name, class_="belief-curve")


def _spread(ends: Sequence[float]) -> list[float]:
    """Heights of labels that do not cover each other."""
    if len(ends) < 2 or abs(ends[0] - ends[1]) >= _APART:
        return list(ends)
    middle, sign = (ends[0] + ends[1]) / 2, 1 if ends[0] >= ends[1] else -1
    return [middle + sign * _APART / 2, middle - sign * _APART / 2]
