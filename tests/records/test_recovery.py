from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable

import psycopg
import pytest
from django.db import connection

from tests.records import samples
from tests.records.experiments import make_experiment, spec
from webapp.records import recovery, turns, work_source
from webapp.records.chunks import CHUNKS, PostgresChunk
from webapp.records.claimed_task import Worker
from webapp.records.models import Chunk, Experiment, Match, Seat
from webapp.records.queue import MAX_DEATHS
from webapp.records.work_source import PostgresWorkSource
from worker.play import MAX_UNWRITTEN
from worker.recorder import BATCH

pytestmark = pytest.mark.django_db(transaction=True)

DEADLINE_S = 10.0


def experiment(size: int) -> Experiment:
    made = make_experiment(num_matches=size, spec=spec(deals=(size + 1) // 2))
    work_source.open_chunks(made, [(0, 0, size)])
    return made


def die(written: int = 0) -> None:
    """A worker claims the next chunk, writes so many matches, and is gone."""
    connection_of_worker = PostgresWorkSource()._connection()
    worker = Worker("mortal", connection_of_worker, lambda: connection_of_worker)
    chunk = turns.take(worker, BATCH, work_source.SOURCES)
    assert isinstance(chunk, PostgresChunk)
    chunk.write([samples.match(chunk.claim.first + i, num_plies=2) for i in range(written)])
    backend = connection_of_worker.info.backend_pid
    connection_of_worker.close()
    deadline = time.monotonic() + DEADLINE_S
    while _lives(backend):
        assert time.monotonic() < deadline


def _lives(backend: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("select 1 from pg_stat_activity where pid = %s", [backend])
        return cursor.fetchone() is not None


def recover() -> int:
    return recovery.recover(CHUNKS)


def test_a_chunk_that_cannot_be_put_up_again_keeps_no_other_waiting(caplog: pytest.LogCaptureFixture) -> None:
    poison, sound = experiment(1), experiment(2)
    for _ in range(2):
        die()
    # A place of another chunk: its rest cannot be inserted.
    Chunk.objects.filter(experiment=poison).update(size=2)
    Chunk.objects.create(experiment=poison, arm_index=0, first=1, size=1, status="done", written=1)
    assert recover() == 1
    assert Chunk.objects.filter(experiment=poison, status="claimed").count() == 1
    assert set(Chunk.objects.filter(experiment=sound).values_list("status", "deaths")) == {("waiting", 1)}
    assert "cannot be put up again" in caplog.text
    assert recover() == 0


Row = tuple[int, int, int, str, int]


def rows() -> list[Row]:
    return list(Chunk.objects.order_by("first").values_list("first", "size", "written", "status", "deaths"))


def play_all() -> None:
    source = PostgresWorkSource()
    while True:
        with source.claim() as chunk:
            if chunk is None:
                break
            chunk.write([samples.match(match.deal * 2 + match.rotation, num_plies=2) for match in chunk.matches()])
            chunk.finish()
    source.close()


def test_a_chunk_being_played_is_left_alone() -> None:
    experiment(3)
    source = PostgresWorkSource()
    with source.claim():
        assert recover() == 0
        assert rows() == [(0, 3, 0, "claimed", 0)]
    source.close()


def test_a_dead_chunk_is_cut_and_its_rest_split_into_single_matches() -> None:
    made = experiment(4)
    die(written=1)
    assert rows() == [(0, 4, 1, "claimed", 0)]
    assert recover() == 1
    assert rows() == [(0, 1, 1, "done", 0), (1, 1, 0, "waiting", 1), (2, 1, 0, "waiting", 1), (3, 1, 0, "waiting", 1)]
    play_all()
    made.refresh_from_db()
    assert made.status == "finished"
    assert Match.objects.filter(status="finished").count() == 4


def test_matches_never_begun_stay_together() -> None:
    experiment(2 * MAX_UNWRITTEN)
    die(written=3)
    recover()
    rest = MAX_UNWRITTEN - 3
    singles = [(3 + i, 1, 0, "waiting", 1) for i in range(MAX_UNWRITTEN)]
    assert rows() == [(0, 3, 3, "done", 0), *singles, (3 + MAX_UNWRITTEN, rest, 0, "waiting", 0)]


def test_a_worker_that_died_after_its_last_match_leaves_nothing_to_do() -> None:
    made = experiment(2)
    die(written=2)
    recover()
    assert rows() == [(0, 2, 2, "done", 0)]
    made.refresh_from_db()
    assert made.status == "finished"


def test_a_single_match_that_dies_twice_has_failed_and_the_rest_goes_on() -> None:
    made = experiment(2)
    for _ in range(2):
        die()
        assert recover() == 1
    assert rows() == [(0, 1, 1, "done", 1), (1, 1, 0, "waiting", 1)]
    match = Match.objects.get()
    assert (match.deal, match.rotation, match.status, match.failure["kind"]) == (0, 0, "failed", "died")
    assert match.seed > 0
    assert list(Seat.objects.order_by("seat").values_list("lineup_index", "result")) == [(0, None), (1, None)]
    play_all()
    made.refresh_from_db()
    assert made.status == "finished"
    assert Match.objects.count() == 2


def test_the_failure_of_the_last_match_finishes_the_experiment() -> None:
    made = experiment(1)
    for _ in range(2):
        die()
        recover()
    made.refresh_from_db()
    assert made.status == "finished"
    assert made.finished_at is not None


def test_a_restart_of_the_database_is_nobody_s_death() -> None:
    experiment(3)
    die(written=1)
    Chunk.objects.update(claimed_at="2020-01-01T00:00:00Z")  # before the server started
    assert recover() == 1
    assert rows() == [(0, 3, 1, "waiting", 0)]


def leave_by(source: PostgresWorkSource, act: Callable[[PostgresChunk], object]) -> None:
    """Claim a chunk and do something that raises."""
    with source.claim() as chunk:
        assert chunk is not None
        act(chunk)


def test_an_exception_while_playing_counts_as_a_death() -> None:
    made = experiment(1)
    source = PostgresWorkSource()
    for _ in range(MAX_DEATHS):
        with pytest.raises(ZeroDivisionError):
            leave_by(source, lambda _: 1 // 0)
    source.close()
    assert Match.objects.get().failure == {
        "seat": None,
        "kind": "died",
        "message": "ZeroDivisionError: integer division or modulo by zero",
    }
    made.refresh_from_db()
    assert made.status == "finished"


def test_a_record_that_cannot_be_stored_counts_as_a_death() -> None:
    experiment(2)
    source = PostgresWorkSource()
    bad = dataclasses.replace(samples.match(0, num_plies=2), digest=2**70)
    with pytest.raises(psycopg.DataError):
        leave_by(source, lambda chunk: chunk.write([bad]))
    source.close()
    assert rows() == [(0, 1, 0, "waiting", 1), (1, 1, 0, "waiting", 1)]
