"""Win rate by arm, or by place of the only one: dots with whiskers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from webapp.common.formats import THIN, count, num_matches, number, percent, span, tally
from webapp.lab.results import units
from webapp.lab.results.charts.figure import WIN, Chart, Column, Figure, Group, Number, keyed, nothing_yet, plain
from webapp.lab.results.selectors import Results, SideResult, results
from webapp.lab.results.swept_names import short_names
from webapp.records.models import Experiment

TITLE = "Win rate"
WRAP = 24
PER_ROW_REM = 2.6
MANY = 12
"""More rows than this are drawn small and close, one line of name each, numbers only when pointed at."""
SMALL_ROW_REM = 1.25
LETTERS, PHONE_LETTERS = 60, 22


def build(experiment: Experiment, choice: int | None) -> Figure:
    """One dot per row of the result table."""
    found = results(experiment)
    rows = [row for row in found.compared if row.result.matches]
    fair = found.lineups.fair_share
    is_dense = len(rows) > MANY
    short, by = short_names(experiment)
    names = [short[row.side.arm] if short else row.side.name for row in rows]
    against = f"Against {found.lineups.opponents}, " if found.lineups.opponents else f"{_share_words(found)}, "
    if not rows:
        return nothing_yet(TITLE, f"{against}95{THIN}% intervals.")
    each = "an arm" if not found.is_one_arm else "in all"
    return Figure(
        title=TITLE if found.is_one_arm else "Win rate by arm",
        subtitle=f"{against}95{THIN}% intervals. {num_matches(row.result.matches for row in rows)} {each}.",
        name="; ".join(f"{row.side.name} {percent(row.result.win_rate)}" for row in rows),
        note=" ".join(filter(None, (units.sentence(experiment), "Draws are neither wins nor losses.")))
        + _fair_words(fair)
        + (f" Rows: {by}." if by else ""),
        data=[
            keyed(_dot(index, row, is_dense=is_dense), row.side.arm if len(found.lineups.arms) > 1 else index)
            for index, row in enumerate(rows)
        ],
        layout=_layout(names, fair, is_dense=is_dense) | {"xaxis": rate_axis([_ends(row) for row in rows], fair)},
        columns=[Column("Side", False), *map(Column, ("Matches", "Wins", "Win rate", f"95{THIN}% interval"))],
        rows=[_cells(row) for row in rows],
        height_rem=max(10, 5 + (SMALL_ROW_REM if is_dense else PER_ROW_REM) * len(rows)),
        is_keyed=True,
    )


def _ends(row: SideResult) -> tuple[float, float]:
    interval = row.result.win_rate_interval
    assert interval is not None
    return 100 * interval.low, 100 * interval.high


def rate_axis(ends: Sequence[tuple[float, float]], fair: float | None) -> dict[str, Any]:
    """The axis of rates in per cent, as far as intervals and the equal share reach."""
    values = [end for pair in ends for end in pair] + ([] if fair is None else [100 * fair])
    low, high = min(values), max(values)
    pad = max(2.0, 0.05 * (high - low))
    return {
        "range": [max(-2.0, low - pad), min(102.0, high + pad)],
        "title": {"text": "Win rate, %"},
        "showgrid": True,
        "nticks": 6,
    }


def _layout(names: Sequence[str], fair: float | None, *, is_dense: bool) -> dict[str, Any]:
    """A row for each name, and a line at an equal share."""
    line = {"type": "line", "yref": "paper", "y0": 0, "y1": 1}
    return {
        "yaxis": {
            "range": [len(names) - 0.4, -0.75],
            "showgrid": False,
            "tickvals": list(range(len(names))),
            "ticktext": [cut_label(name, LETTERS) if is_dense else wrap_label(name) for name in names],
            "tickfont": {"color": "@ink", "size": 11 if is_dense else 12},
        },
        "meta": {"phone_yaxis": {"ticktext": [cut_label(name, PHONE_LETTERS) for name in names]}} if is_dense else {},
        "shapes": [] if fair is None else [{**line, "x0": 100 * fair, "x1": 100 * fair}],
    }


def _share_words(found: Results) -> str:
    return f"Share of matches {'that a team won' if found.lineups.has_teams else 'won alone'}"


def _fair_words(fair: float | None) -> str:
    """What the dotted line is."""
    return "" if fair is None else f" Dotted line: {percent(fair)}, an equal share of all matches."


def wrap_label(name: str) -> str:
    """A tick label in at most two lines, cut before it is escaped."""
    if len(name) <= WRAP:
        return plain(name)
    cut = name.rfind(" ", 0, WRAP)
    head, tail = (name[:cut], name[cut + 1 :]) if cut > 0 else (name[:WRAP], name[WRAP:])
    return f"{plain(head)}<br>{plain(tail if len(tail) <= WRAP else tail[: WRAP - 1] + '…')}"


def cut_label(name: str, letters: int) -> str:
    """A tick label of one line."""
    return plain(name if len(name) <= letters else name[: letters - 1] + "…")


def _dot(index: int, row: SideResult, *, is_dense: bool) -> dict[str, object]:
    rate, interval = row.result.win_rate, row.result.win_rate_interval
    assert rate is not None
    assert interval is not None
    colour = f"@{row.side.colour}"
    name = plain(row.side.name) if is_dense else ""
    return {
        "type": "scatter",
        "mode": "markers" if is_dense else "markers+text",
        "x": [100 * rate],
        "y": [index],
        "marker": {"color": colour, "size": 7 if is_dense else 11, "symbol": row.side.symbol},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [100 * (interval.high - rate)],
            "arrayminus": [100 * (rate - interval.low)],
            "color": colour,
            "thickness": 1.5 if is_dense else 2.5,
            "width": 0,
        },
        "text": [number(100 * rate)],
        "textposition": "top center",
        "textfont": {"size": 12, "color": "@ink"},
        "cliponaxis": False,
        "hovertemplate": f"{percent(rate)} ({span(100 * interval.low, 100 * interval.high)})<extra>{name}</extra>",
    }


def _cells(row: SideResult) -> list[str]:
    interval = row.result.win_rate_interval
    assert interval is not None
    return [
        row.side.name,
        count(row.result.matches),
        tally(row.result.wins),
        percent(row.result.win_rate),
        span(100 * interval.low, 100 * interval.high),
    ]


def numbers(_: Experiment) -> list[Number]:
    """Share of matches won."""
    return [Number("Win rate", WIN, is_share=True)]


CHART = Chart("win-rate", TITLE, build, Group.SCORES, numbers=numbers, repeats="sweep-curve")
