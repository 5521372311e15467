"""Time per move: seconds by search, over all turns, early and late ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from webapp.common.formats import THIN, count, interval_text, seconds
from webapp.lab.results.charts.figure import Column
from webapp.lab.studies.presentations.section import Fact, Section, Table
from webapp.records.models import Study

NOTES = (
    "Seconds of CPU time; ± is the deviation between moves. Intervals take the match as the unit: they need two.",
    "Moves without a choice, and those made without thinking, are left out. Times depend on the machine.",
)


def finding(study: Study, result: Mapping[str, Any]) -> str:
    """The quickest and the slowest."""
    known = [run for run in result["runs"] if run["all"]["mean"] is not None]
    if len(known) < 2:
        return ""
    quick, slow = (choose(known, key=lambda run: run["all"]["mean"]) for choose in (min, max))
    return (
        f"A move takes {seconds(quick['all']['mean'])} on average with {quick['label']}, and "
        f"{seconds(slow['all']['mean'])} with {slow['label']}."
    )


def facts(study: Study, result: Mapping[str, Any]) -> Sequence[Fact]:
    """The first runs."""
    known = [run for run in result["runs"] if run["all"]["mean"] is not None]
    return [Fact(run["label"], seconds(run["all"]["mean"]), "a move") for run in known[:4]]


def sections(study: Study, result: Mapping[str, Any]) -> Sequence[Section]:
    """One table."""
    spans = {
        "all": "All turns",
        "early": f"Turns 1 to {result['early']}",
        "late": f"From turn {result['early'] + 1} on",
    }
    columns = [Column("Search", False), Column("Moves"), *map(Column, spans.values()), Column(f"95{THIN}% interval")]
    rows = [
        [
            run["label"],
            count(run["all"]["moves"]),
            *(_words(run[key]) for key in spans),
            interval_text(run["all"]["interval"], 3) if run["all"]["interval"] else "",
        ]
        for run in result["runs"]
    ]
    return [Section("Seconds a move", tables=[Table("By search", columns, rows)], notes=NOTES)]


def _words(found: Mapping[str, Any]) -> str:
    if found["mean"] is None:
        return ""
    return seconds(found["mean"]) + (f" ± {seconds(found['deviation'])}" if found["deviation"] is not None else "")
