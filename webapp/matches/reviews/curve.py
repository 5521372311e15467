"""The value of a match by ply: the expected margin of each side, with its 95 % band."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from webapp.common.formats import signed
from webapp.lab.results.charts.figure import Column, Figure, Legend, Trace, band, plain, ply_axis
from webapp.lab.results.sides import DASHES

NORMAL = 1.96


def build(result: Mapping[str, Any], sides: Sequence[tuple[int, str]], ply: int) -> Figure:
    """sides: (seat that stands for it, name); of two sides one line says it all. ply: the one that is marked."""
    lines = sides[:1] if len(sides) == 2 else sides
    end = result["first"] + result["num_plies"]
    points = [(row["ply"], row["before"]) for row in result["curve"]]
    if points and len(points) == result["num_plies"] and result["end"] is not None:
        points.append((end, result["end"]))
    return Figure(
        title="Expected margin by ply",
        subtitle=f"Points ahead at the end if all played on as {result['by']}, with 95\u202f% band.",
        name="; ".join(_finding(seat, name, points) for seat, name in lines),
        note="The line marks the ply shown.",
        data=[trace for seat, name in lines for trace in _traces(seat, name, points)],
        layout={
            "xaxis": ply_axis(result["first"], end),
            "yaxis": {"title": {"text": "Points ahead"}},
            "shapes": [{"type": "line", "x0": ply, "x1": ply, "yref": "paper", "y0": 0, "y1": 1}],
        },
        legend=[Legend(seat, name) for seat, name in lines],
        columns=[Column("Ply"), *(Column(name) for _, name in lines)],
        rows=[[str(ply), *(signed(values[seat][0], 1) for seat, _ in lines)] for ply, values in points],
    )


def _finding(seat: int, name: str, points: Sequence[tuple[int, Any]]) -> str:
    if not points:
        return ""
    return f"{name} from {signed(points[0][1][seat][0], 1)} to {signed(points[-1][1][seat][0], 1)}"


def _traces(seat: int, name: str, points: Sequence[tuple[int, Any]]) -> list[Trace]:
    x = [ply for ply, _ in points]
    means = [values[seat][0] for _, values in points]
    halves = [NORMAL * values[seat][1] for _, values in points]
    low = [mean - half for mean, half in zip(means, halves, strict=True)]
    high = [mean + half for mean, half in zip(means, halves, strict=True)]
    line = {
        "type": "scatter",
        "mode": "lines+markers",
        "name": plain(name),
        "x": x,
        "y": means,
        "line": {"color": f"@seat-{seat}", "width": 1.8, "dash": DASHES[seat % len(DASHES)]},
        "marker": {"color": f"@seat-{seat}", "size": 4},
        "hovertemplate": f"ply %{{x}}: %{{y:+.1f}}<extra>{plain(name)}</extra>",
    }
    return [band(x, low, high, f"seat-{seat}"), line]
