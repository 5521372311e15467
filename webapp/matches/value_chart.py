"""Chart of the value that each seat's engine gave to its moves, ply by ply."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from webapp.lab.results.charts.figure import Figure, Legend, Trace, band, plain, ply_axis
from webapp.lab.results.sides import DASHES, SYMBOLS
from webapp.records.models import Ply

NORMAL = 1.96
TITLE = "Value by ply"


def build(plies: Sequence[Ply], names: Sequence[str]) -> dict[str, Any]:
    """One line per seat whose engine gives values; bands are 95 % of the playouts' mean."""
    seats = sorted({ply.seat for ply in plies if ply.value is not None})
    figure = Figure(
        title=TITLE,
        subtitle="Each engine's value of its move, in its own utility, with 95\u202f% band where stored.",
        name="; ".join(_finding(seat, names[seat], plies) for seat in seats),
        note="Values of different engines may be on different scales. The line marks the ply shown.",
        data=[trace for seat in seats for trace in _traces(seat, names[seat], plies)],
        layout={
            "xaxis": ply_axis(0, len(plies) + 1),
            "yaxis": {"title": {"text": "Value"}, "zeroline": True},
            "shapes": [{"type": "line", "x0": 0, "x1": 0, "yref": "paper", "y0": 0, "y1": 1}],
        },
        legend=[Legend(seat, names[seat]) for seat in seats],
    )
    return figure.to_json()


def _finding(seat: int, name: str, plies: Sequence[Ply]) -> str:
    values = [ply.value for ply in plies if ply.seat == seat and ply.value is not None]
    return f"{name} from {values[0]:.2f} to {values[-1]:.2f}"


def _traces(seat: int, name: str, plies: Sequence[Ply]) -> list[Trace]:
    own = [ply for ply in plies if ply.seat == seat and ply.value is not None]
    x, y = [ply.ply + 1 for ply in own], [float(ply.value or 0) for ply in own]
    halves = [NORMAL * (_error(ply) or 0.0) for ply in own]
    line = {
        "type": "scatter",
        "mode": "lines+markers",
        "name": plain(name),
        "x": x,
        "y": y,
        "line": {"color": f"@seat-{seat}", "width": 1.8, "dash": DASHES[seat % len(DASHES)]},
        "marker": {"color": f"@seat-{seat}", "symbol": SYMBOLS[seat % len(SYMBOLS)], "size": 5, "line": {"width": 0}},
        "hovertemplate": f"ply %{{x}}: %{{y:.2f}}<extra>{plain(name)}</extra>",
    }
    if not any(halves):
        return [line]
    low = [value - half for value, half in zip(y, halves, strict=True)]
    high = [value + half for value, half in zip(y, halves, strict=True)]
    return [band(x, low, high, f"seat-{seat}"), line]


def _error(ply: Ply) -> float | None:
    """Standard error of the value of the action played, where the engine stored it."""
    for action, _, _, _, error in (ply.info or {}).get("best") or []:
        if action == ply.action:
            return None if error is None else float(error)
    return None
