"""Quality of beliefs: log-loss by ply, calibration, and the samples that weighting worlds costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from webapp.common.formats import THIN, count, interval_text, number, percent, signed
from webapp.lab.results.charts.figure import Column, Figure, Legend, Trace, band, diagonal, line_with_marks, nothing_yet
from webapp.lab.results.sides import SYMBOLS
from webapp.lab.studies.presentations.section import Fact, Section, Table
from webapp.records.models import Study
from worker.studies import belief_quality

LABELS = {name: label[0].upper() + label[1:] for name, label in belief_quality.LABELS.items()}
LEAST = 30
"""Chances of a class from which on its frequency is drawn."""
NOTES = (
    "Log-loss: the negative natural logarithm of the chance that the belief of the seat on turn gave to the true deal, "
    "before every turn. Nearer to 0 is better. Bands are 95 % intervals over rounds.",
    "Calibration: chances of single tiles to be with a seat, by tenths, beside how often they came true; what is "
    "certain is left out. A belief is calibrated on the diagonal.",
    "Effective worlds: the size of an unweighted sample that is as good as the weighted one, as a share of the worlds.",
)


def finding(study: Study, result: Mapping[str, Any]) -> str:
    """The best belief of the first player."""
    for player in result["players"]:
        known = [row for row in player["beliefs"] if row["loss"]["mean"] is not None]
        if known:
            best = min(known, key=lambda row: row["loss"]["mean"])
            return (
                f"{LABELS[best['id']]}: the best belief where all play as {player['label']}, "
                f"{number(best['loss']['mean'], 2)} nats of log-loss, "
                f"{number(next(row for row in known if row['id'] == 'exact')['loss']['mean'], 2)} by the exact "
                "posterior."
            )
    return ""


def facts(study: Study, result: Mapping[str, Any]) -> Sequence[Fact]:
    """Nats gained on the exact posterior, of the first player."""
    rows = result["players"][0]["beliefs"]
    return [
        Fact(LABELS[row["id"]], f"{signed(row['gain']['mean'], 2)} nats", "on the exact posterior")
        for row in rows
        if row["id"] != "exact" and row["gain"]["mean"] is not None
    ][:4]


def sections(study: Study, result: Mapping[str, Any]) -> Sequence[Section]:
    """A part for each player."""
    return [
        Section(player["label"], figures=[_losses(player), _calibration(player)], tables=[_table(player)], notes=NOTES)
        for player in result["players"]
    ]


def _losses(player: Mapping[str, Any]) -> Figure:
    title, subtitle = "Log-loss by ply", f"Mean over rounds, with its 95{THIN}% interval as a band."
    rows = player["beliefs"] if player["rounds"] else []
    if not rows:
        return nothing_yet(title, subtitle, "No round of it has been played yet.")
    return Figure(
        title=title,
        subtitle=subtitle,
        name="; ".join(f"{LABELS[row['id']]} {number(row['loss']['mean'], 2)} nats over all plies" for row in rows),
        data=[trace for mark, row in enumerate(rows) for trace in _loss_traces(mark, row)],
        layout={
            "xaxis": {"title": {"text": "Ply of the round"}, "rangemode": "tozero"},
            "yaxis": {"title": {"text": "Log-loss in nats"}, "rangemode": "tozero"},
        },
        legend=_legend(rows),
        columns=[Column("Belief", False), *map(Column, ("Ply", "Rounds", "Log-loss", f"95{THIN}% interval"))],
        rows=[
            [LABELS[row["id"]], count(ply), count(loss["n"]), number(loss["mean"], 2), _ends(loss)]
            for row in rows
            for ply, loss in enumerate(row["plies"], start=1)
            if loss["n"]
        ],
        height_rem=22,
    )


def _legend(rows: Sequence[Mapping[str, Any]]) -> list[Legend]:
    return [Legend(mark, LABELS[row["id"]]) for mark, row in enumerate(rows)]


def _ends(loss: Mapping[str, Any]) -> str:
    return interval_text(loss["interval"], 2)


def _loss_traces(mark: int, row: Mapping[str, Any]) -> list[Trace]:
    known = [(ply, loss) for ply, loss in enumerate(row["plies"], start=1) if loss["n"]]
    x, y = [ply for ply, _ in known], [loss["mean"] for _, loss in known]
    ends = [loss["interval"] or [loss["mean"]] * 2 for _, loss in known]
    return [
        band(x, [low for low, _ in ends], [high for _, high in ends], f"seat-{mark}"),
        _stroke(mark, x, y, f"ply %{{x}}: %{{y:.2f}} nats<extra>{LABELS[row['id']]}</extra>"),
    ]


def _stroke(mark: int, x: Sequence[float], y: Sequence[float], hover: str) -> Trace:
    return line_with_marks(x, y, f"seat-{mark}", hover, size=6, symbol=SYMBOLS[mark])


def _calibration(player: Mapping[str, Any]) -> Figure:
    title, subtitle = "Predicted and true", "Chances of single tiles to be with a seat."
    known = [(row, [part for part in row["classes"] if part["n"] >= LEAST]) for row in player["beliefs"]]
    if not any(parts for _, parts in known):
        return nothing_yet(title, subtitle, "Too few chances have been compared yet.")
    return Figure(
        title=title,
        subtitle=subtitle,
        name="; ".join(
            f"{LABELS[row['id']]} is {percent(row['error'])} off on average" for row, parts in known if parts
        ),
        data=[diagonal(0, 1), *(_came_true(mark, row, parts) for mark, (row, parts) in enumerate(known))],
        layout={
            "xaxis": {"title": {"text": "Predicted"}, "range": [0, 1], "tickformat": ".0%"},
            "yaxis": {"title": {"text": "Came true"}, "range": [0, 1], "tickformat": ".0%"},
        },
        legend=_legend(player["beliefs"]),
        columns=[Column("Belief", False), *map(Column, ("Chances", "Predicted", "Came true"))],
        rows=[
            [LABELS[row["id"]], count(part["n"]), percent(part["predicted"]), percent(part["came"])]
            for row, parts in known
            for part in parts
        ],
        height_rem=22,
    )


def _came_true(mark: int, row: Mapping[str, Any], parts: Sequence[Mapping[str, Any]]) -> Trace:
    x, y = [part["predicted"] for part in parts], [part["came"] for part in parts]
    return _stroke(mark, x, y, f"predicted %{{x:.0%}}, came true %{{y:.1%}}<extra>{LABELS[row['id']]}</extra>")


def _table(player: Mapping[str, Any]) -> Table:
    effective = {row["id"]: row["all"]["mean"] for row in player["effective"]}
    columns = [
        Column("Belief", False),
        *map(Column, ("Log-loss, nats", "Gained on exact", f"95{THIN}% interval", "Off by", "Effective worlds")),
    ]
    rows = [
        [
            LABELS[row["id"]],
            number(row["loss"]["mean"], 2),
            signed(row["gain"]["mean"], 3),
            interval_text(row["gain"]["interval"], 3),
            percent(row["error"]) if row["error"] is not None else "",
            percent(effective[row["id"]], 0) if effective.get(row["id"]) is not None else "",
        ]
        for row in player["beliefs"]
        if row["loss"]["mean"] is not None
    ]
    return Table(f"Over all plies of {count(player['rounds'])} rounds", columns, rows)
