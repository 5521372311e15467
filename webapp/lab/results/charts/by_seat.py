"""What each side wins from each seat: the advantage of moving first, side by side."""

from __future__ import annotations

from games import registry as game_registry
from webapp.common.formats import THIN, count, number, percent, span, tally
from webapp.lab.results import units
from webapp.lab.results.charts import kinds
from webapp.lab.results.charts.figure import Chart, Column, Figure, Trace, by_arm, legend, nothing_yet, plain
from webapp.lab.results.charts.win_rate import wrap_label
from webapp.lab.results.selectors import SideResult, results
from webapp.lab.results.table import first_seat_words
from webapp.records.models import Experiment
from worker.analysis.summary import SeatResult
from worker.spec import seatings

TITLE = "Win rate by seat"
SUBTITLE = f"Share of matches that a side won from each seat, 95{THIN}% intervals."
ROW_REM = 2.1
SIDE_GAP = 0.6
"""Rows of two sides stand so much further apart than those of one."""
COLUMNS = (
    Column("Side", False),
    Column("Seat", False),
    *map(Column, ("Matches", "Wins", "Win rate", f"95{THIN}% interval")),
)
Row = tuple[SideResult, SeatResult]


def build(experiment: Experiment, arm: int) -> Figure:
    """A row for each seat of each side."""
    found = results(experiment)
    sides = {side.place: side for side in kinds.sides_of(experiment, arm)}
    rows = [(row, seat) for row in found.sides[arm] for seat in row.result.seats if seat.matches]
    if not rows:
        return nothing_yet(TITLE, SUBTITLE)
    places = [i + SIDE_GAP * list(sides).index(row.side.place) for i, (row, _) in enumerate(rows)]
    fair = found.lineups.fair_share
    return Figure(
        title=TITLE,
        subtitle=f"{SUBTITLE} {units.matches_in_words(experiment, [kinds.num_matches(experiment, arm)])}.",
        name="; ".join(f"{row.side.name} {percent(seat.win_rate)} from seat {seat.seat}" for row, seat in rows),
        note=(first_seat_words(found.first, found.lineups) if found.first else "")
        + (f" Dotted line: {percent(fair)}, an equal share." if fair else ""),
        data=[_dots(experiment, arm, place, rows, places) for place in sides],
        layout={
            "xaxis": {
                "range": [-2, 102],
                "title": {"text": "Win rate, %"},
                "showgrid": True,
                "tickvals": [0, 25, 50, 75, 100],
            },
            "yaxis": {
                "range": [places[-1] + 0.7, -0.8],
                "showgrid": False,
                "tickvals": places,
                "ticktext": [wrap_label(f"{row.side.name}, seat {seat.seat}") for row, seat in rows],
                "tickfont": {"color": "@ink", "size": 12},
                "automargin": True,
            },
            "shapes": [{"type": "line", "x0": 100 * fair, "x1": 100 * fair, "yref": "paper", "y0": 0, "y1": 1}]
            if fair
            else [],
        },
        legend=legend(list(sides.values())),
        columns=COLUMNS,
        rows=[_cells(row, seat) for row, seat in rows],
        height_rem=6 + ROW_REM * (places[-1] + 1),
    )


def _dots(experiment: Experiment, arm: int, place: int, rows: list[Row], places: list[float]) -> Trace:
    side = next(side for side in kinds.sides_of(experiment, arm) if side.place == place)
    own = [(y, seat) for (row, seat), y in zip(rows, places, strict=True) if row.side.place == place]
    rates = [100 * (seat.win_rate or 0) for _, seat in own]
    bounds = [seat.win_rate_interval for _, seat in own]
    colour = f"@{side.colour}"
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": rates,
        "y": [y for y, _ in own],
        "marker": {"color": colour, "size": 10, "symbol": side.symbol},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [100 * b.high - rate if b else 0 for rate, b in zip(rates, bounds, strict=True)],
            "arrayminus": [rate - 100 * b.low if b else 0 for rate, b in zip(rates, bounds, strict=True)],
            "color": colour,
            "thickness": 2.5,
            "width": 0,
        },
        "text": [number(rate) for rate in rates],
        "textposition": "top center",
        "textfont": {"size": 12, "color": "@ink"},
        "cliponaxis": False,
        "customdata": [f"seat {seat.seat}: {_interval(seat)}" for _, seat in own],
        "hovertemplate": f"%{{x:.1f}} %, %{{customdata}}<extra>{plain(side.name)}</extra>",
    }


def _interval(seat: SeatResult) -> str:
    bounds = seat.win_rate_interval
    return span(100 * bounds.low, 100 * bounds.high) if bounds else span(None, None)


def _cells(row: SideResult, seat: SeatResult) -> list[str]:
    return [
        row.side.name,
        f"Seat {seat.seat}",
        count(seat.matches),
        tally(seat.wins),
        percent(seat.win_rate),
        _interval(seat),
    ]


def fits(experiment: Experiment) -> bool:
    """Whether seats are taken in turn, and a seat says who moves first: in games of teams the rules decide that."""
    is_rotated = experiment.spec["rotation"] != seatings.NONE and int(experiment.spec["seats"]) > 1
    return is_rotated and not game_registry.get(experiment.game).traits.has_teams


CHART = Chart("by-seat", TITLE, build, choices=by_arm, fits=fits)
