"""The expected margin of a match by ply with its 95 % band, and a sign where a decision cost something."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from webapp.common.formats import number, signed
from webapp.common.naming import lead_of
from webapp.matches.ply_curve import Curve, Line, Sign

NORMAL = 1.96


def build(result: Mapping[str, Any], sides: Sequence[tuple[int, str]], last: int) -> Curve:
    """sides: (seat that stands for it, name); of two sides one line says it all. last: plies of the match."""
    points = [(row["ply"], row["before"]) for row in result["curve"]]
    if points and len(points) == result["num_plies"] and result["end"] is not None:
        points.append((result["first"] + result["num_plies"], result["end"]))
    shown = (sides[:1] if len(sides) == 2 else sides) if points else ()
    lines = [_line(seat, name, points) for seat, name in shown]
    lead = lead_of(lines[0].name) if len(lines) == 1 else "Points ahead"
    return Curve(
        title="Expected margin",
        subtitle=f"{lead} at the end if all played on as {result['by']}, with 95\u202f% band.",
        name="; ".join(_finding(line) for line in lines),
        lines=lines,
        first=0,
        last=last,
        signs=_signs(result, lines),
    )


def _line(seat: int, name: str, points: Sequence[tuple[int, Any]]) -> Line:
    means = [(ply, float(values[seat][0])) for ply, values in points]
    return Line(seat, name, means, [NORMAL * values[seat][1] for _, values in points])


def _finding(line: Line) -> str:
    return f"{line.name} from {signed(line.points[0][1], 1)} to {signed(line.points[-1][1], 1)}"


def _signs(result: Mapping[str, Any], lines: Sequence[Line]) -> list[Sign]:
    """A sign on the line of the side that a mistake cost something, behind that ply."""
    found = []
    for row in result["decisions"]:
        if not row["is_mistake"] or not lines:
            continue
        line = next((line for line in lines if line.mark == row["seat"] % len(lines)), lines[0])
        heights = dict(line.points)
        ply = row["ply"] + 1
        height = heights.get(ply, heights.get(ply - 1))
        if height is not None:
            found.append(Sign(ply, height, f"Move {ply} cost {number(row['loss'], 1)} points"))
    return sorted(found, key=lambda sign: sign.ply)
