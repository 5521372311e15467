"""Samples that somebody asked to be played again, as work: done by the workers of analyses, after all of those.

A worker gives a sample back every few seconds, so that nobody's analysis waits longer than that for one. What each
match or piece brought is written with what is left, in one statement: a crash repeats nothing and loses nothing. No
person is charged for the time, since anybody may ask.
"""

from __future__ import annotations

import contextlib
import json
import time
from dataclasses import dataclass

from webapp.records import locks, verification
from webapp.records.claimed_task import LOST, ClaimedTask, Worker
from webapp.records.models import Study, StudyPiece
from webapp.records.queue import Claim, ClaimLostError, Queue
from webapp.records.sample_report import SampleReport
from webapp.records.sampling import LONGEST_S
from webapp.records.turns import Source
from worker import code_version
from worker.spec import SpecError
from worker.stop_switch import StopAskedError, StopSwitch, UnwantedError, unless_wanted
from worker.studies import again
from worker.studies import spec as study_specs
from worker.studies.again import Again

SLICE_S = 4.0
"""Seconds after which a sample waits in line once more."""
DIED = "the worker at this sample ended without a word, twice"

_WRITE = """
update records_samplecheck
set waiting = waiting[2:], report = %(report)s, deaths = 0, code = %(code)s,
    status = case when cardinality(waiting) <= 1 then 'done' else status end,
    worker = case when cardinality(waiting) <= 1 then '' else worker end,
    ended_at = case when cardinality(waiting) <= 1 then clock_timestamp() end
where id = %(id)s and status = 'claimed' and claimed_at = %(token)s
returning status = 'done'
"""
_WAITING = """
select 'check' as source, c.id, null::int as owner_id, 2 as rank, 0 as priority, c.claimed_at as served_at
from records_samplecheck c where c.status = 'waiting' and %(queue)s = 'analysis'
"""
"""They come after all that people wait for; the least lately served of them first."""
_HELD = """
select null::int as owner_id from records_samplecheck c where c.status = 'claimed' and %(queue)s = 'analysis'
"""


@dataclass(frozen=True)
class CheckClaim(Claim):
    """A claimed sample: what is left of it, and what came out so far."""

    study_id: int | None
    left: list[int]
    report: str  # as JSON


CHECKS = Queue(
    word="check",
    table="records_samplecheck",
    claim=CheckClaim,
    columns=("r.study_id", "r.waiting", "r.report::text"),
    order="r.asked_at, r.id",
    lock=locks.CHECK,
    served_by="'analysis'",
    died=DIED,
    ended="status = 'failed', worker = '', failure = %(message)s, ended_at = clock_timestamp()",
)


class PostgresCheck(ClaimedTask[CheckClaim]):
    """A claimed sample at work."""

    queue = CHECKS

    def __init__(self, worker: Worker, claim: CheckClaim) -> None:
        super().__init__(worker, claim)
        self._left = list(claim.left)
        self._report = SampleReport.from_json(json.loads(claim.report))

    def carry_out(self, stop: StopSwitch) -> None:
        """Play some of it again, and write what came out of each."""
        ends_at = time.monotonic() + SLICE_S
        while self._left and not stop.is_asked and self.worker.may_go_on():
            try:
                with stop.watching(unless_wanted(self._is_wanted)), stop.interruptible():
                    self._again(self._left[0])
            except (StopAskedError, UnwantedError):
                return
            self._write()
            if time.monotonic() >= ends_at:
                return

    def _is_wanted(self) -> bool:
        """Whether it is still there: it goes with what it is of. Also where nobody can tell."""
        with contextlib.suppress(*LOST):
            query = "select 1 from records_samplecheck where id = %s"
            return self.connection.execute(query, (self.claim.row_id,)).fetchone() is not None
        return True

    def _again(self, number: int) -> None:
        if self.claim.study_id is None:
            self._report.add_match(verification.verify([number], again=True, longest_s=LONGEST_S))
        else:
            self._report.add_piece(number, piece_again(self.claim.study_id, number))

    def _write(self) -> None:
        """Keep what came out, without the one that is done. Raises ClaimLostError where it was deleted."""
        values = {
            "id": self.claim.row_id,
            "token": self.claim.token,
            "report": json.dumps(self._report.to_json()),
            "code": code_version.content_hash(),
        }
        row = self.connection.execute(_WRITE, values).fetchone()
        if row is None:
            raise ClaimLostError(f"check {self.claim.row_id} is no longer ours")
        self._left = self._left[1:]
        self.is_done = bool(row[0])


def piece_again(study_id: int, index: int) -> Again:
    """Do a piece of a study again and compare, as far as that can be done."""
    piece = StudyPiece.objects.filter(study=study_id, index=index, status=StudyPiece.Status.DONE).first()
    study = Study.objects.filter(pk=study_id).first()
    if piece is None or study is None:
        return Again("it is not there any more")
    try:
        spec = study_specs.from_json(study.spec)
    except (SpecError, KeyError) as error:
        return Again(f"its specification is no longer valid: {error}")
    if (refused := again.refusal(spec, piece.versions or {})) is not None:
        return refused
    if (piece.cpu_s or 0.0) > LONGEST_S:
        return Again(f"it took more than {LONGEST_S:g} CPU seconds")
    earlier = StudyPiece.objects.filter(
        study=study_id, index__lt=again.needed(spec, index), status=StudyPiece.Status.DONE
    )
    rows = {row.index: row.row or {} for row in earlier}
    return again.compare(spec, index, piece.row or {}, rows)


def take(worker: Worker, check_id: int) -> PostgresCheck | None:
    """Claim a sample; None where it waits no more, or somebody has it."""
    claim = CHECKS.take(worker.connection, worker.name, "r.id = %(check)s", check=check_id)
    return None if claim is None else PostgresCheck(worker, claim)


SOURCES = {"check": Source(_WAITING, _HELD, take, is_single=True)}
