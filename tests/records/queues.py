"""The six queues with rows to claim, for tests of what they have in common."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import psycopg
from django.contrib.auth import get_user_model
from django.db import connection, connections
from django.utils import timezone

from tests.records.experiments import make_experiment, spec
from tests.records.studies import make_study
from tests.webapp.table.live import tables
from webapp.people.agents.models import Agent
from webapp.records import recovery, work_source
from webapp.records.check_models import SampleCheck
from webapp.records.chunks import CHUNKS, OF_EXPERIMENT
from webapp.records.models import Chunk, Experiment, Match, Study, StudyPiece
from webapp.records.pieces import OF_STUDY, PIECES
from webapp.records.queue import Claim, Queue
from webapp.records.sample_checks import CHECKS
from webapp.table.hooks.models import Delivery, Hook
from webapp.table.hooks.queue import DELIVERIES
from webapp.table.live.engine_queue import TURNS
from webapp.table.live.hint_queue import HINTS
from webapp.table.live.models import LiveHint, LiveMatch

NUM_ROWS = 3


@dataclass(frozen=True)
class Rows:
    """Rows that wait: those for which `among` holds with `values`, and their names in the order of the queue."""

    among: str
    values: dict[str, Any]
    names: list[Any]


@dataclass(frozen=True)
class Instance:
    """One of the queues. name: of a claimed row, the same after its death; left: what a row is once buried."""

    queue: Queue[Any]
    make: Callable[[], Rows]
    name: Callable[[Any], Any]
    left: Callable[[Any], bool]

    def take(self, holder: psycopg.Connection[Any], rows: Rows) -> Any:
        return self.queue.take(holder, "tests:0", rows.among, **rows.values)

    def is_leased(self) -> bool:
        return self.queue.lock is None

    def die(self, holder: psycopg.Connection[Any], claim: Claim) -> None:
        """The holder ends without a word; by lease, the attempt fails, and the wait after it is over."""
        if self.is_leased():
            self.queue.bury(holder, claim, "failed", answer=None, took_s=0.1)
            Delivery.objects.filter(pk=claim.row_id).update(due_at=timezone.now() - timedelta(hours=1))
        else:
            end(holder)
            assert recovery.recover(self.queue) == 1


@contextlib.contextmanager
def holding() -> Iterator[psycopg.Connection[Any]]:
    """A connection as a worker has it."""
    wrapper = connections.create_connection("default")
    wrapper.ensure_connection()
    try:
        yield wrapper.connection
    finally:
        wrapper.close()


def end(holder: psycopg.Connection[Any]) -> None:
    """Let the server end a connection: it is gone when this returns."""
    with connection.cursor() as cursor:
        cursor.execute("select pg_terminate_backend(%s, 10000)", [holder.info.backend_pid])


def _person() -> Any:
    return get_user_model().objects.get_or_create(username="owner-of-queues")[0]


def _chunks() -> Rows:
    made = make_experiment(num_matches=NUM_ROWS, spec=spec(deals=2))
    work_source.open_chunks(made, [(0, first, 1) for first in reversed(range(NUM_ROWS))])
    return Rows(OF_EXPERIMENT, {"job": made.pk}, list(range(NUM_ROWS)))


def _pieces() -> Rows:
    made = make_study(parameters={"pieces": NUM_ROWS})
    return Rows(OF_STUDY, {"job": made.pk}, list(range(NUM_ROWS)))


def _matches() -> list[LiveMatch]:
    """Matches in which an engine is on turn, the last one for the longest time."""
    person = _person()
    made = [tables.open_match(person, [tables.engine(), tables.person(person)]) for _ in range(NUM_ROWS)]
    for age, match in enumerate(made):
        LiveMatch.objects.filter(pk=match.pk).update(turn_began_at=timezone.now() - timedelta(seconds=age))
    return made


def _turns() -> Rows:
    return Rows("r.queue = 'interactive'", {}, [match.pk for match in reversed(_matches())])


def _hints() -> Rows:
    made = [match.hints.create(seat=1, ply=0, digest=0) for match in _matches()]
    for age, hint in enumerate(made):
        LiveHint.objects.filter(pk=hint.pk).update(asked_at=timezone.now() - timedelta(seconds=age))
    return Rows("true", {}, [hint.pk for hint in reversed(made)])


def _deliveries() -> Rows:
    agent = Agent.objects.create(owner=_person(), name="rook")
    hook = Hook.objects.create(agent=agent, url="https://agent.example.org/", events=[], secret="s")
    ages = [timedelta(seconds=1 + age) for age in range(NUM_ROWS)]
    made = [Delivery.objects.create(hook=hook, event="turn", body="{}", due_at=timezone.now() - age) for age in ages]
    return Rows("true", {}, [delivery.pk for delivery in reversed(made)])


def _checks() -> Rows:
    made = [SampleCheck.objects.create(study=make_study(), waiting=[0], size=1) for _ in range(NUM_ROWS)]
    for age, check in enumerate(made):
        SampleCheck.objects.filter(pk=check.pk).update(asked_at=timezone.now() - timedelta(seconds=age))
    return Rows("true", {}, [check.pk for check in reversed(made)])


def _row_id(claim: Claim) -> Any:
    return claim.row_id


def _chunk_left(first: int) -> bool:
    is_done = Chunk.objects.filter(first=first, status="done").exists()
    return is_done and Match.objects.filter(status="failed", deal=first // 2).exists()


def _turn_left(match_id: int) -> bool:
    """Another engine sits there, whose turn waits."""
    match = LiveMatch.objects.get(pk=match_id)
    return bool(match.seats.get(seat=0).replaced) and (match.worker, match.attempts) == ("", 0)


INSTANCES = {
    "chunks": Instance(CHUNKS, _chunks, lambda claim: claim.first, _chunk_left),
    "pieces": Instance(
        PIECES, _pieces, lambda claim: claim.index, lambda index: StudyPiece.objects.get(index=index).status == "failed"
    ),
    "turns": Instance(TURNS, _turns, _row_id, _turn_left),
    "hints": Instance(HINTS, _hints, _row_id, lambda pk: LiveHint.objects.get(pk=pk).status == "failed"),
    "checks": Instance(CHECKS, _checks, _row_id, lambda pk: SampleCheck.objects.get(pk=pk).status == "failed"),
    "deliveries": Instance(
        DELIVERIES, _deliveries, _row_id, lambda pk: Delivery.objects.get(pk=pk).status == "given_up"
    ),
}

JOBS = {"chunks": Experiment, "pieces": Study}
"""Whose rows are handed out only while their job is running."""
