"""Matches that are written, or added up, together: what more than one step looks at is made once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from webapp.records.metric_table import MetricTable
from webapp.records.ply_table import PlyTable
from worker.records import MatchRecord


class Played(NamedTuple):
    """Matches with plies, of equally many seats. places: theirs in the batch."""

    places: list[int]
    table: PlyTable


@dataclass(frozen=True)
class Batch:
    """Matches of one experiment."""

    records: Sequence[MatchRecord]

    @cached_property
    def finished(self) -> list[int]:
        """Places of those that have a result."""
        return [place for place, record in enumerate(self.records) if record.status == "finished"]

    @cached_property
    def margins(self) -> list[tuple[int, ...]]:
        """Those of the finished ones, by seat."""
        return [self.records[place].margins() for place in self.finished]

    @cached_property
    def metrics(self) -> MetricTable:
        """Those of all seats of the finished ones."""
        return MetricTable.of_matches([self.records[place].metrics for place in self.finished])

    @cached_property
    def played(self) -> list[Played]:
        """Plies of those that have some. Raises OverflowError where a number has more than 64 bits."""
        places: dict[int, list[int]] = defaultdict(list)
        for place, record in enumerate(self.records):
            if record.plies:
                places[len(record.lineup)].append(place)
        return [
            Played(own, PlyTable.of([self.records[place].plies for place in own], seats))
            for seats, own in places.items()
        ]
