"""Figures that papers printed, as data: ``data/published_results.json``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "data" / "published_results.json"


@dataclass(frozen=True)
class Paper:
    """Paper that figures come from. short: "Heyden 2009"; rest: kind, place and year."""

    id: str
    short: str
    authors: str
    title: str
    rest: str


@dataclass(frozen=True)
class Result:
    """One table or figure. rows: as printed, by the names that the table's heads have here."""

    id: str
    paper: Paper
    where: str
    game: str
    measure: str
    setup: Mapping[str, Any]
    rows: tuple[Mapping[str, Any], ...]
    note: str

    def row(self, **wanted: Any) -> Mapping[str, Any]:
        """The row with these values. Raises KeyError where there is none."""
        for row in self.rows:
            if all(row.get(key) == value for key, value in wanted.items()):
                return row
        raise KeyError(f"{self.id} has no row with {wanted}")


@cache
def _data() -> Any:
    return json.loads(FILE.read_bytes())


@cache
def paper(paper_id: str) -> Paper:
    """The paper of this id. Raises KeyError where there is none."""
    for row in _data()["papers"]:
        if row["id"] == paper_id:
            return Paper(**row)
    raise KeyError(paper_id)


@cache
def results() -> Mapping[str, Result]:
    """All of them, by id, in the order of the file."""
    return {
        row["id"]: Result(**{**row, "paper": paper(row["paper"]), "rows": tuple(row["rows"])})
        for row in _data()["results"]
    }
