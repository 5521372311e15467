"""Luck of the deal: the worth of deals, and the points that depend on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from webapp.common.formats import THIN, count, interval_text, number, percent, signed
from webapp.lab.results.charts.figure import Column, Figure, Legend, band, diagonal, line_with_marks, nothing_yet
from webapp.lab.studies.presentations.section import Fact, Section, Table
from webapp.records.models import Study

WORTH_TITLE, POINTS_TITLE = "Deals by what they are worth", "Points by what the deal is worth"
NOTES = (
    "The worth of a deal is its double-dummy value from the opening lead: the points that perfect play of all four "
    "gives with every hand open. Nobody at the table can compute it, so it is luck.",
    "Intervals take the deal as the unit, since both ways of playing a deal share its luck.",
)
LEAST = 2
"""Rounds of a class that have a mean worth drawing."""


def finding(study: Study, result: Mapping[str, Any]) -> str:
    """The share of the result that the deal explains."""
    fit = result["correlation"]
    if not fit:
        return ""
    return (
        f"The deal accounts for {percent(fit['share'], 0)} of the variance of a round's points between "
        f"{result['one']} and {result['other']}."
    )


def facts(study: Study, result: Mapping[str, Any]) -> Sequence[Fact]:
    """Share, correlation, the favoured team's rounds, spread of worths."""
    fit, favoured, worth = result["correlation"], result["favoured"], result["worth"]
    found = []
    if fit:
        found.append(Fact("Luck of the deal", percent(fit["share"], 0), "of the variance of points"))
        found.append(Fact("Correlation", number(fit["r"], 2), interval_text(fit["interval"], 2)))
    if favoured["rounds"]:
        share = percent(favoured["won"] / favoured["rounds"], 0)
        found.append(Fact("Favoured teams win", share, f"of {count(favoured['rounds'])} rounds"))
    if worth["deviation"] is not None:
        found.append(Fact("A deal is worth", f"± {number(worth['deviation'])}", "points, standard deviation"))
    return found


def sections(study: Study, result: Mapping[str, Any]) -> Sequence[Section]:
    """The distribution, and the result beside it."""
    tables = [_table(result)] if result["rounds"] else []
    return [
        Section("What deals are worth", figures=[_worths(result)], notes=NOTES[:1]),
        Section("What becomes of them", figures=[_points(result)], tables=tables, notes=NOTES[1:]),
    ]


def _worths(result: Mapping[str, Any]) -> Figure:
    worth, subtitle = result["worth"], "To the team that opens, in points; each deal once."
    if not worth["deals"]:
        return nothing_yet(WORTH_TITLE, subtitle, "No deal has been solved yet.")
    rows = worth["classes"]
    return Figure(
        title=WORTH_TITLE,
        subtitle=subtitle,
        name=f"Openers win {count(worth['won'])} of {count(worth['deals'])} deals with perfect play and lose "
        f"{count(worth['lost'])}; on average a deal is worth {signed(worth['mean'])} points to them.",
        data=[
            {
                "type": "bar",
                "x": [row["points"] for row in rows],
                "y": [row["deals"] for row in rows],
                "marker": {"color": "@seat-0", "line": {"color": "@surface", "width": 1}},
                "hovertemplate": "about %{x} points: %{y} deals<extra></extra>",
            }
        ],
        layout={
            "bargap": 0,
            "xaxis": {"title": {"text": "Points to the openers' team"}},
            "yaxis": {"title": {"text": "Deals"}, "rangemode": "tozero"},
        },
        columns=[Column("Points, about"), Column("Deals")],
        rows=[[signed(row["points"], 0), count(row["deals"])] for row in rows],
    )


def _points(result: Mapping[str, Any]) -> Figure:
    subtitle = f"Mean points of {result['one']} over {result['other']}, with 95{THIN}% intervals."
    rows = [row for row in result["classes"] if row["rounds"] >= LEAST]
    if not rows:
        return nothing_yet(POINTS_TITLE, subtitle, "No round of it has ended yet.")
    x, y = [row["points"] for row in rows], [row["mean"] for row in rows]
    ends = [row["interval"] or [row["mean"]] * 2 for row in rows]
    return Figure(
        title=POINTS_TITLE,
        subtitle=subtitle,
        name=f"From deals worth {signed(x[0], 0)} points it gains {signed(y[0])}, from those worth {signed(x[-1], 0)} "
        f"{signed(y[-1])}.",
        data=[
            band(x, [low for low, _ in ends], [high for _, high in ends], "seat-0"),
            line_with_marks(x, y, "seat-0", "worth %{x}: %{y:.1f} points<extra></extra>", size=7),
            diagonal(x[0], x[-1]),
        ],
        layout={
            "xaxis": {"title": {"text": "Worth of the deal to its team, points"}},
            "yaxis": {"title": {"text": "Points gained"}},
        },
        legend=[Legend(0, str(result["one"])), Legend(None, "perfect play of all four")],
        columns=[Column("Worth, about"), *map(Column, ("Rounds", "Won", "Points gained", f"95{THIN}% interval"))],
        rows=[_of_class(row) for row in rows],
    )


def _of_class(row: Mapping[str, Any]) -> list[str]:
    won, ends = percent(row["won"] / row["rounds"]), interval_text(row["interval"])
    return [signed(row["points"], 0), count(row["rounds"]), won, signed(row["mean"]), ends]


def _table(result: Mapping[str, Any]) -> Table:
    margin, deviation = result["margin"], result["deviation"]
    rows = [["Mean", signed(margin["mean"]), interval_text(margin["interval"])]]
    if deviation["played"] is not None:
        rows.append(["Standard deviation of a round", number(deviation["played"]), ""])
        rows.append(["The same without the luck of the deal", number(deviation["rest"]), ""])
    fit = result["correlation"]
    if fit:
        ends = interval_text(fit["interval"], 2)
        rows.append(["Correlation with the deal's worth", number(fit["r"], 2), ends])
        rows.append(["Points gained for each point of worth", number(fit["slope"], 2), ""])
    if result["unsolved"]:
        rows.append(["Rounds left out, too long to be solved", count(result["unsolved"]), ""])
    title = f"{result['one']} over {result['other']}, {count(result['rounds'])} rounds"
    return Table(title, [Column("Points a round", False), Column(""), Column(f"95{THIN}% interval")], rows)
