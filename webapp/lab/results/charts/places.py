"""At which place sides come in, for three seats and more: stacked shares from first to last."""

from __future__ import annotations

from games import registry as game_registry
from webapp.common.formats import THIN, count, number, percent, span
from webapp.lab.results import units
from webapp.lab.results.charts import kinds
from webapp.lab.results.charts.figure import (
    RANK,
    Chart,
    Column,
    Figure,
    Group,
    Number,
    Trace,
    keyed,
    legend,
    nothing_yet,
    plain,
)
from webapp.lab.results.charts.win_rate import cut_label, wrap_label
from webapp.lab.results.selectors import SideResult, results
from webapp.lab.results.sides import MAX_MARKS, lineups
from webapp.lab.results.table import ORDINALS
from webapp.records.models import Experiment

TITLE = "Places"
SUBTITLE = "Share of matches at each place, from first (full colour) to last (pale)."
LEAST_SIDES = 3
ROW_REM, CLOSE_REM = 2.9, 1.6
LETTERS = 34
LEAST_WRITTEN = 8.0
"""Shares in per cent from which there is room for the number."""
DARK = 0.7
"""Bars at least so full have light numbers."""


def build(experiment: Experiment, choice: int | None) -> Figure:
    """A bar for each side, a part for each place."""
    found = results(experiment)
    compared = found.compared if choice is None else found.sides[min(choice, len(found.sides) - 1)]
    rows = [row for row in compared if row.result.matches]
    if not rows:
        return nothing_yet(TITLE, SUBTITLE)
    places = len(rows[0].result.ranks)
    names = [row.side.name for row in rows]
    is_close = len(rows) > MAX_MARKS
    an_arm = " an arm" if choice is None and not found.is_one_arm else ""
    equal = [100 * (k + 1) / places for k in range(places - 1)]
    return Figure(
        title=TITLE,
        subtitle=f"{SUBTITLE} {units.matches_in_words(experiment, [row.result.matches for row in rows])}{an_arm}.",
        name="; ".join(
            f"{row.side.name} first in {percent(row.result.ranks[0].share)}, mean place"
            f" {number(row.result.mean_rank, 2)}"
            for row in rows
        ),
        note="Equal scores share the better place. Dotted lines: equal shares. The table has the intervals; the unit is"
        " the deal.",
        data=[
            keyed(_part(i, row, k, places), kinds.key_of(experiment, row.side))
            for i, row in enumerate(rows)
            for k in range(places)
        ],
        layout={
            "barmode": "stack",
            "barcornerradius": 0,
            "xaxis": {"title": {"text": "Matches, %"}, "range": [0, 100.5], "nticks": 6},
            "yaxis": {
                "range": [len(rows) - 0.4, -0.6],
                "showgrid": False,
                "tickvals": list(range(len(rows))),
                "ticktext": [cut_label(name, LETTERS) if is_close else wrap_label(name) for name in names],
                "tickfont": {"color": "@ink", "size": 11 if is_close else 12},
                "automargin": True,
            },
            "shapes": [{"type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": at, "x1": at} for at in equal],
        },
        legend=legend([row.side for row in rows]),
        columns=[
            Column("Side", False),
            Column("Place", False),
            *map(Column, ("Matches", "Share, %", f"95{THIN}% interval")),
        ],
        rows=[cells for row in rows for cells in _cells(row)],
        height_rem=max(10, 5 + (CLOSE_REM if is_close else ROW_REM) * len(rows)),
        is_keyed=True,
    )


def _part(at: int, row: SideResult, k: int, places: int) -> Trace:
    """One place of one side."""
    share = 100 * (row.result.ranks[k].share or 0)
    full = 1 - 0.86 * k / max(1, places - 1)
    colour = f"@{row.side.colour}" + ("" if k == 0 else f"/{full:.2f}")
    return {
        "type": "bar",
        "orientation": "h",
        "x": [share],
        "y": [at],
        "width": 0.7,
        "marker": {"color": colour, "line": {"color": f"@{row.side.colour}", "width": 1}},
        "text": [f"{share:.0f}" if share >= LEAST_WRITTEN else ""],
        "textposition": "inside",
        "insidetextanchor": "middle",
        "textangle": 0,
        "textfont": {"color": "@surface" if full >= DARK else "@ink", "size": 12},
        "hovertemplate": f"{ORDINALS[k]}: %{{x:.1f}} %<extra>{plain(row.side.name)}</extra>",
    }


def _cells(row: SideResult) -> list[list[str]]:
    """A row for each place, and the mean."""
    found = []
    for rank in row.result.ranks:
        bounds = rank.interval
        words = span(100 * bounds.low, 100 * bounds.high) if bounds else span(None, None)
        share = number(None if rank.share is None else 100 * rank.share)
        found.append([row.side.name, ORDINALS[rank.rank - 1], count(row.result.matches), share, words])
    mean, bounds = row.result.mean_rank, row.result.rank_interval
    words = f"{number(bounds.low, 2)} to {number(bounds.high, 2)}" if bounds else span(None, None)
    return [*found, [row.side.name, "Mean place", count(row.result.matches), number(mean, 2), words]]


def fits(experiment: Experiment) -> bool:
    """Whether there are three sides or more; of two the win rate says it all."""
    has_teams = game_registry.get(experiment.game).traits.has_teams
    return int(experiment.spec["seats"]) >= LEAST_SIDES and not has_teams


def numbers(_: Experiment) -> list[Number]:
    """The place."""
    return [Number("Place", RANK)]


def _arms(experiment: Experiment) -> tuple[str, ...]:
    arms = lineups(experiment).arms
    return arms if len(arms) > 1 else ()


CHART = Chart("places", TITLE, build, Group.SCORES, details=_arms, fits=fits, numbers=numbers, is_pinned=True)
