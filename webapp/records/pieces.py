"""Pieces of studies, claimed and done by one worker at a time.

A piece whose worker died is put up again, and is marked as failed at its second death.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import psycopg
from django.db import Error as DjangoDatabaseError

from webapp.records import locks
from webapp.records.claimed_task import LOST, UNREAD, ClaimedTask, Worker
from webapp.records.jobs import STUDIES, Connection, UnreadableError
from webapp.records.queue import Claim, ClaimLostError, Queue
from webapp.records.turns import Source
from webapp.records.waking import tasks
from worker.stop_switch import StopSwitch
from worker.studies import pieces, registry
from worker.studies import spec as study_specs
from worker.studies.pieces import Outcome
from worker.studies.protocol import StudySpec, is_staged, stage_of

DIED = "the worker at this piece ended without a word, twice"

_WRITE = """
update records_studypiece
set status = %s, ended_at = clock_timestamp(), row = %s, failure = %s, versions = %s, cpu_s = %s
where id = %s and status = 'claimed' and claimed_at = %s
"""


@dataclass(frozen=True)
class PieceClaim(Claim):
    """A claimed piece of the study `job_id`."""

    job_id: int
    index: int


PIECES = Queue(
    word="piece",
    table="records_studypiece",
    claim=PieceClaim,
    columns=("r.index",),
    order="r.index",
    lock=locks.PIECE,
    jobs=STUDIES,
    job="r.study_id",
    served_by="j.queue",
    died=DIED,
    ended="status = 'failed', worker = '', failure = %(message)s, ended_at = clock_timestamp()",
)


class PostgresPiece(ClaimedTask[PieceClaim]):
    """A claimed piece at work (worker.studies.pieces.Piece)."""

    queue = PIECES

    def __init__(self, worker: Worker, claim: PieceClaim, spec: StudySpec, stage: range) -> None:
        super().__init__(worker, claim)
        self.spec = spec
        self.index = claim.index
        self.stage = stage
        self.rows: Mapping[int, dict[str, Any]] = _rows(worker.connection, claim.job_id, stage.start)

    def carry_out(self, stop: StopSwitch) -> None:
        """Do the piece and write its outcome."""
        pieces.work_on(self, stop)

    def is_wanted(self) -> bool:
        """Whether the study has neither been stopped nor deleted; also where nobody can tell.

        A pause lets the piece end: it may be hours of work, which begin anew where they are broken off.
        """
        with contextlib.suppress(*LOST):
            return not STUDIES.is_over(self.connection, self.claim.job_id)
        return True

    def write(self, outcome: Outcome) -> None:
        """Keep the outcome, which may be hours of work: once more where the connection was lost meanwhile.

        Raises ClaimLostError where the study was deleted, or another has the piece.
        """
        try:
            self._write(outcome)
        except LOST:
            if not self._is_regained():
                raise
            self._write(outcome)

    def _is_regained(self) -> bool:
        """Whether the piece is held again, by a new connection."""
        try:
            self.connection = self.worker.reconnect()
        except (psycopg.Error, DjangoDatabaseError):
            return False
        return locks.take(self.connection, locks.PIECE, self.claim.row_id)

    def _write(self, outcome: Outcome) -> None:
        """Keep the outcome, and mark the study as finished with the last one."""
        claim = self.claim
        values = (
            "failed" if outcome.row is None else "done",
            None if outcome.row is None else json.dumps(outcome.row, allow_nan=False),
            outcome.failure.replace("\0", "\N{REPLACEMENT CHARACTER}"),
            json.dumps(outcome.versions),
            outcome.cpu_s,
            claim.row_id,
            claim.token,
        )
        with self.connection.transaction():
            STUDIES.lock(self.connection, claim.job_id)
            if self.connection.execute(_WRITE, values).rowcount == 0:
                raise ClaimLostError(f"piece {claim.index} of study {claim.job_id} is no longer ours")
            STUDIES.finish(self.connection, claim.job_id)
        if is_staged(registry.get(self.spec.study)) and _first_open(self.connection, claim.job_id) == self.stage.stop:
            self._wake()  # those who found nothing to do while this stage came to its end

    def _wake(self) -> None:
        query = "select queue from records_study where id = %s and status = 'running'"
        for (queue,) in self.connection.execute(query, (self.claim.job_id,)).fetchall():
            tasks.wake(queue=queue)


OF_STUDY = "r.study_id = %(job)s"
OF_STAGE = f"{OF_STUDY} and r.index < %(end)s"
"""Pieces that may be done: none of a later stage than the first that has not ended."""
_WAITING = """
select 'study' as source, s.id, s.owner_id, 0 as rank, s.priority, s.served_at from records_study s
where s.status = 'running' and s.queue = %(queue)s
  and exists (select 1 from records_studypiece p where p.study_id = s.id and p.status = 'waiting')
"""
_HELD = """
select s.owner_id from records_studypiece p join records_study s on s.id = p.study_id
where p.status = 'claimed' and s.queue = %(queue)s
"""


def _take(worker: Worker, study_id: int) -> PostgresPiece | None:
    """The next piece of a running study."""
    spec_json = STUDIES.spec_json(worker.connection, study_id)
    try:
        spec = STUDIES.read_spec(study_id, lambda: study_specs.from_json(json.loads(spec_json)))
    except UnreadableError as error:
        worker.declined["study", study_id] = (UNREAD, str(error))
        return None
    first = _first_open(worker.connection, study_id)
    if first is None:
        return None
    stage = stage_of(registry.get(spec.study), spec, first)
    claim = PIECES.take(worker.connection, worker.name, OF_STAGE, job=study_id, end=stage.stop)
    return None if claim is None else PostgresPiece(worker, claim, spec, stage)


def _first_open(connection: Connection, study_id: int) -> int | None:
    """Number of the first piece that has not ended; None where all have."""
    query = "select min(index) from records_studypiece where study_id = %s and status in ('waiting', 'claimed')"
    row = connection.execute(query, (study_id,)).fetchone()
    return None if row is None else row[0]


def _rows(connection: Connection, study_id: int, end: int) -> dict[int, dict[str, Any]]:
    """Rows of the pieces before one, by their numbers."""
    if not end:
        return {}
    query = "select index, row::text from records_studypiece where study_id = %s and index < %s and status = 'done'"
    return {index: json.loads(row) for index, row in connection.execute(query, (study_id, end)).fetchall()}


SOURCE = Source(_WAITING, _HELD, _take, fills_disk=True, is_charged=True, is_held=True)
