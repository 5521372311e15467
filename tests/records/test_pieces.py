from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
import redis
from django.conf import settings
from django.db import connection

from games.protocol import Game
from tests.counting import Counting
from tests.records import samples
from tests.records.experiments import make_experiment, spec
from tests.records.studies import make_study
from webapp.records import pieces, recovery, sweeper, turns, work_source
from webapp.records.chunks import PostgresChunk
from webapp.records.claimed_task import Worker
from webapp.records.models import Study, StudyPiece
from webapp.records.pieces import PostgresPiece
from webapp.records.work_source import PostgresWorkSource
from worker import tasks
from worker.recorder import ANALYSIS, BATCH
from worker.stop_switch import StopSwitch
from worker.studies import registry
from worker.studies.pieces import Outcome

pytestmark = pytest.mark.django_db(transaction=True)

DEADLINE_S = 10.0
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
Row = tuple[int, str, int, str]


@pytest.fixture(autouse=True)
def _kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.STUDIES, "counting", "tests.counting:Counting")


@pytest.fixture
def source() -> Iterator[PostgresWorkSource]:
    made = PostgresWorkSource()
    yield made
    made.close()


def rows() -> list[Row]:
    return list(StudyPiece.objects.order_by("study", "index").values_list("index", "status", "deaths", "failure"))


def do_all(source: PostgresWorkSource, queue: str = BATCH) -> int:
    """Carry out whatever there is; return how much that was."""
    for done in range(1000):
        with source.claim(queue) as found:
            if found is None:
                return done
            found.carry_out(StopSwitch())
    raise AssertionError("the work does not end")


def die(queue: str = BATCH) -> None:
    """A worker claims the next piece, and is gone."""
    mortal = PostgresWorkSource()
    held = mortal._connection()
    assert isinstance(turns.take(Worker("mortal", held, lambda: held), queue, work_source.SOURCES), PostgresPiece)
    backend = held.info.backend_pid
    mortal.close()
    deadline = time.monotonic() + DEADLINE_S
    with connection.cursor() as cursor:
        while True:
            cursor.execute("select 1 from pg_stat_activity where pid = %s", [backend])
            if cursor.fetchone() is None:
                return
            assert time.monotonic() < deadline


def recover() -> int:
    return recovery.recover(pieces.PIECES)


def test_pieces_are_done_in_order_and_the_last_one_finishes_the_study(source: PostgresWorkSource) -> None:
    study = make_study()
    assert do_all(source) == 3
    study.refresh_from_db()
    assert study.status == "finished"
    assert study.started_at < study.finished_at
    kept = StudyPiece.objects.order_by("ended_at").values_list("index", "row", "status", "versions")
    versions = {"counting": "4", "carcassonne": kept[0][3]["carcassonne"]}
    assert list(kept) == [(i, {"number": i, "square": i * i}, "done", versions) for i in range(3)]
    assert all(piece.cpu_s >= 0 for piece in StudyPiece.objects.all())


def test_two_workers_never_have_the_same_piece(source: PostgresWorkSource) -> None:
    make_study(parameters={"pieces": 2})
    other, third = PostgresWorkSource(), PostgresWorkSource()
    with source.claim() as one, other.claim() as two, third.claim() as nothing:
        assert (one.index, two.index, nothing) == (0, 1, None)
    other.close()
    third.close()


def test_a_piece_that_raises_has_failed_with_words_and_the_study_goes_on(source: PostgresWorkSource) -> None:
    study = make_study(parameters={"raises_at": 1})
    do_all(source)
    study.refresh_from_db()
    assert study.status == "finished"
    assert rows() == [
        (0, "done", 0, ""),
        (1, "failed", 0, "ZeroDivisionError: a kind's fault"),
        (2, "done", 0, ""),
    ]


def test_studies_and_experiments_of_a_person_take_turns(source: PostgresWorkSource, alice: Any) -> None:
    study = make_study(alice, served_at=NOON)
    experiment = make_experiment(alice, num_matches=3, spec=spec(deals=2), served_at=NOON - timedelta(seconds=1))
    work_source.open_chunks(experiment, [(0, first, 1) for first in range(3)])
    order = []
    for _ in range(6):
        with source.claim() as found:
            if isinstance(found, PostgresChunk):
                order.append("chunk")
                found.write([samples.match(match.deal * 2 + match.rotation, num_plies=1) for match in found.matches()])
                found.finish()
            else:
                order.append("piece")
                found.carry_out(StopSwitch())
    assert order == ["chunk", "piece"] * 3
    study.refresh_from_db()
    experiment.refresh_from_db()
    assert (study.status, experiment.status) == ("finished", "finished")


def test_priority_goes_first(source: PostgresWorkSource, alice: Any) -> None:
    make_study(alice, parameters={"pieces": 1})
    urgent = make_study(alice, parameters={"pieces": 1}, priority=3, served_at=NOON)
    with source.claim() as found:
        assert found.claim.job_id == urgent.pk


def test_each_queue_has_its_own_studies(source: PostgresWorkSource) -> None:
    make_study(parameters={"pieces": 1}, queue=Study.Queue.ANALYSIS)
    make_study(parameters={"pieces": 2})
    assert do_all(source, ANALYSIS) == 1
    assert do_all(source, BATCH) == 2


@pytest.mark.parametrize("status", ["paused", "stopped"])
def test_pause_and_stop_hold_between_pieces(source: PostgresWorkSource, status: str) -> None:
    study = make_study()
    with source.claim() as found:
        Study.objects.update(status=status)
        found.carry_out(StopSwitch())
    assert do_all(source) == 0
    assert [row[1] for row in rows()] == ["done", "waiting", "waiting"]
    Study.objects.update(status="running")
    assert do_all(source) == 2
    study.refresh_from_db()
    assert study.status == "finished"


def test_a_piece_that_is_broken_off_goes_back_without_a_death(source: PostgresWorkSource) -> None:
    make_study(parameters={"pieces": 1})
    stop = StopSwitch()
    stop.ask()
    with source.claim() as found:
        found.carry_out(stop)
    assert rows() == [(0, "waiting", 0, "")]


def test_a_piece_that_loses_its_worker_is_put_up_again_and_fails_the_second_time(source: PostgresWorkSource) -> None:
    study = make_study(parameters={"pieces": 2})
    die()
    assert recover() == 1
    assert rows() == [(0, "waiting", 1, ""), (1, "waiting", 0, "")]
    die()
    assert recover() == 1
    assert rows() == [(0, "failed", 2, pieces.DIED), (1, "waiting", 0, "")]
    do_all(source)
    study.refresh_from_db()
    assert study.status == "finished"
    assert recover() == 0


def test_the_failure_of_the_last_piece_finishes_the_study() -> None:
    study = make_study(parameters={"pieces": 1})
    for _ in range(2):
        die()
        recover()
    study.refresh_from_db()
    assert study.status == "finished"


def test_a_piece_being_done_is_left_alone(source: PostgresWorkSource) -> None:
    make_study()
    with source.claim():
        assert recover() == 0
        assert rows()[0][1] == "claimed"


def test_a_restart_of_the_database_is_nobody_s_death() -> None:
    make_study(parameters={"pieces": 1})
    die()
    StudyPiece.objects.update(claimed_at="2020-01-01T00:00:00Z")
    assert recover() == 1
    assert rows() == [(0, "waiting", 0, "")]


def leave_by_writing(source: PostgresWorkSource, outcome: Outcome) -> None:
    with source.claim() as found:
        assert isinstance(found, PostgresPiece)
        found.write(outcome)


def test_a_row_that_cannot_be_stored_counts_as_a_death(source: PostgresWorkSource) -> None:
    make_study(parameters={"pieces": 1})
    with pytest.raises(psycopg.DataError):
        leave_by_writing(source, Outcome(0, {"text": "\0"}, "", 0.0, {}))
    assert rows() == [(0, "waiting", 1, "")]


def test_a_failure_in_any_words_can_be_stored(source: PostgresWorkSource) -> None:
    make_study(parameters={"pieces": 1})
    leave_by_writing(source, Outcome(0, None, "a \0 byte", 0.0, {}))
    assert rows() == [(0, "failed", 0, "a \N{REPLACEMENT CHARACTER} byte")]


def test_a_deleted_study_ends_its_claims_quietly(source: PostgresWorkSource) -> None:
    study = make_study()
    with source.claim() as found:
        study.delete()
        found.carry_out(StopSwitch())
        pytest.fail("the claim is lost")
    assert not StudyPiece.objects.exists()


def test_a_study_of_a_kind_that_is_gone_is_left_to_workers_that_know_it(
    source: PostgresWorkSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = make_study()
    monkeypatch.delitem(registry.STUDIES, "counting")
    assert do_all(source) == 0
    study.refresh_from_db()
    assert (study.status, study.notice) == ("running", "")
    ((reason, why),) = source._declined.values()
    assert reason == "spec"
    assert "study: must be one of" in why


def test_the_index_of_open_pieces_serves_the_claim(source: PostgresWorkSource) -> None:
    study = make_study(parameters={"pieces": 2000})
    StudyPiece.objects.filter(index__lt=1999).update(status="done")
    held = source._connection()
    held.execute("vacuum analyze records_studypiece")
    query, values = pieces.PIECES.next_rows(pieces.OF_STUDY), {"job": study.pk, "passed": [], "most": 1}
    plan = held.execute("explain " + query, values).fetchall()
    assert any("piece_open" in line for (line,) in plan), plan


@pytest.fixture
def queues(valkey_service: str) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.delete(BATCH, ANALYSIS)
        yield client
        client.delete(BATCH, ANALYSIS)


def test_the_sweeper_wakes_each_queue_for_its_own(queues: redis.Redis) -> None:
    make_study(parameters={"pieces": 2})
    make_study(parameters={"pieces": 1}, queue="analysis")
    make_study(parameters={"pieces": 5}, status="paused")
    assert sweeper.sweep() == 3
    assert (queues.llen(BATCH), queues.llen(ANALYSIS)) == (2, 1)


def test_a_study_with_nothing_left_to_do_is_finished_by_the_sweeper(queues: redis.Redis) -> None:
    study = make_study(parameters={"pieces": 1})
    StudyPiece.objects.update(status="done")
    sweeper.sweep()
    study.refresh_from_db()
    assert study.status == "finished"


def test_a_message_of_a_queue_does_a_turn_of_its_work(queues: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "_source", lambda: source)
    source = PostgresWorkSource()
    study = make_study(parameters={"pieces": 3}, queue="analysis")
    tasks.work()
    assert {row[1] for row in rows()} == {"waiting"}
    tasks.analyse()  # three pieces are less than a turn
    study.refresh_from_db()
    assert study.status == "finished"
    monkeypatch.setattr(tasks, "TURN_S", 0.0)
    make_study(parameters={"pieces": 3})
    tasks.work()
    assert [row[1] for row in rows()[3:]] == ["done", "waiting", "waiting"]
    assert (queues.llen(BATCH), queues.llen(ANALYSIS)) == (1, 0)
    source.close()


def test_a_spec_that_breaks_its_reader_is_left_alone_and_keeps_no_other_waiting(
    source: PostgresWorkSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, good = make_study(parameters={"pieces": 2}), make_study(parameters={"pieces": 1})
    checked = Counting.complete_parameters

    def fragile(self: Counting, game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
        if parameters["pieces"] == 2:
            raise KeyError("pieces")
        return checked(self, game, parameters)

    monkeypatch.setattr(Counting, "complete_parameters", fragile)
    assert do_all(source) == 1
    for study in (broken, good):
        study.refresh_from_db()
    assert (good.status, broken.status, broken.notice) == ("finished", "running", "")
    assert source._declined == {("study", broken.pk): ("spec", "KeyError, the worker's log says more")}


def test_an_experiment_that_breaks_its_reader_is_left_alone(
    source: PostgresWorkSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = make_experiment(num_matches=1, spec=spec(deals=1))
    work_source.open_chunks(experiment, [(0, 0, 1)])
    make_study(parameters={"pieces": 1})
    monkeypatch.setattr("worker.spec.from_json", lambda data: 1 // 0)
    assert do_all(source) == 1
    experiment.refresh_from_db()
    assert experiment.status == "running"
    assert [*source._declined] == [("experiment", experiment.pk)]


def outcome_of(index: int) -> Outcome:
    return Outcome(index, {"number": index, "square": index * index}, "", 0.1, {})


def cut(source: PostgresWorkSource) -> None:
    """The server drops the connection of a worker."""
    with connection.cursor() as cursor:
        cursor.execute("select pg_terminate_backend(%s, 10000)", [source._connection().info.backend_pid])


def test_a_connection_lost_during_a_piece_costs_no_row(source: PostgresWorkSource) -> None:
    make_study()
    with source.claim() as found:
        cut(source)
        found.write(outcome_of(0))
    assert rows()[0] == (0, "done", 0, "")
    assert do_all(source) == 2
    assert Study.objects.get().status == "finished"


def test_who_lost_the_connection_writes_nothing_over_another_claim(source: PostgresWorkSource) -> None:
    make_study(parameters={"pieces": 1})
    with source.claim() as found:
        cut(source)
        assert recover() == 1
        found.write(outcome_of(0))
    assert [row[1] for row in rows()] == ["waiting"]
    assert StudyPiece.objects.get().row is None
