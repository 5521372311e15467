"""How the kind of study that tests count with is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from webapp.common.formats import count
from webapp.lab.results.charts.figure import Column, Figure, line
from webapp.lab.studies.presentations.section import Fact, Section, Table
from webapp.records.models import Study


def sections(study: Study, result: Mapping[str, Any]) -> Sequence[Section]:
    """One section with a figure and a table, and one with words."""
    x = list(range(result["numbers"]))
    squares = [number**2 for number in x]
    figure = Figure(
        "Squares",
        "Each number times itself",
        name="Squares grow",
        data=[line(x, squares, "seat-0", "%{y}")],
        columns=[Column("Number"), Column("Square")],
        rows=[(str(a), str(b)) for a, b in zip(x, squares, strict=True)],
    )
    table = Table("Sums", [Column("Of", is_number=False), Column("Sum")], [("squares", count(result["sum"]))])
    return [
        Section("Squares & sums", ["They grow."], [figure], [table], notes=["Small print."]),
        Section("Method", ["Each number is multiplied by itself."]),
    ]


def finding(study: Study, result: Mapping[str, Any]) -> str:
    """The sum in words."""
    return f"The squares add up to {count(result['sum'])}."


def facts(study: Study, result: Mapping[str, Any]) -> Sequence[Fact]:
    """The sum."""
    return [Fact("Sum of squares", count(result["sum"]), f"of {result['numbers']} numbers")]
