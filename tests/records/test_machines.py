"""Several machines: whose code may play, who has fallen silent, whose clock counts, and orders to end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.utils import timezone

from tests.records import samples
from tests.records.experiments import make_experiment, spec
from webapp.lab.experiments import deletion
from webapp.records import codes, heartbeats, orders, recovery, removal, work_source, worker_processes
from webapp.records.chunks import CHUNKS, PostgresChunk
from webapp.records.models import Chunk, Experiment, Match, MetricNames
from webapp.records.queue import ClaimLostError
from webapp.records.recovery import Refusals
from webapp.records.work_source import PostgresWorkSource
from webapp.records.worker_models import CodeVersion, WorkerProcess
from worker import code_version
from worker.recorder import BATCH, INTERACTIVE

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def source() -> Iterator[PostgresWorkSource]:
    """A worker that has announced itself."""
    source = PostgresWorkSource()
    source.announce([BATCH])
    yield source
    source.close()


def experiment(size: int = 2, **fields: Any) -> Experiment:
    made = make_experiment(num_matches=size, **{"spec": spec(deals=(size + 1) // 2)} | fields)
    work_source.open_chunks(made, [(0, 0, size)])
    return made


def claimed(source: PostgresWorkSource, queue: str = BATCH) -> int | None:
    """The experiment of which a worker claims a chunk, which it gives back."""
    with source.claim(queue) as found:
        return None if found is None else found.claim.job_id


def with_chunk(source: PostgresWorkSource, act: Callable[[PostgresChunk], None]) -> None:
    """Claim a chunk and do something with it."""
    with source.claim() as chunk:
        assert isinstance(chunk, PostgresChunk)
        act(chunk)


def lab_has(code: str) -> CodeVersion:
    CodeVersion.objects.update(is_labs=False)
    now = timezone.now()
    row, _ = CodeVersion.objects.update_or_create(
        hash=code, defaults={"commit": "5" * 40, "seen_at": now, "is_labs": True}
    )
    return row


def test_a_worker_of_another_code_is_refused_with_a_sentence_or_gets_its_own_work(
    source: PostgresWorkSource, settings: Any, alice: Any
) -> None:
    strange, own = (experiment(code=code, owner=alice) for code in ("f" * 64, code_version.content_hash()))
    lab_has("f" * 64)
    assert (source.may_serve(), claimed(source)) == (False, None)
    row = worker_processes.living().get()
    assert "is not the lab's (commit 5555555555, code ffffffffff)" in row.refusal
    assert worker_processes.serving([row], BATCH) == []
    settings.LAB_OTHER_CODE = codes.OWN
    assert {claimed(source) for _ in range(3)} == {own.pk}
    assert claimed(source, INTERACTIVE) is None, "engines at tables are the lab's"
    settings.LAB_OTHER_CODE = codes.REFUSE
    assert not source.may_serve()
    codes.make_labs()
    assert source.may_serve()
    assert {claimed(source) for _ in range(4)} == {own.pk, strange.pk}, "the lab's go on with what others began"
    assert worker_processes.living().get().refusal == ""


def test_an_upgrade_stops_a_chunk_at_its_next_match_and_records_say_which_code_played(
    source: PostgresWorkSource,
) -> None:
    experiment(4)
    with source.claim() as chunk:
        assert chunk is not None
        played = chunk.matches()
        for number in range(2):
            next(played)
            chunk.write([samples.match(number, num_plies=2)])
        lab_has("f" * 64)
        source._asked_at = 0.0
        assert list(played) == []
    row = Chunk.objects.get()
    assert (row.status, row.written, row.deaths) == ("waiting", 2, 0)
    match = Match.objects.select_related("code").order_by("deal", "rotation")[0]
    assert match.code is not None
    assert (match.code.hash, match.code.commit) == (code_version.content_hash(), code_version.commit())


def test_who_is_silent_loses_its_work_without_a_death_and_writes_no_more(source: PostgresWorkSource) -> None:
    """A frozen process keeps its connection, and so its lock: until the sweeper has looked often enough."""
    experiment(2)
    other = PostgresWorkSource()

    def freeze_and_thaw(frozen: PostgresChunk) -> None:
        with connection.cursor() as cursor:  # an hour off, in either direction: no clock is read
            cursor.execute("update records_workerprocess set beat_at = beat_at - interval '1 hour'")
        for _ in range(heartbeats.MAX_SILENCE - 1):
            assert recovery.cut_silent() == 0
        orders.beat(source.worker)
        assert recovery.cut_silent() == 0, "it was heard of"
        for _ in range(heartbeats.MAX_SILENCE - 2):
            recovery.cut_silent()
        assert (recovery.recover(CHUNKS), other.claim().__enter__()) == (0, None)
        assert recovery.cut_silent() == 1
        assert recovery.recover(CHUNKS) == 1
        with other.claim() as taken:
            assert taken is not None
            taken.write([samples.match(0, num_plies=2)])
            frozen.write([samples.match(0, num_plies=2)])  # it thaws

    with pytest.raises(psycopg.OperationalError):
        with_chunk(source, freeze_and_thaw)
    other.close()
    assert Match.objects.count() == 1
    assert set(Chunk.objects.values_list("deaths", flat=True)) == {0}


def test_a_claim_that_another_has_by_now_is_not_written_over_any_connection(source: PostgresWorkSource) -> None:
    experiment(2)
    with source.claim() as late:
        assert late is not None
        Chunk.objects.update(claimed_at=timezone.now())  # it was given back, and taken by somebody
        with pytest.raises(ClaimLostError):
            late.write([samples.match(0, num_plies=2)])
    assert not Match.objects.exists()


def test_what_is_played_of_a_deleted_experiment_is_written_nowhere(source: PostgresWorkSource) -> None:
    """Its rows may be gone, or still go, when a worker on another machine comes with its matches."""
    made = experiment(4)

    def lose(chunk: PostgresChunk) -> None:
        chunk.write([samples.match(0, num_plies=2)])
        deletion.remove_chunks(made)
        deletion.put_away(made)
        for _ in range(2):
            with pytest.raises(ClaimLostError):
                chunk.write([samples.match(1, num_plies=2)])
            removal.sweep()
        chunk.finish()
        raise ClaimLostError

    with_chunk(source, lose)
    assert (recovery.recover(CHUNKS), claimed(source)) == (0, None)
    assert not Match.objects.exists()
    assert not Experiment.with_removed.exists()
    assert not MetricNames.objects.filter(game="").exists()


def test_a_database_that_takes_no_writes_is_no_death(source: PostgresWorkSource, monkeypatch: Any) -> None:
    experiment(2)

    def write_in_vain(chunk: PostgresChunk) -> None:
        chunk.connection.execute("set default_transaction_read_only = on")
        chunk.write([samples.match(0, num_plies=2)])

    with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
        with_chunk(source, write_in_vain)
    assert set(Chunk.objects.values_list("status", "deaths")) == {("waiting", 0)}
    # Longer than a worker waits: the sweeper knows.
    monkeypatch.setattr(recovery, "REFUSALS", Refusals())
    Chunk.objects.update(status="claimed", worker=source.worker, claimed_at=timezone.now())
    WorkerProcess.objects.update(silence=5)
    connection.connection.execute("set default_transaction_read_only = on")
    try:
        assert recovery.cut_silent() == 0
    finally:
        connection.connection.execute("set default_transaction_read_only = off")
    assert WorkerProcess.objects.get().silence == 5
    recovery.cut_silent()
    assert recovery.recover(CHUNKS) == 1
    assert set(Chunk.objects.values_list("status", "deaths")) == {("waiting", 0)}


def test_what_thinks_by_the_clock_stays_on_machines_of_like_speed(source: PostgresWorkSource, alice: Any) -> None:
    seats = [{"engine": "flat_mc", "options": {}, "budget": {"seconds_per_ply": 0.1}}] * 2
    by_clock = experiment(spec=spec(arms=[{"name": "clock", "seats": seats}], deals=1), priority=1, owner=alice)
    by_count = experiment(owner=alice)
    source._speed = 0.5
    assert claimed(source) == by_clock.pk
    by_clock.refresh_from_db()
    assert by_clock.speed == 0.5
    for speed, expected in ((0.6, by_clock.pk), (0.7, by_count.pk), (0.3, by_count.pk)):
        source._speed = speed
        assert claimed(source) == expected, speed
    ((_, job, reason, why),) = worker_processes.living().get().declined
    assert (job, reason) == (by_clock.pk, "speed")
    assert "its speed is" in why


def test_a_drained_worker_ends_its_match_and_takes_no_more_until_told(source: PostgresWorkSource) -> None:
    experiment(3)
    with source.claim() as chunk:
        assert chunk is not None
        played = chunk.matches()
        next(played)
        assert orders.give("drain", "elsewhere") == 0
        assert orders.give("drain") == 1
        source._asked_at = 0.0
        chunk.write([samples.match(0, num_plies=2)])
        assert list(played) == []
    row = Chunk.objects.get()
    assert (row.status, row.written, row.deaths) == ("waiting", 1, 0)
    assert (source.may_serve(), claimed(source)) == (False, None)
    orders.give("")
    assert claimed(source) is not None


def test_programs_begin_anew_one_by_one_and_only_once_they_hold_nothing(source: PostgresWorkSource) -> None:
    experiment(3)
    other, again = PostgresWorkSource(), PostgresWorkSource()
    other.worker = "elsewhere:1"
    again.worker = f"{source.worker}0"
    other.announce([BATCH])
    try:
        with source.claim() as chunk:
            assert chunk is not None
            orders.give("restart")
            assert orders._is_at_work(source._connection(), source.worker)
            assert not source.may_serve()
            assert other.may_serve(), "it is not its turn"
        assert not orders._is_at_work(source._connection(), source.worker)
        source.close()
        assert other.may_serve(), "the first has gone, and is not back"
        again.announce([BATCH])
        assert not other.may_serve()
    finally:
        again.close()
        other.close()
