"""Tuning: what the confirmation says of the winner, values over the rounds, and everything that was tried."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from webapp.common.formats import THIN, count, interval_text, number, p_text, percent, plural, signed, span
from webapp.lab.results.charts.figure import Column, Figure, Legend, Trace, line, nothing_yet, plain
from webapp.lab.results.swept_names import lower_first
from webapp.lab.studies.presentations.section import Fact, Section, Table
from webapp.records.models import Study
from worker.analysis.trend import LOG
from worker.spec import naming
from worker.studies.tuning_plan import MARGIN, WIN

NOTES = (
    "The winner was chosen for what it showed in the search, so that is too good on average. Only the confirmation, on"
    " deals that nobody had met, is a claim.",
    "After each round the better half goes on, by the mean over all its deals; candidates that are left have met the"
    " same deals. Intervals of the search are for one candidate each.",
)
MEASURES = {MARGIN: ("points of margin", 1.0), WIN: ("points of win rate", 100.0)}
"""What a difference is in, and what pages write for 1."""


def finding(study: Study, result: Mapping[str, Any]) -> str:
    """What the confirmation says; empty before."""
    return _said(result)


def _said(result: Mapping[str, Any]) -> str:
    tried = plural(len(result["candidates"]), "candidate", "candidates")
    if result["tuned"] == 0:
        none = f"Of {tried}, the start among them, none was ahead of it at the end of the search"
        return f"{none}, so there is nothing to confirm."
    if not result["confirmation"]:
        return ""
    found, (unit, scale) = result["confirmation"][result["outcome"]], MEASURES[result["outcome"]]
    name = _called(result, result["tuned"])
    if found["interval"] is None:
        return f"{name} and the start differ by {signed(scale * found['mean'])} {unit} on every deal."
    low, high = (scale * end for end in found["interval"])
    gain = f"{signed(scale * found['mean'])} {unit} ({span(low, high)}) on {count(found['blocks'])} fresh deals"
    if low > 0:
        return f"{name}, the best of {tried}, is better than the start: {gain}."
    if high < 0:
        return f"{name} was the best of {tried} in the search, but is worse than the start: {gain}."
    return f"{name} was the best of {tried} in the search, but is not shown to be better than the start: {gain}."


def _called(result: Mapping[str, Any], number: int) -> str:
    """A candidate by its values: "C 3.2, random share of playouts 0.1"."""
    values = result["candidates"][number]["values"]
    labels = [row["label"] if i == 0 else lower_first(row["label"]) for i, row in enumerate(result["values"])]
    texts = [naming.number_text(values[row["name"]]) for row in result["values"]]
    return ", ".join(f"{label} {text}" for label, text in zip(labels, texts, strict=True))


def facts(study: Study, result: Mapping[str, Any]) -> Sequence[Fact]:
    """Values of the winner, what it showed in the search, and what was confirmed."""
    if not result["tuned"]:
        return []
    winner, (unit, scale) = result["candidates"][result["tuned"]], MEASURES[result["outcome"]]
    start = result["candidates"][0]["means"]
    found = [
        Fact(value["label"], naming.number_text(winner["values"][value["name"]])) for value in result["values"][:2]
    ]
    shown = winner["means"][len(start) - 1 : len(start)]  # over the deals that the start has met, too
    if shown and shown[0] is not None and start[-1] is not None:
        found.append(Fact("In the search", signed(scale * (shown[0] - start[-1])), f"{unit}, too good on average"))
    if result["confirmation"]:
        found.append(Fact("Confirmed", signed(scale * result["confirmation"][result["outcome"]]["mean"]), unit))
    return found


def sections(study: Study, result: Mapping[str, Any]) -> Sequence[Section]:
    """The confirmation, a figure for each option, and the candidates."""
    figures = [_figure(result, value) for value in result["values"]]
    words, tables = _confirmation_words(result), _confirmation(result)
    confirmation = [Section("Confirmation", words, tables=tables)] if words or tables else []
    return [
        *confirmation,
        Section("Values by round", figures=figures),
        Section("Everything that was tried", tables=[_table(result)], notes=NOTES),
    ]


def _confirmation_words(result: Mapping[str, Any]) -> list[str]:
    if _said(result):
        return []  # it stands above
    if result["tuned"] is None:
        return ["The search goes on. When one candidate is left, it and the start meet fresh deals."]
    deals = plural(result["confirm"], "fresh deal", "fresh deals")
    return [f"One candidate is left. What it is worth is shown when it and the start have met all {deals}."]


def _confirmation(result: Mapping[str, Any]) -> list[Table]:
    if not result["confirmation"]:
        return []
    heads = ("Winner", "Start", "Difference", f"95{THIN}% interval", "p", "Deals")
    rows = []
    for name, head in ((MARGIN, "Margin"), (WIN, "Win rate")):
        found, scale = result["confirmation"][name], MEASURES[name][1]
        shown = [percent(found[key]) if name == WIN else signed(found[key]) for key in ("tuned", "start")]
        ends = span(*(scale * end for end in found["interval"])) if found["interval"] else "the same on every deal"
        p = p_text(found["p"]) if found["p"] is not None else ""
        rows.append([head, *shown, signed(scale * found["mean"]), ends, p, count(found["blocks"])])
    columns = [Column("Outcome", is_number=False), *map(Column, heads)]
    return [Table("On fresh deals", columns, rows, "Winner less start, deal by deal; both met the same ones.")]


def _figure(result: Mapping[str, Any], value: Mapping[str, Any]) -> Figure:
    """A dot for each candidate in each round, at its value; the winner's are joined."""
    title = f"{value['label']} by round"
    subtitle = "The candidates that play in each round, and the one that is left."
    rounds = [row for row in result["rounds"] if row["playing"] is not None]
    begun = [row for row in result["candidates"] if row["deals"]]
    if not begun:
        return nothing_yet(title, subtitle, "Nothing of it has been played yet.")
    is_log = value["scale"] == LOG
    points = [(i, number) for i, row in enumerate(rounds) for number in row["playing"]]
    on = [(i, number) for i, number in points if number in _left(result, rounds, i)]
    out = [point for point in points if point not in on]
    groups = [(out, "muted", "circle-open"), (on, "seat-0", "circle")]
    data = [_dots(result, value, points, look) for points, *look in groups if points]
    if result["tuned"] is not None:
        at = result["candidates"][result["tuned"]]["values"][value["name"]]
        last = len(result["rounds"]) + 1
        text = f"{naming.number_text(at)} is left<extra></extra>"
        data.append(line([1.0, float(last)], [float(at)] * 2, "seat-1", text, "dot"))
    start = result["candidates"][0]["values"][value["name"]]
    low, high = min(value["low"], start), max(value["high"], start)
    return Figure(
        title=title,
        subtitle=subtitle,
        name=f"{title}: {_name(result, value)}",
        note=f"Start: {naming.number_text(start)}." + (" Logarithmic axis." if is_log and low > 0 else ""),
        data=data,
        layout={
            "xaxis": {
                "title": {"text": "Round"},
                "range": [0.7, len(result["rounds"]) + 1.3],
                "tickvals": list(range(1, len(result["rounds"]) + 2)),
                "ticktext": [*map(str, range(1, len(result["rounds"]) + 1)), "left"],
            },
            "yaxis": {"title": {"text": plain(value["label"])}, **_upright(low, high, is_log=is_log and low > 0)},
        },
        legend=[
            Legend(0, "goes on"),
            *([Legend(None, "goes out (hollow)")] if out else []),
            *([Legend(1, "is left (dotted)")] if result["tuned"] is not None else []),
        ],
        columns=[Column("Round"), Column("Candidates"), Column("Deals of each"), Column("Values", False)],
        rows=[
            [
                count(i + 1),
                count(row["candidates"]),
                count(row["deals"]),
                ", ".join(naming.number_text(result["candidates"][k]["values"][value["name"]]) for k in row["playing"]),
            ]
            for i, row in enumerate(rounds)
        ],
        height_rem=18,
    )


def _left(result: Mapping[str, Any], rounds: Sequence[Mapping[str, Any]], index: int) -> set[int]:
    """Who goes on after a round; in the last that has begun nobody has gone out yet, unless the search is over."""
    if index + 1 < len(rounds):
        return set(rounds[index + 1]["playing"])
    return set(rounds[index]["playing"]) if result["tuned"] is None else {result["tuned"]}


def _upright(low: float, high: float, *, is_log: bool) -> dict[str, Any]:
    if not is_log:
        pad = 0.06 * (high - low)
        return {"range": [low - pad, high + pad], "zeroline": False}
    ratio = (high / low) ** 0.06
    ends = [math.log10(low / ratio), math.log10(high * ratio)]
    powers = [10.0**k for k in range(int(ends[0] // 1), int(ends[1] // 1) + 1) if ends[0] <= k <= ends[1]]
    ticks = {"tickvals": powers, "ticktext": [naming.number_text(power) for power in powers]} if powers else {}
    return {"type": "log", "range": ends, **ticks}


def _name(result: Mapping[str, Any], value: Mapping[str, Any]) -> str:
    if result["tuned"] is None:
        playing = [row["playing"] for row in result["rounds"] if row["playing"] is not None][-1]
        return f"{count(len(playing))} of {count(len(result['candidates']))} candidates are left"
    return f"{naming.number_text(result['candidates'][result['tuned']]['values'][value['name']])} is left"


def _dots(
    result: Mapping[str, Any], value: Mapping[str, Any], points: Sequence[tuple[int, int]], look: Sequence[str]
) -> Trace:
    colour, symbol = look
    scale = MEASURES[result["outcome"]][1]
    texts = []
    for i, candidate in points:
        row = result["candidates"][candidate]
        mean = row["means"][i] if i < len(row["means"]) else None
        shown = "" if mean is None else f": {number(scale * mean)}"
        texts.append(plain(_called(result, candidate)) + shown)
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [i + 1 for i, _ in points],
        "y": [result["candidates"][candidate]["values"][value["name"]] for _, candidate in points],
        "marker": {"color": f"@{colour}", "size": 9, "symbol": symbol},
        "customdata": texts,
        "hovertemplate": "%{customdata}<extra></extra>",
        "cliponaxis": False,
    }


def _table(result: Mapping[str, Any]) -> Table:
    """All candidates, those that came farthest first."""
    values = result["values"]
    columns = [
        Column("Candidate", is_number=False),
        *(Column(value["label"]) for value in values),
        *map(Column, ("Rounds", "Deals", "Margin", f"95{THIN}% interval", "Win rate")),
    ]
    tuned, name = result["tuned"], result["outcome"]
    order = sorted(
        result["candidates"],
        key=lambda row: (row["number"] != tuned, -row["rounds"], -(row[name]["mean"] or 0.0), row["number"]),
    )
    return Table("Candidates", columns, [_cells(row, values, tuned) for row in order])


def _cells(row: Mapping[str, Any], values: Sequence[Mapping[str, Any]], tuned: int | None) -> list[str]:
    called = [count(row["number"])]
    called += ["start"] * (row["number"] == 0) + ["winner"] * (tuned is not None and row["number"] == tuned)
    margin, won = row[MARGIN], row[WIN]
    return [
        ", ".join(called),
        *(naming.number_text(row["values"][value["name"]]) for value in values),
        count(row["rounds"]),
        count(row["deals"]),
        "" if margin["mean"] is None else signed(margin["mean"]),
        interval_text(margin["interval"]) if margin["interval"] else "",
        "" if won["mean"] is None else percent(won["mean"]),
    ]
