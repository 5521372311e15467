"""What each side wins from each seat, side by side: where seat 0 moves first, what that is worth."""

from __future__ import annotations

from games import registry as game_registry
from webapp.common.formats import THIN, count, number, percent, span, tally
from webapp.common.naming import PLACES
from webapp.lab.results import units
from webapp.lab.results.charts import kinds
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
from webapp.lab.results.charts.win_rate import cut_label, numbers, rate_axis, wrap_label
from webapp.lab.results.selectors import SideResult, results
from webapp.lab.results.sides import MAX_MARKS, lineups
from webapp.lab.results.table import first_seat_words
from webapp.records.models import Experiment
from worker.analysis.summary import SeatResult
from worker.spec import seatings
from worker.spec.naming import in_words

TITLE = "Win rate by seat"
SUBTITLE = f"Share of matches that a side won from each seat, 95{THIN}% intervals."
ROW_REM, ARM_REM, CLOSE_REM = 2.1, 2.6, 1.5
LETTERS = 34
SIDE_GAP = 0.6
"""Rows of two sides stand so much further apart than those of one."""
COLUMNS = (
    Column("Side", False),
    Column("Seat", False),
    Column("Its number in exports"),
    *map(Column, ("Matches", "Wins", "Win rate", f"95{THIN}% interval")),
)
Row = tuple[SideResult, SeatResult]
OPEN = "Filled: from the first seat; open: from the others."
APART = 0.3
"""Dots of the first and of the last seat stand so far apart, in rows."""


def build(experiment: Experiment, choice: int | None) -> Figure:
    """All arms side by side, or a row for each seat of each side of one."""
    is_many = choice is None and len(lineups(experiment).arms) > 1
    return _arms(experiment) if is_many else _sides(experiment, choice or 0)


def _arms(experiment: Experiment) -> Figure:
    """A row for each arm, a dot for each seat in it."""
    found = results(experiment)
    rows = [row for row in found.compared if any(seat.matches for seat in row.result.seats)]
    if not rows:
        return nothing_yet(TITLE, SUBTITLE)
    names, fair = [row.side.name for row in rows], found.lineups.fair_share
    seats = [[(row, seat) for seat in row.result.seats if seat.matches] for row in rows]
    ends = [(100 * b.low, 100 * b.high) for own in seats for _, seat in own if (b := seat.win_rate_interval)]
    is_close = len(rows) > MAX_MARKS
    played = units.matches_in_words(experiment, [row.result.matches for row in rows])
    return Figure(
        title=TITLE,
        subtitle=f"{SUBTITLE} {OPEN} {played} an arm.",
        name="; ".join(
            f"{row.side.name} {percent(s.win_rate)} from the {in_words([s.seat])}" for own in seats for row, s in own
        ),
        note=(first_seat_words(experiment, found.first, found.lineups) if found.first else "")
        + (f" Dotted line: {percent(fair)}, an equal share." if fair else ""),
        data=[
            keyed(_seat_dot(i, k, len(own), row, seat), row.side.arm)
            for i, own in enumerate(seats)
            for k, (row, seat) in enumerate(own)
        ],
        layout={
            "xaxis": rate_axis(ends, fair),
            "yaxis": {
                "range": [len(rows) - 0.4, -0.6],
                "showgrid": False,
                "tickvals": list(range(len(rows))),
                "ticktext": [cut_label(name, LETTERS) if is_close else wrap_label(name) for name in names],
                "tickfont": {"color": "@ink", "size": 11 if is_close else 12},
                "automargin": True,
            },
            "shapes": _fair_line(fair),
        },
        legend=legend([row.side for row in rows]),
        columns=COLUMNS,
        rows=[_cells(row, seat) for own in seats for row, seat in own],
        height_rem=6 + (CLOSE_REM if is_close else ARM_REM) * len(rows),
        is_keyed=True,
    )


def _fair_line(fair: float | None) -> list[dict[str, object]]:
    line = {"type": "line", "yref": "paper", "y0": 0, "y1": 1}
    return [line | {"x0": 100 * fair, "x1": 100 * fair}] if fair else []


def _seat_dot(row: int, k: int, of: int, side: SideResult, seat: SeatResult) -> Trace:
    rate, bounds = 100 * (seat.win_rate or 0), seat.win_rate_interval
    colour = f"@{side.side.colour}"
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [rate],
        "y": [row + APART * (k / max(1, of - 1) - 0.5)],
        "marker": {"color": colour, "size": 9, "symbol": side.side.symbol + ("-open" if k else "")},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [100 * bounds.high - rate if bounds else 0],
            "arrayminus": [rate - 100 * bounds.low if bounds else 0],
            "color": colour,
            "thickness": 2 if k == 0 else 1.2,
            "width": 0,
        },
        "cliponaxis": False,
        "hovertemplate": f"{in_words([seat.seat])}: {percent(rate / 100)} ({_interval(seat)})"
        f"<extra>{plain(side.side.name)}</extra>",
    }


def _sides(experiment: Experiment, arm: int) -> Figure:
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
        name="; ".join(
            f"{row.side.name} {percent(seat.win_rate)} from the {in_words([seat.seat])}" for row, seat in rows
        ),
        note=(first_seat_words(experiment, found.first, found.lineups) if found.first else "")
        + (f" Dotted line: {percent(fair)}, an equal share." if fair else ""),
        data=[
            keyed(_dots(experiment, arm, place, rows, places), kinds.key_of(experiment, side))
            for place, side in sides.items()
        ],
        layout={
            "xaxis": rate_axis([_ends(seat) for _, seat in rows], fair),
            "yaxis": {
                "range": [places[-1] + 0.7, -0.8],
                "showgrid": False,
                "tickvals": places,
                "ticktext": [wrap_label(f"{row.side.name}, {in_words([seat.seat])}") for row, seat in rows],
                "tickfont": {"color": "@ink", "size": 12},
                "automargin": True,
            },
            "shapes": _fair_line(fair),
        },
        legend=legend(list(sides.values())),
        columns=COLUMNS,
        rows=[_cells(row, seat) for row, seat in rows],
        height_rem=6 + ROW_REM * (places[-1] + 1),
        is_keyed=len(lineups(experiment).arms) == 1,
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
        "customdata": [f"{in_words([seat.seat])}: {_interval(seat)}" for _, seat in own],
        "hovertemplate": f"%{{x:.1f}} %, %{{customdata}}<extra>{plain(side.name)}</extra>",
    }


def _ends(seat: SeatResult) -> tuple[float, float]:
    bounds = seat.win_rate_interval
    return (100 * bounds.low, 100 * bounds.high) if bounds else (0.0, 100.0)


def _interval(seat: SeatResult) -> str:
    bounds = seat.win_rate_interval
    return span(100 * bounds.low, 100 * bounds.high) if bounds else span(None, None)


def _cells(row: SideResult, seat: SeatResult) -> list[str]:
    return [
        row.side.name,
        PLACES[seat.seat],
        str(seat.seat),
        count(seat.matches),
        tally(seat.wins),
        percent(seat.win_rate),
        _interval(seat),
    ]


def fits(experiment: Experiment) -> bool:
    """Whether seats are taken in turn, and a seat says who moves first: in games of teams the rules decide that."""
    is_rotated = experiment.spec["rotation"] != seatings.NONE and int(experiment.spec["seats"]) > 1
    return is_rotated and not game_registry.get(experiment.game).traits.has_teams


CHART = Chart("by-seat", TITLE, build, Group.SCORES, details=by_arm, fits=fits, numbers=numbers)
