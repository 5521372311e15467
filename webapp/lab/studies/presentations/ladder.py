"""Rounds and matches side by side: the shares of both that each team wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from webapp.common.formats import THIN, count, number, percent, signed, span
from webapp.lab.results.charts.figure import Column, Figure, Legend, Trace, nothing_yet, plain
from webapp.lab.results.charts.win_rate import cut_label
from webapp.lab.results.sides import SYMBOLS
from webapp.lab.studies.presentations.section import Fact, Section, Table
from webapp.records.models import Study

TITLE = "Won by the first team"
UNITS = {"round": "Rounds", "match": "Matches to 100"}
LETTERS, PHONE_LETTERS = 40, 20
GAP = 0.13
"""Rounds stand so much above a row, matches below."""
NOTES = (
    "Every deal is played with the teams both ways; intervals take the deal as the unit.",
    "A small edge in rounds is a large one in matches: a team that wins 60 % of the rounds wins 82 % of the matches.",
)


def finding(study: Study, result: Mapping[str, Any]) -> str:
    """The shares of rounds and matches that the strongest team wins."""
    known = [pair for pair in result["pairs"] if all(pair[unit]["won"]["value"] is not None for unit in UNITS)]
    if not known:
        return ""
    best = max(known, key=lambda pair: pair["round"]["won"]["value"])
    rounds, matches = (percent(best[unit]["won"]["value"]) for unit in UNITS)
    return f"{best['label']}: {rounds} of the rounds won, {matches} of the matches."


def facts(study: Study, result: Mapping[str, Any]) -> Sequence[Fact]:
    """The shares won, of a single pair; of several pairs nothing."""
    if len(result["pairs"]) > 1:
        return []
    pair = result["pairs"][0]
    return [
        Fact(f"{label} won", percent(pair[unit]["won"]["value"]), f"of {count(_played(pair[unit]))}")
        for unit, label in UNITS.items()
        if pair[unit]["won"]["value"] is not None
    ]


def sections(study: Study, result: Mapping[str, Any]) -> Sequence[Section]:
    """One figure, with all numbers behind it, and a table of points and time."""
    return [Section("Rounds and matches", figures=[_figure(result)], tables=[_table(result)], notes=NOTES)]


def _played(counts: Mapping[str, Any]) -> int:
    return int(counts["wins"] + counts["draws"] + counts["losses"])


def _figure(result: Mapping[str, Any]) -> Figure:
    subtitle = f"Share of rounds and of matches, with 95{THIN}% intervals."
    known = [pair for pair in result["pairs"] if any(pair[unit]["won"]["value"] is not None for unit in UNITS)]
    if not known:
        return nothing_yet(TITLE, subtitle, "Nothing of it has been played yet.")
    return Figure(
        title=TITLE,
        subtitle=subtitle,
        name="; ".join(
            f"{pair['label']} {percent(pair['round']['won']['value'])} of the rounds, "
            f"{percent(pair['match']['won']['value'])} of the matches"
            for pair in known
            if all(pair[unit]["won"]["value"] is not None for unit in UNITS)
        ),
        data=[_dots(mark, unit, known) for mark, unit in enumerate(UNITS)],
        layout=_layout([pair["label"] for pair in known]),
        legend=[Legend(mark, label) for mark, label in enumerate(UNITS.values())],
        columns=[
            Column("Teams", False),
            Column("Unit", False),
            *map(Column, ("Won", "Tied", "Lost", "Share won", f"95{THIN}% interval")),
        ],
        rows=[_row(pair, unit) for pair in known for unit in UNITS],
        height_rem=6 + 2.4 * len(known),
    )


def _layout(names: Sequence[str]) -> dict[str, Any]:
    """A row for each pair, both teams one above the other, and a line at a half."""
    return {
        "xaxis": {
            "range": [-2, 102],
            "title": {"text": "Won, %"},
            "showgrid": True,
            "tickvals": [0, 25, 50, 75, 100],
        },
        "yaxis": {
            "range": [len(names) - 0.4, -0.6],
            "showgrid": False,
            "tickvals": list(range(len(names))),
            "ticktext": [_tick(name, LETTERS) for name in names],
            "tickfont": {"color": "@ink", "size": 11},
        },
        "meta": {"phone_yaxis": {"ticktext": [_tick(name, PHONE_LETTERS) for name in names]}},
        "shapes": [{"type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": 50, "x1": 50}],
    }


def _tick(name: str, letters: int) -> str:
    one, _, other = name.partition(" v ")
    return f"{cut_label(one, letters)}<br>v {cut_label(other, letters)}" if other else cut_label(one, letters)


def _dots(mark: int, unit: str, known: Sequence[Mapping[str, Any]]) -> Trace:
    places = [(i, pair) for i, pair in enumerate(known) if pair[unit]["won"]["value"] is not None]
    rows = [pair for _, pair in places]
    shares = [100 * pair[unit]["won"]["value"] for pair in rows]
    ends = [[100 * end for end in pair[unit]["won"]["interval"] or [pair[unit]["won"]["value"]] * 2] for pair in rows]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": UNITS[unit],
        "x": shares,
        "y": [i + (GAP if mark else -GAP) for i, _ in places],
        "text": [plain(pair["label"]) for pair in rows],
        "marker": {"color": f"@seat-{mark}", "size": 9, "symbol": SYMBOLS[mark]},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [high - share for share, (_, high) in zip(shares, ends, strict=True)],
            "arrayminus": [share - low for share, (low, _) in zip(shares, ends, strict=True)],
            "color": f"@seat-{mark}",
            "thickness": 2,
            "width": 0,
        },
        "hovertemplate": f"%{{text}}: %{{x:.1f}} %<extra>{UNITS[unit]}</extra>",
    }


def _row(pair: Mapping[str, Any], unit: str) -> list[str]:
    numbers = pair[unit]
    interval = numbers["won"]["interval"]
    ends = span(100 * interval[0], 100 * interval[1]) if interval else ""
    return [
        pair["label"],
        UNITS[unit],
        *(count(numbers[key]) for key in ("wins", "draws", "losses")),
        percent(numbers["won"]["value"]) if numbers["won"]["value"] is not None else "",
        ends,
    ]


def _table(result: Mapping[str, Any]) -> Table:
    columns = [
        Column("Teams", False),
        *(Column(f"Points a {unit} ahead") for unit in UNITS),
        *map(Column, ("ms a decision, first", "ms a decision, second")),
    ]
    rows = [
        [
            pair["label"],
            *(_points(pair[unit]["points"]) for unit in UNITS),
            *("" if value is None else number(1000 * value, 2) for value in pair["decision_s"]),
        ]
        for pair in result["pairs"]
    ]
    return Table("Points and CPU time", columns, rows, note="Decisions without a choice are counted, too.")


def _points(points: Mapping[str, Any]) -> str:
    if points["mean"] is None:
        return ""
    ends = f" ({span(*points['interval'])})" if points["interval"] else ""
    return signed(points["mean"]) + ends
