"""Ladders without a server: rounds are played one after another, and rows of an earlier run are gone on from."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from games import registry as game_registry
from worker import batch
from worker.ladders import report, rounds, standing
from worker.ladders.report import Cost, Json
from worker.ladders.rounds import Round
from worker.ladders.standing import Row, Standing
from worker.records import MatchRecord, margin
from worker.schedule import ChunkSpec
from worker.spec import ExperimentSpec, SpecError


class Rows:
    """The rows of a ladder, and what its decisions cost."""

    def __init__(self, spec: ExperimentSpec, rows: Iterable[Row] = ()) -> None:
        assert spec.ladder is not None
        self.spec = spec
        self.ladder = spec.ladder
        self.rows = {(row.arm, row.deal, row.rotation): row for row in rows}
        self.costs: dict[int, Cost] = defaultdict(Cost)
        self.failed = sum(not row.ranks for row in self.rows.values())

    def write(self, records: Iterable[MatchRecord]) -> None:
        """Add matches that were played."""
        for record in records:
            self.rows[record.arm, record.deal, record.rotation] = standing.row_of(record, self.spec.seats)
            self.failed += record.failure is not None
            self._count_cost(record)

    def _count_cost(self, record: MatchRecord) -> None:
        if record.failure is not None or not record.plies:
            return
        spent: dict[int, float] = defaultdict(float)
        for ply in record.plies:
            spent[record.lineup[ply.seat] % self.ladder.sides] += ply.cpu_s
        for side, entry in enumerate(self.ladder.tables[record.arm]):
            self.costs[entry] += Cost(spent[side], 1)

    @property
    def planned(self) -> list[int]:
        """Deals of each table that were begun."""
        found = [0] * len(self.spec.arms)
        for arm, deal, _ in self.rows:
            found[arm] = max(found[arm], deal + 1)
        return found

    def missing(self) -> list[ChunkSpec]:
        """Matches of deals that were begun and not played, where a run was cut off; those that can be played."""
        found = []
        for arm, deals in enumerate(self.planned):
            if self.ladder.can_play(self.ladder.tables[arm]):
                size = self.spec.num_seatings(arm)
                played = {deal * size + rotation for a, deal, rotation in self.rows if a == arm}
                found += [ChunkSpec(arm, i, 1) for i in range(deals * size) if i not in played]
        return found

    def standing(self) -> Standing:
        """What they say."""
        return standing.of_rows(self.spec, self.rows.values())

    def next_round(self) -> Round:
        """What is played next."""
        return rounds.next_round(self.spec, self.planned, self.standing())

    def to_json(self) -> Json:
        """The report."""
        return report.to_json(self.spec, self.standing(), self.costs, self.next_round())


def play(rows: Rows, processes: int = 1) -> Iterator[list[MatchRecord]]:
    """Play round after round and yield the matches; rows: of an earlier run, to which these are added."""
    spec = rows.spec
    with batch.players(processes, batch.play_chunk) as run:
        work = rows.missing()
        while True:
            for _, records in run(spec, work):
                rows.write(records)
                yield records
            following = rows.next_round()
            if not following.steps:
                return
            work = list(rounds.chunks(spec, following.steps))


def read(spec: ExperimentSpec, path: Path) -> list[Row]:
    """Rows of a file that `--out` wrote. Raises SpecError where it is of other tables."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            data = json.loads(line)
            if data["arm_name"] != spec.arms[data["arm"]].name and not _is_renamed(spec, data):
                raise SpecError((), f"{path}, line {number}: {data['arm_name']!r} is no table of this ladder")
            found.append(_row(spec, data))
        except (ValueError, KeyError, IndexError, TypeError) as error:
            if isinstance(error, SpecError):
                raise
            raise SpecError((), f"{path}, line {number} is no match that --out wrote") from None
    return found


def _is_renamed(spec: ExperimentSpec, data: dict[str, Any]) -> bool:
    """Whether a table has the same engines under other names, as after a version has risen."""
    engines = {seat["place"]: seat["engine"] for seat in data["seats"]}
    return all(seat.engine == engines.get(place) for place, seat in enumerate(spec.arms[data["arm"]].seats))


def _row(spec: ExperimentSpec, data: dict[str, Any]) -> Row:
    has_teams = game_registry.get(spec.game).traits.has_teams
    ranks, margins = [0] * spec.seats, [0.0] * spec.seats
    ended = data["status"] == "finished"
    for seat in data["seats"] if ended else ():
        ranks[seat["place"]] = int(data["ranks"][seat["seat"]])
        margins[seat["place"]] = float(margin(data["scores"], seat["seat"], has_teams))
    return Row(
        data["arm"],
        data["deal"],
        data["rotation"],
        tuple(ranks) if ended else (),
        tuple(margins) if ended else (),
        data["versions"],
    )
