"""Chunks of experiments: consecutive matches of an arm, claimed, played and written by one worker at a time.

Matches are written at least every `MAX_UNWRITTEN` of a chunk, so the one that killed its
worker is among the first `MAX_UNWRITTEN` unwritten ones: each of those becomes a chunk of its own
with one death more. What lies beyond was never begun and stays together. A single match that
dies twice is recorded as failed, and the batch goes on.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

from django.conf import settings

from webapp.records import disk, ladders, lineups, locks, looks, recorder, secret_seeds, speeds, summaries
from webapp.records.claimed_task import ABSENT, LOST, UNREAD, ClaimedTask, Worker
from webapp.records.jobs import EXPERIMENTS, Connection, UnreadableError
from webapp.records.queue import MAX_DEATHS, Claim, ClaimLostError, Queue
from webapp.records.recorder import Target
from webapp.records.turns import Source
from worker import schedule
from worker.play import MAX_UNWRITTEN, play_chunk
from worker.records import Failure, MatchRecord
from worker.runner import play_match
from worker.spec import ExperimentSpec, MatchSpec, SpecError, check_presence, has_own_engines
from worker.stop_switch import StopSwitch

STATUS_S = 0.5
"""Pause, stop and a full disk are looked up at most this often."""

PATIENCE = 2.0
"""A match may take so many times what the lab accepts by estimate: no good one fails on a slow machine."""

DIED = "the worker playing this match ended without a word, twice"


@dataclass(frozen=True)
class ChunkClaim(Claim):
    """A claimed chunk of the experiment `job_id`; `written` of its matches were there already."""

    job_id: int
    arm: int
    first: int
    size: int
    written: int


def _leave(connection: Connection, dead: ChunkClaim, message: str) -> None:
    """Keep what a dead worker leaves behind: the prefix that it wrote, and chunks of what it did not."""
    left = dead.size - dead.written
    deaths = dead.deaths + 1
    if dead.size == 1 and left == 1 and deaths >= MAX_DEATHS:
        if _record_death(connection, dead, message):
            _close(connection, dead, size=1, written=1)
            EXPERIMENTS.lock(connection, dead.job_id)
            ladders.put_up(connection, dead.job_id)
        return
    if dead.written:
        _close(connection, dead, size=dead.written, written=dead.written)
    else:
        connection.execute("delete from records_chunk where id = %s", (dead.row_id,))
    _reopen_singly(connection, dead, left, deaths)


def _close(connection: Connection, dead: ChunkClaim, size: int, written: int) -> None:
    connection.execute(
        "update records_chunk set status = 'done', done_at = clock_timestamp(), size = %s, written = %s where id = %s",
        (size, written, dead.row_id),
    )


def _reopen_singly(connection: Connection, dead: ChunkClaim, left: int, deaths: int) -> None:
    begin = dead.first + dead.written
    suspects = min(left, MAX_UNWRITTEN)
    rows = [(begin + i, 1, deaths) for i in range(suspects)]
    if left > suspects:
        rows.append((begin + suspects, left - suspects, dead.deaths))
    query = """
        insert into records_chunk (experiment_id, arm_index, first, size, written, status, deaths, worker)
        values (%s, %s, %s, %s, 0, 'waiting', %s, '')
    """
    with connection.cursor() as cursor:
        cursor.executemany(query, [(dead.job_id, dead.arm, *row) for row in rows])


def _record_death(connection: Connection, dead: ChunkClaim, message: str) -> bool:
    """Record the single match of a chunk as failed; False where its spec cannot be read here."""
    try:
        spec = _spec(connection, dead.job_id)
    except UnreadableError:
        return False
    match = schedule.match_spec(spec, dead.arm, dead.first)
    record = MatchRecord(
        arm=match.arm,
        deal=match.deal,
        rotation=match.rotation,
        seed=match.seed,
        deal_seed=match.deal_seed,
        lineup=match.lineup,
        status="failed",
        failure=Failure(None, "died", message),
    )
    recorder.write(connection, Target(dead.job_id, lineups.configurations_by_arm(connection, dead.job_id)), [record])
    looks.look(connection, dead.job_id, spec)
    return True


CHUNKS = Queue(
    word="chunk",
    table="records_chunk",
    claim=ChunkClaim,
    columns=("r.arm_index", "r.first", "r.size", "r.written"),
    order="r.first, r.arm_index",
    lock=locks.CHUNK,
    jobs=EXPERIMENTS,
    job="r.experiment_id",
    died=DIED,
    leave=_leave,
)


BY_DEAL = replace(CHUNKS, order="r.first / (%(seatings)s::int[])[r.arm_index + 1], r.arm_index")
"""The same where arms have unlike numbers of seatings: by the deal with which a chunk begins. It sorts; that of
`CHUNKS` has an index."""


class PostgresChunk(ClaimedTask[ChunkClaim]):
    """A claimed chunk at work (worker.play.Chunk)."""

    queue = CHUNKS

    def __init__(self, worker: Worker, claim: ChunkClaim, spec: ExperimentSpec) -> None:
        super().__init__(worker, claim)
        self.spec = spec
        self.written = claim.written
        self._asked_at = time.monotonic()
        self._is_running = True
        self._is_full = False

    @cached_property
    def _target(self) -> Target:
        claim = self.claim
        configurations = lineups.configurations_by_arm(self.connection, claim.job_id)
        return Target(claim.job_id, configurations, self.worker.name, claim.row_id % summaries.SHARDS)

    def carry_out(self, stop: StopSwitch) -> None:
        """Play the matches and write them."""
        play_chunk(self, stop, partial(play_match, most_s=PATIENCE * settings.LAB_MATCH_S))

    def matches(self) -> Iterator[MatchSpec]:
        """The matches still to play; ends early when they are not wanted."""
        claim, spec = self.claim, self.spec
        self._is_full, may_lack_engines = disk.is_full(), has_own_engines(spec)
        for match in schedule.match_specs(spec, claim.arm, claim.first + claim.written, claim.size - claim.written):
            if not self.is_wanted() or self._is_full or not self.worker.may_go_on():
                return
            if may_lack_engines and not _has_engines(self.worker, claim.job_id, spec):
                return
            yield match

    def is_wanted(self) -> bool:
        """Whether the experiment is running, looked up twice a second, and its owner has CPU hours left.

        Also where nobody can tell. With it is looked up whether the disk is full, which breaks off no match.
        """
        if time.monotonic() - self._asked_at >= STATUS_S:
            with contextlib.suppress(*LOST):
                self._is_running = EXPERIMENTS.is_running(self.connection, self.claim.job_id)
            self._is_full = disk.is_full()
            self._asked_at = time.monotonic()
        return self._is_running and not self.is_spent

    def write(self, records: Sequence[MatchRecord]) -> None:
        """Keep these matches, the next ones of the chunk, in one transaction with its progress and a look at them.

        Raises ClaimLostError where the experiment was deleted meanwhile.
        """
        if not records:
            return
        with self.connection.transaction():
            EXPERIMENTS.keep(self.connection, self.claim.job_id)
            self._advance(len(records))
            recorder.write(self.connection, self._target, records)
            looks.look(self.connection, self.claim.job_id, self.spec)
        self.written += len(records)

    def _advance(self, more: int) -> None:
        query = """
            update records_chunk set written = written + %s
            where id = %s and status = 'claimed' and claimed_at = %s and written = %s and written + %s <= size
        """
        claim = self.claim
        values = (more, claim.row_id, claim.token, self.written, more)
        if self.connection.execute(query, values).rowcount == 0:
            raise ClaimLostError(f"chunk {claim.row_id} of experiment {claim.job_id} is no longer ours")

    def finish(self) -> None:
        """Mark the chunk as done where all of it is written, and its experiment with the last one.

        A ladder goes on with its next round.
        """
        if self.written != self.claim.size:
            return
        query = """
            update records_chunk set status = 'done', done_at = clock_timestamp()
            where id = %s and status = 'claimed' and claimed_at = %s
        """
        with self.connection.transaction():
            EXPERIMENTS.lock(self.connection, self.claim.job_id)
            self.connection.execute(query, (self.claim.row_id, self.claim.token))
            if self.spec.ladder is not None:
                ladders.put_up(self.connection, self.claim.job_id)
            EXPERIMENTS.finish(self.connection, self.claim.job_id)


OF_EXPERIMENT = "r.experiment_id = %(job)s"
_WAITING = """
select 'experiment' as source, e.id, e.owner_id, 0 as rank, e.priority, e.served_at from records_experiment e
where e.status = 'running' and %(queue)s = 'batch'
  and exists (select 1 from records_chunk c where c.experiment_id = e.id and c.status = 'waiting')
"""
_HELD = """
select e.owner_id from records_chunk c join records_experiment e on e.id = c.experiment_id
where c.status = 'claimed' and %(queue)s = 'batch'
"""


def _take(worker: Worker, experiment_id: int) -> PostgresChunk | None:
    """The next chunk of a running experiment, if this worker may play it.

    It is the first in the order of deals, so that all arms grow side by side.
    """
    try:
        spec = _spec(worker.connection, experiment_id)
    except UnreadableError as error:
        worker.declined["experiment", experiment_id] = (UNREAD, str(error))
        return None
    if not speeds.admits(worker, experiment_id, spec) or not _has_engines(worker, experiment_id, spec):
        return None
    seatings = [spec.num_seatings(arm) for arm in range(len(spec.arms))]
    queue = CHUNKS if len(set(seatings)) == 1 else BY_DEAL
    claim = queue.take(worker.connection, worker.name, OF_EXPERIMENT, job=experiment_id, seatings=seatings)
    return None if claim is None else PostgresChunk(worker, claim, spec)


def _has_engines(worker: Worker, experiment_id: int, spec: ExperimentSpec) -> bool:
    """Whether the code of all engines is here; of a ladder those that are absent play no more anyway."""
    try:
        if spec.ladder is None:
            check_presence(spec)
    except SpecError as error:
        worker.declined["experiment", experiment_id] = (ABSENT, error.message)
        return False
    return True


def _spec(connection: Connection, experiment_id: int) -> ExperimentSpec:
    spec_json = EXPERIMENTS.spec_json(connection, experiment_id)
    return EXPERIMENTS.read_spec(experiment_id, lambda: secret_seeds.read_spec(connection, experiment_id, spec_json))


SOURCE = Source(_WAITING, _HELD, _take, fills_disk=True, is_charged=True, is_held=True)
