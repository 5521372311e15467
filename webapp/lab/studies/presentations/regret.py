"""Regret: points that each player gives away a decision, and how often it chose the best action found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from webapp.common.formats import THIN, count, interval_text, number, percent, plural
from webapp.lab.results.charts.figure import Column, Figure, nothing_yet
from webapp.lab.studies.presentations.section import Fact, Section
from webapp.records.models import Study

TITLE, FIGURE = "Points given away a decision", "Regret of each player"
DIGITS = 2


def notes(result: Mapping[str, Any]) -> tuple[str, ...]:
    """What the figures mean. result: of the kind."""
    return (
        f"An action is worth the points by which its seat ends ahead on average if all play on as {result['by']} "
        "does: what a better player makes of a position later is not in it.",
        f"The best action is found by other playouts than those that judge, {count(result['playouts'])} of each action "
        "in both, on the same luck for all. Who chooses it gives away nothing. Where it is not the best in truth, "
        "figures are too small, and may fall below zero.",
        "Intervals are over positions, each of a match of its own.",
    )


def finding(study: Study, result: Mapping[str, Any]) -> str:
    """Who gives away least."""
    known = [row for row in result["players"] if row["loss"]["interval"]]
    if not known:
        return ""
    least = min(known, key=lambda row: float(row["loss"]["mean"]))
    loss = least["loss"]
    return (
        f"{least['name']} gives away least, {number(loss['mean'], DIGITS)} points a decision "
        f"({interval_text(loss['interval'], DIGITS)}) over {plural(result['positions'], 'position', 'positions')}."
    )


def facts(study: Study, result: Mapping[str, Any]) -> Sequence[Fact]:
    """Positions, and how much choice there was."""
    if result["legal"] is None:
        return ()
    return (
        Fact("Positions", count(result["positions"])),
        Fact("Legal actions", number(result["legal"]), "a decision, on average"),
    )


def sections(study: Study, result: Mapping[str, Any]) -> Sequence[Section]:
    """The chart, whose table has every number."""
    return [Section(TITLE, figures=[figure(result)], notes=notes(result))]


def figure(result: Mapping[str, Any]) -> Figure:
    """A bar for each player, with its interval."""
    rows = [row for row in result["players"] if row["loss"]["interval"]]
    if not rows:
        return nothing_yet(FIGURE, "", "Two positions must have been looked at.")
    means = [row["loss"]["mean"] for row in rows]
    return Figure(
        title=FIGURE,
        subtitle=f"Mean over {plural(result['positions'], 'position', 'positions')}, with 95{THIN}% intervals.",
        name="; ".join(f"{row['name']} {number(row['loss']['mean'], DIGITS)} points" for row in rows),
        data=[
            {
                "type": "bar",
                "x": [row["name"] for row in rows],
                "y": means,
                "marker": {"color": "@seat-0"},
                "error_y": {
                    "type": "data",
                    "symmetric": False,
                    "array": [row["loss"]["interval"][1] - mean for row, mean in zip(rows, means, strict=True)],
                    "arrayminus": [mean - row["loss"]["interval"][0] for row, mean in zip(rows, means, strict=True)],
                    "color": "@ink",
                    "thickness": 1.5,
                },
                "hovertemplate": "%{x}: %{y:.2f} points<extra></extra>",
            }
        ],
        layout={"yaxis": {"title": {"text": "Points a decision"}, "zeroline": True}, "bargap": 0.45},
        columns=list(_COLUMNS),
        rows=_rows(result),
    )


_COLUMNS = (
    Column("Player", is_number=False),
    Column("Points given away"),
    Column(f"95{THIN}% interval"),
    Column("Best action chosen"),
    Column(f"95{THIN}% interval"),
)


def _rows(result: Mapping[str, Any]) -> list[list[str]]:
    return [
        [
            row["name"],
            number(row["loss"]["mean"], DIGITS),
            interval_text(row["loss"]["interval"], DIGITS),
            percent(row["best"]["value"], 0),
            _per_cent(row["best"]["interval"]),
        ]
        for row in result["players"]
    ]


def _per_cent(interval: Sequence[float] | None) -> str:
    return interval_text(interval and [100 * end for end in interval], 0)
