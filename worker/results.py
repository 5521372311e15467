"""How matches of an arm came out, by column: all that a report and a stop rule need to know of them.

Processes of a batch hand on these in place of records, which are pickled one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games import registry as game_registry
from worker.analysis.tally import MatchColumns
from worker.records import Failure, MatchRecord, margin
from worker.spec import ExperimentSpec

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class FailedMatch:
    """A match without a result."""

    deal: int
    lineup: tuple[int, ...]
    failure: Failure


@dataclass(frozen=True, eq=False)
class Results:
    """Matches of one arm: the finished ones by column, the failed ones one by one."""

    arm: int
    finished: MatchColumns
    failed: tuple[FailedMatch, ...]

    def __len__(self) -> int:
        return len(self.finished.deal) + len(self.failed)

    @classmethod
    def of(cls, spec: ExperimentSpec, arm: int, records: Sequence[MatchRecord]) -> Results:
        """The results of records, all of one arm."""
        has_teams = game_registry.get(spec.game).traits.has_teams
        failed = tuple(FailedMatch(row.deal, row.lineup, row.failure) for row in records if row.failure is not None)
        finished = [row for row in records if row.failure is None]
        margins = [[margin(row.scores, seat, has_teams) for seat in range(spec.seats)] for row in finished]

        def table(rows: Iterable[Sequence[int]]) -> Numbers:
            return np.array(list(rows), np.int64).reshape(-1, spec.seats)

        columns = MatchColumns(
            deal=np.array([row.deal for row in finished], np.int64),
            place=table(row.lineup for row in finished),
            score=table(row.scores for row in finished),
            margin=table(margins),
            result=np.array([row.results for row in finished], "U4").reshape(-1, spec.seats),
            rank=table(row.ranks for row in finished),
        )
        return cls(arm, columns, failed)


def by_arm(spec: ExperimentSpec, records: Iterable[MatchRecord]) -> list[Results]:
    """The results of records, arm by arm."""
    found: dict[int, list[MatchRecord]] = {}
    for record in records:
        found.setdefault(record.arm, []).append(record)
    return [Results.of(spec, arm, rows) for arm, rows in found.items()]
