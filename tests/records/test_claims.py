from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from django.db import connection, transaction

from tests.records import samples
from tests.records.experiments import make_experiment, spec
from webapp.records import chunks, work_source, worker_processes
from webapp.records.chunks import PostgresChunk
from webapp.records.models import Chunk, Experiment, Match
from webapp.records.queue import ClaimLostError
from webapp.records.work_source import PostgresWorkSource
from worker.recorder import BATCH

pytestmark = pytest.mark.django_db(transaction=True)

Status = Experiment.Status
DEADLINE_S = 10.0
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def sources() -> Iterator[list[PostgresWorkSource]]:
    """Two workers."""
    both = [PostgresWorkSource(), PostgresWorkSource()]
    yield both
    for source in both:
        source.close()


@pytest.fixture
def source(sources: list[PostgresWorkSource]) -> PostgresWorkSource:
    return sources[0]


def experiment(*sizes: int, **fields: object) -> Experiment:
    """An experiment whose chunks have these sizes."""
    made = make_experiment(num_matches=sum(sizes), spec=spec(deals=(sum(sizes) + 1) // 2), **fields)
    starts = [sum(sizes[:i]) for i in range(len(sizes))]
    work_source.open_chunks(made, [(0, first, size) for first, size in zip(starts, sizes, strict=True)])
    return made


def play(chunk: PostgresChunk, matches: int | None = None) -> list[tuple[int, int]]:
    """Write made-up records of the next matches of a chunk; return their deals and rotations."""
    played = []
    for match in chunk.matches():
        if matches is not None and len(played) == matches:
            break
        chunk.write([samples.match(match.deal * 2 + match.rotation, num_plies=2)])
        played.append((match.deal, match.rotation))
    return played


def leave_by(source: PostgresWorkSource, error: BaseException) -> None:
    """Claim a chunk and leave by an exception."""
    with source.claim() as chunk:
        assert chunk is not None
        raise error


def test_chunks_are_played_in_order_and_the_last_one_finishes_the_experiment(source: PostgresWorkSource) -> None:
    made = experiment(3, 2, 1)
    played = []
    for _ in range(3):
        with source.claim() as chunk:
            assert chunk is not None
            made.refresh_from_db()
            assert made.status == Status.RUNNING
            played += play(chunk)
            chunk.finish()
    assert played == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]
    made.refresh_from_db()
    assert made.status == Status.FINISHED
    assert made.started_at is not None
    assert made.finished_at is not None
    assert made.started_at < made.finished_at
    assert list(Chunk.objects.order_by("first").values_list("status", "written")) == [
        ("done", 3),
        ("done", 2),
        ("done", 1),
    ]
    with source.claim() as chunk:
        assert chunk is None


def test_two_workers_never_have_the_same_chunk(sources: list[PostgresWorkSource]) -> None:
    experiment(1, 1)
    with sources[0].claim() as one, sources[1].claim() as other:
        assert one is not None
        assert other is not None
        assert one.claim.row_id != other.claim.row_id
        third = PostgresWorkSource()
        with third.claim() as nothing:
            assert nothing is None
        third.close()


def test_two_last_chunks_finished_at_once_finish_the_experiment_once(sources: list[PostgresWorkSource]) -> None:
    made = experiment(1, 1)
    with sources[0].claim() as one, sources[1].claim() as other:
        assert one is not None
        assert other is not None
        for chunk in (one, other):
            play(chunk)
            chunk.finish()
    made.refresh_from_db()
    first_finish = made.finished_at
    assert made.status == Status.FINISHED
    other.finish()
    made.refresh_from_db()
    assert made.finished_at == first_finish


def test_priority_goes_first_then_the_experiment_served_least_lately(source: PostgresWorkSource, alice: Any) -> None:
    lately = experiment(1, 1, owner=alice, served_at=NOON)
    longer_ago = experiment(1, owner=alice, served_at=NOON - timedelta(seconds=1))
    never = experiment(1, owner=alice)
    urgent = experiment(1, owner=alice, priority=5, served_at=NOON + timedelta(days=1))
    order = []
    for _ in range(5):
        with source.claim() as chunk:
            assert chunk is not None
            order.append(chunk.claim.job_id)
            play(chunk)
            chunk.finish()
    assert order == [urgent.pk, never.pk, longer_ago.pk, lately.pk, lately.pk]


@pytest.mark.parametrize("status", [Status.PAUSED, Status.STOPPED, Status.FINISHED])
def test_only_running_experiments_are_served(source: PostgresWorkSource, status: str) -> None:
    experiment(1, status=status)
    with source.claim() as chunk:
        assert chunk is None


@pytest.mark.parametrize("status", [Status.PAUSED, Status.STOPPED])
def test_pause_and_stop_hold_between_matches_and_the_rest_goes_back(
    source: PostgresWorkSource, status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunks, "STATUS_S", 0.0)
    made = experiment(4)
    with source.claim() as chunk:
        assert chunk is not None
        matches = chunk.matches()
        next(matches)
        chunk.write([samples.match(0)])
        Experiment.objects.update(status=status)
        assert next(matches, None) is None
        chunk.finish()
    row = Chunk.objects.get()
    assert (row.status, row.written, row.worker, row.deaths) == ("waiting", 1, "", 0)
    Experiment.objects.update(status=Status.RUNNING)
    with source.claim() as chunk:
        assert chunk is not None
        assert play(chunk) == [(0, 1), (1, 0), (1, 1)]
        chunk.finish()
    made.refresh_from_db()
    assert made.status == Status.FINISHED


def test_an_experiment_paused_during_its_last_match_is_finished(source: PostgresWorkSource) -> None:
    made = experiment(1)
    with source.claim() as chunk:
        assert chunk is not None
        play(chunk)
        Experiment.objects.update(status=Status.PAUSED)
        chunk.finish()
    made.refresh_from_db()
    assert made.status == Status.FINISHED


def test_a_chunk_left_early_goes_back_without_a_death(source: PostgresWorkSource) -> None:
    experiment(3)
    with source.claim() as chunk:
        assert chunk is not None
        play(chunk, matches=2)
    with pytest.raises(SystemExit):
        leave_by(source, SystemExit())
    row = Chunk.objects.get()
    assert (row.status, row.written, row.deaths) == ("waiting", 2, 0)
    with source.claim() as chunk:
        assert chunk is not None
        assert play(chunk) == [(1, 0)]


def test_a_worker_that_lost_its_connection_writes_no_more(sources: list[PostgresWorkSource]) -> None:
    experiment(2)

    def attempt() -> None:
        with sources[0].claim() as chunk:
            assert chunk is not None
            process = chunk.connection.info.backend_pid
            with sources[1].claim() as nothing:
                assert nothing is None
            sources[1]._connection().execute("select pg_terminate_backend(%s)", (process,))
            chunk.write([samples.match(0)])

    with pytest.raises(psycopg.OperationalError):
        attempt()
    assert not Match.objects.exists()
    row = Chunk.objects.get()
    assert (row.status, row.written, row.deaths) == ("waiting", 0, 0)  # given back over a new connection
    with sources[0].claim() as chunk:
        assert chunk is not None
        assert play(chunk) == [(0, 0), (0, 1)]


def test_a_deleted_experiment_ends_its_claims_quietly(source: PostgresWorkSource) -> None:
    made = experiment(2)
    with source.claim() as chunk:
        assert chunk is not None
        matches = chunk.matches()
        next(matches)
        made.delete()
        chunk.write([samples.match(0)])
        pytest.fail("the claim is lost")
    assert not Match.objects.exists()
    with source.claim() as chunk:
        assert chunk is None


def test_deleting_while_the_last_matches_are_written_is_no_deadlock(source: PostgresWorkSource) -> None:
    """The one who deletes holds the experiment and wants its chunks; the writer must not hold one and wait."""
    made = experiment(2)
    outcome: list[BaseException] = []

    with source.claim() as chunk:
        assert chunk is not None
        process = chunk.connection.info.backend_pid

        def write() -> None:
            try:
                chunk.write([samples.match(0, num_plies=2)])
            except BaseException as error:
                outcome.append(error)

        writer = threading.Thread(target=write)
        with transaction.atomic():
            Experiment.objects.select_for_update().get(pk=made.pk)
            writer.start()
            wait_until_blocked(process)
            made.delete()
        writer.join()
        assert [type(error) for error in outcome] == [ClaimLostError]
        raise outcome[0]
    assert not Match.objects.exists()


def wait_until_blocked(process: int) -> None:
    """Wait until this process of the database waits for a lock that we hold."""
    deadline = time.monotonic() + DEADLINE_S
    with connection.cursor() as cursor:
        while True:
            cursor.execute("select pg_backend_pid() = any(pg_blocking_pids(%s))", [process])
            if cursor.fetchone()[0]:
                return
            assert time.monotonic() < deadline


def test_what_a_worker_cannot_read_it_leaves_alone_and_says_so(source: PostgresWorkSource) -> None:
    broken, sound = experiment(1, priority=1), experiment(1)
    broken.spec["arms"][0]["seats"][0]["engine"] = "gone"
    broken.save()
    source.announce([BATCH])
    with source.claim() as chunk:
        assert chunk is not None
        assert chunk.claim.job_id == sound.pk
    broken.refresh_from_db()
    assert (broken.status, broken.notice) == (Status.RUNNING, ""), "another worker may read it"
    ((kind, job, reason, why),) = worker_processes.living().get().declined
    assert (kind, job, reason) == ("experiment", broken.pk, "spec")
    assert "arms[0].seats[0].engine" in why


def test_the_index_of_open_chunks_serves_the_claim(source: PostgresWorkSource) -> None:
    made = experiment(*[1] * 300)
    Chunk.objects.filter(first__lt=299).update(status="done", written=1)
    connection = source._connection()
    connection.execute("vacuum analyze records_chunk")
    query, values = chunks.CHUNKS.next_rows(chunks.OF_EXPERIMENT), {"job": made.pk, "passed": [], "most": 1}
    plan = connection.execute("explain " + query, values).fetchall()
    assert any("chunk_open" in line for (line,) in plan), plan


def test_a_chunk_that_another_is_taking_is_passed_by(source: PostgresWorkSource) -> None:
    experiment(1, 1)
    source._connection().execute("set lock_timeout = '3s'")
    try:
        with transaction.atomic():
            Chunk.objects.select_for_update().order_by("first").first()
            with source.claim() as chunk:
                assert chunk is not None
                assert chunk.claim.first == 1
    finally:
        source.close()
