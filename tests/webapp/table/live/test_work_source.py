"""Engines' turns as work: whose comes next, and what becomes of those that lose their worker."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import psycopg
import pytest
import redis
from django.conf import settings
from django.db import connections
from django.utils import timezone

from engines import levels
from tests import counting
from tests.records.experiments import make_experiment
from tests.records.studies import make_study
from tests.webapp.table.live import tables
from webapp.people.agents.models import Agent
from webapp.records import recovery, work_source
from webapp.records.claimed_task import Worker
from webapp.table.live import engine_queue, engine_turns, match_setup, player_requests
from webapp.table.live.engine_queue import TURNS
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import SeatPlan
from webapp.table.live.work_source import LabWorkSource
from worker import recorder
from worker.recorder import AGENTS, ANALYSIS, BATCH, INTERACTIVE, QUEUES
from worker.stop_switch import StopSwitch
from worker.studies import registry

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def source() -> Iterator[LabWorkSource]:
    source = LabWorkSource()
    yield source
    source.close()


@pytest.fixture
def queues(valkey_service: str) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.delete(*QUEUES)
        yield client
        client.delete(*QUEUES)


@pytest.fixture
def match(alice: Any) -> LiveMatch:
    """A match in which an engine is on turn."""
    return begun(alice)


def begun(person: Any, **further: Any) -> LiveMatch:
    return tables.open_match(person, [tables.engine(), tables.person(person)], **further)


def of_experiment(person: Any, **fields: Any) -> LiveMatch:
    """A match of an experiment whose engine is on turn."""
    return begun(person, queue=AGENTS, experiment=make_experiment(person, **fields))


def die(match: LiveMatch) -> None:
    """Claim the match's turn as a worker that ends without a word."""
    wrapper = connections.create_connection("default")
    wrapper.ensure_connection()
    worker = Worker("mortal:1", wrapper.connection, lambda: wrapper.connection)
    assert engine_queue.take(worker, match.pk) is not None
    with connections["default"].cursor() as cursor:  # its lock is free once the server has noticed
        cursor.execute("select pg_terminate_backend(%s, 10000)", [wrapper.connection.info.backend_pid])
        assert cursor.fetchone() == (True,)
    wrapper.close()


def lose(connection: psycopg.Connection[Any]) -> None:
    """Let the server end a connection, and notice it."""
    with connections["default"].cursor() as cursor:
        cursor.execute("select pg_terminate_backend(%s, 10000)", [connection.info.backend_pid])
    connection.execute("select 1")


def do_all(source: LabWorkSource, queue: str) -> list[int]:
    """Do all that waits in a queue; the matches that were played on."""
    done = []
    while True:
        with source.claim(queue) as found:
            if found is None:
                return done
            found.carry_out(StopSwitch())
            done.append(found.claim.row_id)


def test_the_settings_name_it() -> None:
    assert isinstance(recorder.load(settings.MATCH_RECORDER), LabWorkSource)


class TestClaims:
    def test_the_turn_is_played_and_released(self, match: LiveMatch, source: LabWorkSource) -> None:
        assert do_all(source, INTERACTIVE) == [match.pk]
        match.refresh_from_db()
        assert (match.ply, match.worker, match.claimed_at) == (1, "", None)
        assert source._connection().execute("select 1 from pg_locks where locktype = 'advisory'").fetchall() == []

    def test_the_match_that_has_waited_longest_comes_first(self, alice: Any, source: LabWorkSource) -> None:
        matches = [begun(alice) for _ in range(3)]
        for match, waited in zip(matches, (5, 20, 10), strict=True):
            LiveMatch.objects.filter(pk=match.pk).update(turn_began_at=timezone.now() - timedelta(seconds=waited))
        assert do_all(source, INTERACTIVE) == [matches[i].pk for i in (1, 2, 0)]

    def test_what_is_done_and_was_alone_is_followed_by_no_look(self, alice: Any, source: LabWorkSource) -> None:
        """Only where it stands for itself: an experiment's row stands for all its matches."""

        def is_last(queue: str, is_done: bool) -> bool:
            with source.claim(queue) as found:
                assert found is not None
                if is_done:
                    found.carry_out(StopSwitch())
                return found.is_last

        begun(alice)
        begun(alice)
        assert [is_last(INTERACTIVE, done) for done in (True, False, True)] == [False, False, True]
        of_experiment(alice)
        assert not is_last(AGENTS, True)

    def test_two_workers_never_have_the_same_turn(self, match: LiveMatch, source: LabWorkSource) -> None:
        other = LabWorkSource()
        with source.claim(INTERACTIVE) as first, other.claim(INTERACTIVE) as second:
            assert (first.claim.row_id, second) == (match.pk, None)
        other.close()

    def test_moves_for_people_are_behind_no_batch_and_no_analysis(
        self, match: LiveMatch, source: LabWorkSource, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(registry, "STUDIES", dict(registry.STUDIES))
        counting.register()
        make_study(parameters={"pieces": 1}, queue="analysis")
        work_source.open_chunks(make_experiment(num_matches=1), [(0, 0, 1)])
        assert do_all(source, INTERACTIVE) == [match.pk]
        assert len(do_all(source, ANALYSIS)) == 1
        assert len(do_all(source, BATCH)) == 1

    def test_matches_of_experiments_take_turns_with_those_of_agents_and_wait_for_no_batch(
        self, alice: Any, bob: Any, source: LabWorkSource
    ) -> None:
        agent = Agent.objects.create(owner=bob, name="bot")
        alone = tables.open_match(bob, [tables.engine(), SeatPlan(name="bot", agent=agent)])
        late = of_experiment(alice, status="running")
        work_source.open_chunks(make_experiment(num_matches=2), [(0, 0, 1), (0, 1, 1)])
        assert sorted(do_all(source, AGENTS)) == [alone.pk, late.pk]

    @pytest.mark.parametrize("status", ["paused", "stopped"])
    def test_begun_matches_of_an_experiment_go_on_whatever_it_does(
        self, status: str, alice: Any, source: LabWorkSource, queues: redis.Redis
    ) -> None:
        match = of_experiment(alice, status=status)
        queues.delete(*QUEUES)
        assert engine_queue.sweep() == 1
        assert do_all(source, AGENTS) == [match.pk]

    def test_engines_without_people_are_behind_those_of_people(self, alice: Any, source: LabWorkSource) -> None:
        agent = Agent.objects.create(owner=alice, name="bot")
        match = tables.open_match(alice, [tables.engine(), SeatPlan(name="bot", agent=agent)])
        assert do_all(source, INTERACTIVE) == []
        assert do_all(source, AGENTS) == [match.pk]

    def test_an_open_seat_is_for_a_person_until_an_agent_takes_it(
        self, alice: Any, bob: Any, source: LabWorkSource
    ) -> None:
        agent = Agent.objects.create(owner=alice, name="bot")
        found = [tables.open_match(alice, [tables.engine(), SeatPlan()]) for _ in range(2)]
        match_setup.join(found[0].pk, agent=agent)
        match_setup.join(found[1].pk, person=bob)
        assert do_all(source, INTERACTIVE) == [found[1].pk]
        assert do_all(source, AGENTS) == [found[0].pk]

    def test_an_owner_with_a_worker_waits_for_those_who_have_none(
        self, alice: Any, bob: Any, source: LabWorkSource
    ) -> None:
        first, *_, theirs = [begun(alice), begun(alice), begun(alice), begun(bob)]
        other = LabWorkSource()
        with source.claim(INTERACTIVE) as mine, other.claim(INTERACTIVE) as found:
            assert (mine.claim.row_id, found.claim.row_id) == (first.pk, theirs.pk)
        other.close()

    def test_what_is_asked_to_stop_goes_back(self, match: LiveMatch, source: LabWorkSource) -> None:
        with pytest.raises(KeyboardInterrupt), source.claim(INTERACTIVE):
            raise KeyboardInterrupt
        match.refresh_from_db()
        assert (match.worker, match.attempts) == ("", 0)
        assert do_all(source, INTERACTIVE) == [match.pk]

    def test_an_exception_of_ours_is_an_attempt(
        self, match: LiveMatch, source: LabWorkSource, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: Any) -> None:
            raise ZeroDivisionError("ours")

        monkeypatch.setattr(engine_turns, "_play", fail)
        with pytest.raises(ZeroDivisionError), source.claim(INTERACTIVE) as found:
            found.carry_out(StopSwitch())
        match.refresh_from_db()
        assert (match.worker, match.attempts) == ("", 1)

    def test_a_lost_connection_costs_no_attempt(self, match: LiveMatch, source: LabWorkSource) -> None:
        with pytest.raises(psycopg.OperationalError), source.claim(INTERACTIVE) as found:
            lose(found.connection)
        match.refresh_from_db()
        assert (match.worker, match.attempts) == ("", 0)

    def test_a_deleted_match_ends_its_claim_quietly(self, match: LiveMatch, source: LabWorkSource) -> None:
        with source.claim(INTERACTIVE) as found:
            match.delete()
            found.carry_out(StopSwitch())
        assert not LiveMatch.objects.exists()


class TestRecovery:
    def test_a_worker_s_death_is_an_attempt_and_the_second_brings_another_engine(self, match: LiveMatch) -> None:
        die(match)
        assert recovery.recover(TURNS) == 1
        match.refresh_from_db()
        assert (match.worker, match.attempts, match.ply) == ("", 1, 0)
        die(match)
        assert recovery.recover(TURNS) == 1
        match.refresh_from_db()
        (note,) = match.seats.get(seat=0).replaced
        strongest = [level for level in levels.for_game("carcassonne") if not level.has_clock][-1]
        assert note["why"] == f"Random ended without an answer, twice. {strongest.label} plays on in its place."
        assert (match.attempts, match.is_engine_due) == (0, True)
        assert recovery.recover(TURNS) == 0

    def test_who_thinks_is_left_alone(self, match: LiveMatch, source: LabWorkSource) -> None:
        with source.claim(INTERACTIVE):
            assert recovery.recover(TURNS) == 0
        match.refresh_from_db()
        assert match.attempts == 0

    def test_a_restart_of_the_database_is_nobody_s_death(self, match: LiveMatch) -> None:
        die(match)
        LiveMatch.objects.update(claimed_at="2020-01-01T00:00:00Z")
        assert recovery.recover(TURNS) == 1
        match.refresh_from_db()
        assert (match.worker, match.claimed_at, match.attempts) == ("", None, 0)

    def test_the_death_of_a_thought_that_nobody_waits_for_changes_nothing(self, match: LiveMatch) -> None:
        die(match)
        player_requests.grant("resign", match.pk, (1,))
        version = LiveMatch.objects.get(pk=match.pk).version
        assert recovery.recover(TURNS) == 1
        match.refresh_from_db()
        assert (match.status, match.worker, match.attempts, match.version) == ("ended", "", 0, version)

    def test_one_that_cannot_be_put_up_again_does_not_keep_others_waiting(
        self, match: LiveMatch, alice: Any, caplog: Any
    ) -> None:
        other = begun(alice)
        die(match)
        die(other)

        LiveMatch.objects.filter(pk=match.pk).update(attempts=1)
        match.seats.all().delete()  # nobody can take over a seat that is not there
        assert recovery.recover(TURNS) == 1
        assert f"match {match.pk} cannot be put up again" in caplog.text


class TestWaking:
    def test_workers_are_told_of_a_turn_once_it_is_committed(self, match: LiveMatch, queues: redis.Redis) -> None:
        queues.delete(*QUEUES)
        opened = tables.open_match(match.creator, [tables.engine(), tables.person(match.creator)])
        assert opened.is_engine_due
        assert [queues.llen(queue) for queue in QUEUES] == [0, 0, 0, 1]

    def test_the_sweeper_tells_them_again(self, match: LiveMatch, alice: Any, queues: redis.Redis) -> None:
        of_experiment(alice, status="running")
        queues.delete(*QUEUES)  # all messages are lost
        assert engine_queue.sweep() == 2
        assert [queues.llen(queue) for queue in QUEUES] == [0, 0, 1, 1]

    def test_nobody_is_told_of_what_is_being_thought_about(
        self, match: LiveMatch, source: LabWorkSource, queues: redis.Redis
    ) -> None:
        with source.claim(INTERACTIVE):
            assert engine_queue.sweep() == 0


@pytest.mark.long
def test_the_index_of_due_turns_serves_the_claim(match: LiveMatch, source: LabWorkSource) -> None:
    rows = LiveMatch.objects.filter(pk=match.pk).values()
    values = {name: value for name, value in rows[0].items() if name not in ("id", "code", "submission")}
    LiveMatch.objects.bulk_create(
        LiveMatch(code=f"over{number}", **values | {"is_engine_due": False, "status": "finished"})
        for number in range(2000)
    )
    held = source._connection()
    held.execute("vacuum analyze live_livematch")
    plan = held.execute("explain " + engine_queue.AT_TABLES, {"queue": INTERACTIVE}).fetchall()
    assert any("live_due" in line for (line,) in plan), plan
