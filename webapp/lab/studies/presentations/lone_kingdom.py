"""One kingdom's size: ways to lay it and kingdoms, by number of dominoes, beside the printed estimate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from webapp.common.formats import THIN, count, plural, power
from webapp.lab.results.charts.figure import Column, Figure, Legend, Trace, band, line, nothing_yet, plain
from webapp.lab.studies.presentations.section import Fact, Section, Table
from webapp.records.models import Study

BOUND = f"At least (95{THIN}%)"
NAMES = {"tree": "Ways to get there", "kingdoms": "Kingdoms"}
WORDS = (
    "One player lays any of the 48 dominoes by Kingdomino's rule on a board with a fixed castle until none fits. Ways "
    "distinguish the order in which the dominoes came, as the nodes of a game tree do; each kingdom, with the dominoes "
    "that lie in it, is counted once."
)
NOTES = (
    "Sampled: random paths, each counted by the inverse of its chance (Knuth's estimator, without bias), in "
    "populations that keep heavy paths and drop light ones; for kingdoms each step is also divided by the kingdoms "
    f"that the new one can come from. The bound of 95{THIN}% holds whatever the spread (Markov).",
    "Printed: at most 24 ways to lay a domino and at most 18 dominoes, so 24¹⁸ leaves. The 24 are places beside a "
    "filled square of nine; which of the 48 dominoes lies there, and which way round, is left out, and twelve "
    "dominoes, not eighteen, fill 5 x 5 squares. So it is no bound. The 10⁶¹ cited from Gedda, Lagerkvist and Butler "
    "are the moves of four players.",
)


def finding(study: Study, result: Mapping[str, Any]) -> str:
    """Ways and kingdoms."""
    tree, kingdoms = result["tree_ends"]["mean"], result["kingdom_ends"]["mean"]
    if tree is None or kingdoms is None:
        return ""
    kinds = f"There are about {power(kingdoms)} finished kingdoms of {_size(result)}"
    return f"{kinds}, and about {power(tree)} ways to lay them."


def facts(study: Study, result: Mapping[str, Any]) -> Sequence[Fact]:
    """Sampled sizes, and the printed one."""
    found = []
    for name, key in (("Ways to the end", "tree_ends"), ("Kingdoms at the end", "kingdom_ends")):
        if result[key]["mean"] is not None:
            found.append(Fact(name, power(result[key]["mean"]), f"sampled; at least {power(result[key]['at_least'])}"))
    printed = result["printed"]
    small = f"{printed['breadth']} ways, {printed['depth']} dominoes; ours at most {result['depth']}"
    return [*found, Fact("Printed estimate", power(printed["leaves"]), small)]


def sections(study: Study, result: Mapping[str, Any]) -> Sequence[Section]:
    """One section: figure, table, notes."""
    tables = [_totals(result)] if result["populations"] else []
    return [Section("Size", [WORDS], figures=[_figure(result)], tables=tables, notes=NOTES)]


def _size(result: Mapping[str, Any]) -> str:
    return f"{result['size']} x {result['size']} squares"


def _figure(result: Mapping[str, Any]) -> Figure:
    title, subtitle = "By number of dominoes", "Decimal logarithm."
    if not result["populations"]:
        return nothing_yet(title, subtitle, "No population of it has grown yet.")
    traces: list[Trace] = []
    for mark, name in enumerate(NAMES):
        points = [(row["dominoes"], row[name]) for row in result["levels"] if row[name]["mean"] is not None]
        x = [dominoes for dominoes, _ in points]
        traces.append(band(x, [p["lowest"] for _, p in points], [p["highest"] for _, p in points], f"seat-{mark}"))
        hover = f"%{{x}} dominoes: 10<sup>%{{y:.1f}}</sup><extra>{plain(NAMES[name])}</extra>"
        traces.append(line(x, [p["mean"] for _, p in points], f"seat-{mark}", hover))
    return Figure(
        title=title,
        subtitle=f"{subtitle} {plural(result['populations'], 'population', 'populations')}.",
        name=f"Ways to the end: {power(result['tree_ends']['mean'])}",
        note="Lines: means over populations; bands: from the smallest to the largest population.",
        data=traces,
        layout={
            "xaxis": {"title": {"text": "Dominoes"}, "rangemode": "tozero"},
            "yaxis": {"title": {"text": "Number, power of ten"}, "rangemode": "tozero"},
        },
        legend=[Legend(mark, label) for mark, label in enumerate(NAMES.values())],
        columns=[Column("Dominoes", False), *map(Column, (NAMES["tree"], BOUND, NAMES["kingdoms"], BOUND))],
        rows=[
            [count(row["dominoes"]), *(power(row[name][key]) for name in NAMES for key in ("mean", "at_least"))]
            for row in result["levels"]
        ],
    )


def _totals(result: Mapping[str, Any]) -> Table:
    printed = result["printed"]
    rows = [
        [label, power(result[tree]["mean"]), power(result[states]["mean"])]
        for label, tree, states in (("At the end", "tree_ends", "kingdom_ends"), ("At all times", "tree", "kingdoms"))
    ]
    rows.append([f"Printed: {printed['breadth']} to the power of {printed['depth']}", power(printed["leaves"]), ""])
    rows.append(["Printed, four players (Gedda et al.)", power(printed["gedda"]), ""])
    return Table(f"Kingdoms of {_size(result)}", [Column("What is counted", False), *map(Column, NAMES.values())], rows)
