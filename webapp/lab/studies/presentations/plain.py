"""The presentation of kinds without a module of their own: the plain entries of the result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from webapp.common.fields import format_plain
from webapp.common.formats import field_words
from webapp.lab.results.charts.figure import Column
from webapp.lab.studies.presentations.section import Section, Table
from webapp.records.models import Study


def sections(study: Study, result: Mapping[str, Any]) -> Sequence[Section]:
    """One table; what is nested is in the exported result."""
    rows = [(field_words(key), _value(value)) for key, value in result.items() if not isinstance(value, dict | list)]
    table = Table("Result", [Column("Entry", is_number=False), Column("Value")], rows)
    return [Section("Result", ["The whole result is in the JSON export."], tables=[table] if rows else [])]


def _value(value: Any) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return format_plain(value)
    return "none" if value is None else str(value)
