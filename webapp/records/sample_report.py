"""What came out of a sample that is played again: numbers that add up, and the places of what differs, as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:  # pages read reports and play nothing
    from webapp.records.verification import Report
    from worker.studies.again import Again

MAX_NOTED = 20
"""Differences that are kept."""


@dataclass
class SampleReport:
    """Findings of a sample.

    compared: matches or pieces; plies: of them; by_engines: matches that their engines decided again; differing: how
    many differ; differences: the first of each, {"match" or "piece", "ply", "field"}; walked_only: why engines of
    others of the compared were not asked again; older, refused: why some were not compared; by reason, each with a
    number.
    """

    compared: int = 0
    plies: int = 0
    by_engines: int = 0
    differing: int = 0
    differences: list[dict[str, Any]] = field(default_factory=list)
    walked_only: Counter[str] = field(default_factory=Counter)
    older: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """As it is stored; empty at the beginning."""
        made = cls(**{one.name: data[one.name] for one in fields(cls) if one.name in data})
        for name in ("walked_only", "older", "refused"):
            setattr(made, name, Counter(getattr(made, name)))
        return made

    def to_json(self) -> dict[str, Any]:
        """As it is stored."""
        made = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: dict(value) if isinstance(value, Counter) else value for name, value in made.items()}

    def add_match(self, found: Report) -> None:
        """Add what was found of a match."""
        self.compared += found.matches
        self.plies += found.plies
        self.by_engines += found.resimulated
        self.walked_only.update(row["reason"] for row in found.walked_only)
        self.older.update(row["reason"] for row in found.older)
        self.refused.update(row["reason"] for row in found.not_comparable)
        for row in found.mismatches:
            self._note({"match": row["match"], "ply": row["ply"], "field": row["field"]})

    def add_piece(self, index: int, found: Again) -> None:
        """Add what was found of a piece of a study."""
        if found.refusal:
            (self.older if found.is_older else self.refused)[found.refusal] += 1
            return
        self.compared += 1
        if found.difference:
            self._note({"piece": index, "field": found.difference})

    def _note(self, difference: dict[str, Any]) -> None:
        self.differing += 1
        if len(self.differences) < MAX_NOTED:
            self.differences.append(difference)
