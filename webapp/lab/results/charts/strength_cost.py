"""What strength costs: win rate against CPU time, and when that time is spent."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from webapp.common.formats import THIN, count, number, percent, span
from webapp.lab.results import ply_sums
from webapp.lab.results.charts import kinds, number_lines
from webapp.lab.results.charts.by_ply import KEEPS_NONE, NO_PLIES
from webapp.lab.results.charts.figure import (
    Chart,
    Column,
    Figure,
    Group,
    Trace,
    by_arm,
    keyed,
    legend,
    nothing_yet,
    plain,
)
from webapp.lab.results.charts.over_plies import MOST
from webapp.lab.results.charts.win_rate import cut_label, numbers
from webapp.lab.results.ply_sums import Cost
from webapp.lab.results.selectors import SideResult, results
from webapp.lab.results.sides import MAX_MARKS, Side
from webapp.records.models import Experiment

TITLE, BY_PLY = "Strength against CPU time", "CPU time by ply"
MS = 1_000
LEAST_MS = 1e-3
"""What takes less is drawn here: clocks are no finer."""
LETTERS = 22
LEAST_TICKS = 3
PAD = 0.12
COLUMNS = (
    Column("Side", False),
    *map(Column, ("CPU a ply, ms", f"Middle 50{THIN}% of deals", "Matches", "Win rate", f"95{THIN}% interval")),
)


@dataclass(frozen=True)
class _Dot:
    """One side. ms: CPU time of a ply, median over deals."""

    row: SideResult
    cost: Cost
    ms: float
    rate: float


def _costs(experiment: Experiment, sides: Sequence[Side]) -> dict[tuple[int, int], Cost]:
    places = {side.key: ply_sums.side_of(experiment, side.arm, side.place) for side in sides}
    deals = tuple(kinds.deals(experiment, side.arm, MOST) for side in sides)
    found = ply_sums.costs(experiment, tuple(places.values()), deals)
    return {key: found[place] for key, place in places.items() if place in found}


def _why_none(experiment: Experiment) -> str:
    return KEEPS_NONE if not experiment.keeps_plies else NO_PLIES


def build(experiment: Experiment, choice: int | None) -> Figure:
    """A dot for each side, and the frontier: nothing cheaper is stronger."""
    subtitle = f"Win rate against CPU time of a ply, 95{THIN}% intervals."
    rows = [row for row in results(experiment).compared if row.result.matches]
    costs = _costs(experiment, [row.side for row in rows])
    dots = [
        _Dot(row, cost, max(LEAST_MS, MS * cost.median), 100 * rate)
        for row in rows
        if (cost := costs.get(row.side.key)) and (rate := row.result.win_rate) is not None
    ]
    if not dots:
        return nothing_yet(TITLE, subtitle, _why_none(experiment))
    frontier = _frontier(dots)
    names = [dot.row.side.name for dot in frontier]
    an_arm = " an arm" if len({dot.row.side.arm for dot in dots}) > 1 else ""
    played = f"{kinds.matches_in_words(experiment, [dot.row.side for dot in dots], MOST)}"
    return Figure(
        title=TITLE,
        subtitle=f"{subtitle} {played.removesuffix(an_arm)}{an_arm}.",
        name="; ".join(f"{dot.row.side.name} {percent(dot.rate / 100)} at {_ms(dot.ms)} ms a ply" for dot in dots),
        note=f"Dotted: the frontier, where nothing cheaper is stronger: {', '.join(names)}. CPU time without compiling,"
        " the median of deals. Logarithmic axis.",
        data=[_frontier_line(frontier, dots), *(_trace(experiment, dot, dots) for dot in dots)],
        layout=_layout(dots),
        legend=legend([dot.row.side for dot in dots]),
        columns=COLUMNS,
        rows=[_cells(dot) for dot in sorted(dots, key=lambda dot: dot.ms)],
        height_rem=20,
        is_keyed=True,
    )


def _ms(value: float) -> str:
    """Three digits that count."""
    digits = max(0, 2 - math.floor(math.log10(value))) if value > 0 else 0
    return number(value, min(digits, 4))


def _frontier(dots: Sequence[_Dot]) -> list[_Dot]:
    """Those that are stronger than all that cost no more, cheapest first."""
    found: list[_Dot] = []
    for dot in sorted(dots, key=lambda dot: (dot.ms, -dot.rate)):
        if not found or dot.rate > found[-1].rate:
            found.append(dot)
    return found


def _frontier_line(frontier: Sequence[_Dot], dots: Sequence[_Dot]) -> Trace:
    """Steps up, and across to the dearest."""
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [*(dot.ms for dot in frontier), max(dot.ms for dot in dots)],
        "y": [*(dot.rate for dot in frontier), frontier[-1].rate],
        "line": {"color": "@muted", "width": 1.2, "dash": "dot", "shape": "hv"},
        "hoverinfo": "skip",
    }


def _trace(experiment: Experiment, dot: _Dot, dots: Sequence[_Dot]) -> Trace:
    side, interval = dot.row.side, dot.row.result.win_rate_interval
    assert interval is not None
    low, high = 100 * interval.low, 100 * interval.high
    is_many = len(dots) > MAX_MARKS
    return keyed(
        {
            "type": "scatter",
            "mode": "markers" if is_many else "markers+text",
            "x": [dot.ms],
            "y": [dot.rate],
            "marker": {"color": f"@{side.colour}", "size": 8 if is_many else side.size, "symbol": side.symbol},
            "error_y": {
                "type": "data",
                "symmetric": False,
                "array": [high - dot.rate],
                "arrayminus": [dot.rate - low],
                "color": f"@{side.colour}",
                "thickness": 1.5 if is_many else 2.2,
                "width": 0,
            },
            "text": [f"\N{NO-BREAK SPACE}{cut_label(side.name, LETTERS)}\N{NO-BREAK SPACE}"],
            "textposition": _position(dot, dots),
            "textfont": {"size": 12, "color": "@ink"},
            "cliponaxis": False,
            "hovertemplate": f"%{{x:.3g}} ms, %{{y:.1f}} % ({span(low, high)})<extra>{plain(side.name)}</extra>",
        },
        kinds.key_of(experiment, side),
    )


def _position(dot: _Dot, dots: Sequence[_Dot]) -> str:
    """Names stand to the right, of the dear half to the left, above or below a neighbour as the dot does."""
    logs = [math.log10(other.ms) for other in dots]
    middle = (min(logs) + max(logs)) / 2
    across = "left" if math.log10(dot.ms) > middle else "right"
    near = [other for other in dots if other is not dot and abs(math.log10(other.ms / dot.ms)) < 0.2]
    is_above = not near or dot.rate >= min(near, key=lambda other: abs(other.rate - dot.rate)).rate
    return f"{'top' if is_above else 'bottom'} {across}"


def _layout(dots: Sequence[_Dot]) -> dict[str, Any]:
    logs = [math.log10(dot.ms) for dot in dots]
    pad = PAD * (max(logs) - min(logs)) or 0.3
    ends = [end for dot in dots for end in dot.row.result.win_rate_interval or ()]
    low, high = 100 * min(ends), 100 * max(ends)
    room = max(3.0, PAD * (high - low))
    return {
        "xaxis": {
            "title": {"text": "CPU time of a ply, ms"},
            "type": "log",
            "range": [min(logs) - pad, max(logs) + pad],
            "showgrid": True,
        }
        | _log_ticks(10 ** (min(logs) - pad), 10 ** (max(logs) + pad)),
        "yaxis": {"title": {"text": "Win rate, %"}, "range": [max(-3.0, low - room), min(104.0, high + room)]},
    }


def _log_ticks(low: float, high: float) -> dict[str, Any]:
    """Powers of ten, over a short span 1, 2 and 5 of each, and where it holds few of these even steps of 1, 2 or 5."""
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    factors = (1, 2, 5) if math.log10(high / low) < 2 else (1,)
    values = [factor * 10.0**power for power in decades for factor in factors]
    shown = [value for value in values if low <= value <= high]
    if len(shown) < LEAST_TICKS:
        shown = _even_ticks(low, high)
    return {"tickvals": shown, "ticktext": [f"{value:g}" for value in shown]}


def _even_ticks(low: float, high: float) -> list[float]:
    """Multiples of the largest of 1, 2 or 5 times a power of ten of which enough lie from low to high."""
    power = math.floor(math.log10(high - low))
    steps = (factor * 10.0**p for p in (power, power - 1) for factor in (5, 2, 1))
    step = next(s for s in steps if math.floor(high / s) - math.ceil(low / s) >= LEAST_TICKS - 1)
    return [round(k * step, 12) for k in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _cells(dot: _Dot) -> list[str]:
    interval = dot.row.result.win_rate_interval
    assert interval is not None
    return [
        dot.row.side.name,
        _ms(MS * dot.cost.median),
        f"{_ms(MS * dot.cost.low)} to {_ms(MS * dot.cost.high)}",
        count(dot.row.result.matches),
        percent(dot.rate / 100),
        span(100 * interval.low, 100 * interval.high),
    ]


def build_by_ply(experiment: Experiment, choice: int | None) -> Figure:
    """A line a side: the median of some plies."""
    subtitle = "Median CPU time of a ply, compiling left out."
    sides = kinds.drawn_sides(experiment, choice)
    places = {side.key: ply_sums.side_of(experiment, side.arm, side.place) for side in sides}
    deals = tuple(kinds.deals(experiment, side.arm, MOST) for side in sides)
    found = ply_sums.costs_by_ply(experiment, tuple(places.values()), deals)
    drawn = [(side, found[places[side.key]]) for side in sides if places[side.key] in found]
    if not drawn:
        return nothing_yet(BY_PLY, subtitle, _why_none(experiment))
    data = []
    for i, (side, rows) in enumerate(drawn):
        x, y = [at for at, _, _ in rows], [MS * median for _, _, median in rows]
        hover = f"ply %{{x:.0f}}: %{{y:.3g}} ms<extra>{plain(side.name)}</extra>"
        data.append(keyed(number_lines.side_line(x, y, side, hover, i), kinds.key_of(experiment, side)))
    return Figure(
        title=BY_PLY,
        subtitle=f"{subtitle} {kinds.matches_in_words(experiment, [side for side, _ in drawn], MOST)}.",
        name="; ".join(f"{side.name}: most {_ms(MS * max(row[2] for row in rows))} ms" for side, rows in drawn),
        note="Neighbouring plies are taken together. Plies of one match are alike, so no interval is given.",
        data=data,
        layout={
            "xaxis": {"title": {"text": "Ply"}, "rangemode": "tozero"},
            "yaxis": {"title": {"text": "CPU time of a ply, ms"}, "rangemode": "tozero"},
        },
        legend=legend([side for side, _ in drawn], is_dashed=True),
        columns=[Column("Side", False), *map(Column, ("Ply", "Plies", "Median, ms"))],
        rows=[
            [side.name, number(at, 0), count(n), _ms(MS * median)]
            for side, rows in drawn
            for at, n, median in rows[:: max(1, len(rows) // 8)]
        ],
        is_keyed=True,
    )


CHART = Chart("strength-cpu", TITLE, build, Group.TIME, numbers=numbers, needs_plies=True)
CHART_BY_PLY = Chart("cpu-by-ply", BY_PLY, build_by_ply, Group.TIME, details=by_arm, has_means=False, needs_plies=True)
