"""Playout speed: playouts a second by policy, from the first ply of a seat to its last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from webapp.common.formats import THIN, count, interval_text, number, plural
from webapp.lab.results.charts.figure import Column, Figure, Legend, Trace, band, line_with_marks, nothing_yet, plain
from webapp.lab.results.sides import DASH_WORDS, DASHES, MAX_MARKS, SYMBOLS
from webapp.lab.studies.presentations.section import Fact, Section
from webapp.records.models import Study

TITLE = "Playouts a second by ply"
NOTE = (
    "Playouts of flat Monte Carlo per second of CPU time, each to the end of the match, from the positions in which "
    "the first seat is on turn. Bands are 95 % intervals over matches. Speeds depend on the machine."
)


def finding(study: Study, result: Mapping[str, Any]) -> str:
    """The fastest and the slowest policy at the start of a match."""
    first = [(run["plies"][0]["per_s"], run["label"]) for run in result["runs"] if run["plies"]]
    if len(first) < 2:
        return ""
    (slow, last), (fast, best) = min(first), max(first)
    return (
        f"At the start of a match {best} makes {number(fast, 0)} playouts a second, {number(fast / slow, 0)} times "
        f"as many as {last}."
    )


def facts(study: Study, result: Mapping[str, Any]) -> Sequence[Fact]:
    """Speeds from the start, the four fastest."""
    first = sorted(
        ((run["plies"][0]["per_s"], run["label"]) for run in result["runs"] if run["plies"]),
        reverse=True,
    )
    return [Fact(label, f"{number(rate, 0)}/s", "from the start") for rate, label in first[:4]]


def sections(study: Study, result: Mapping[str, Any]) -> Sequence[Section]:
    """One figure, with its table."""
    missing = result["missing"]
    notes = [f"{plural(missing, 'measurement is', 'measurements are')} not done."] if missing else []
    return [Section("Speed", figures=[_figure(result)], notes=[NOTE, *notes])]


def _figure(result: Mapping[str, Any]) -> Figure:
    subtitle = f"Mean over matches, with its 95{THIN}% interval as a band; logarithmic axis."
    runs = [run for run in result["runs"] if run["plies"]]
    if not runs:
        return nothing_yet(TITLE, subtitle, "Nothing of it has been measured yet.")
    traces = [trace for i, run in enumerate(runs) for trace in _traces(i, run)]
    is_dashed = len(runs) > MAX_MARKS
    return Figure(
        title=TITLE,
        subtitle=subtitle,
        name="; ".join(_said(run) for run in runs),
        data=traces,
        layout={
            "xaxis": {"title": {"text": "Ply of the seat"}, "rangemode": "tozero"},
            "yaxis": {"title": {"text": "Playouts a second"}, "type": "log", "dtick": 1},
        },
        legend=[
            Legend(i % MAX_MARKS, f"{run['label']} ({DASH_WORDS[_dash(i)]})" if is_dashed else run["label"])
            for i, run in enumerate(runs)
        ],
        columns=[
            Column("Policy", False),
            *map(Column, ("Ply", "Matches", "Playouts a second", f"95{THIN}% interval")),
        ],
        rows=[
            [run["label"], count(row["ply"]), count(row["matches"]), number(row["per_s"], 0), _ends(row)]
            for run in runs
            for row in run["plies"]
        ],
        height_rem=24,
    )


def _said(run: Mapping[str, Any]) -> str:
    first, last = run["plies"][0]["per_s"], run["plies"][-1]["per_s"]
    return f"{run['label']} {number(first, 0)} at first, {number(last, 0)} at last"


def _dash(index: int) -> str:
    return DASHES[index // MAX_MARKS % len(DASHES)]


def _ends(row: Mapping[str, Any]) -> str:
    return interval_text(row["interval"], 0)


def _traces(index: int, run: Mapping[str, Any]) -> list[Trace]:
    """Band and line; on a logarithmic axis a band cannot reach zero."""
    rows, colour = run["plies"], f"seat-{index % MAX_MARKS}"
    x, y = [row["ply"] for row in rows], [row["per_s"] for row in rows]
    ends = [row["interval"] or [row["per_s"]] * 2 for row in rows]
    hover = f"ply %{{x}}: %{{y:,.0f}}<extra>{plain(run['label'])}</extra>"
    symbol = SYMBOLS[index % MAX_MARKS]
    stroke = line_with_marks(x, y, colour, hover, size=7, symbol=symbol, dash=_dash(index))
    low = [max(end[0], min(y) / 10) for end in ends]
    return [band(x, low, [end[1] for end in ends], colour), stroke]
