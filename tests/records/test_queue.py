"""What all queues have in common: each row is claimed once, given back, put up again after a death, buried."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.db import connection

from tests.records.queues import INSTANCES, JOBS, NUM_ROWS, Instance, Rows, end, holding
from webapp.records import recovery
from worker.recorder import ANALYSIS, BATCH, INTERACTIVE
from worker.studies import registry

LOCKED = [name for name, made in INSTANCES.items() if not made.is_leased()]
LEASED = [name for name, made in INSTANCES.items() if made.is_leased()]

pytestmark = pytest.mark.django_db(transaction=True)

Holder = psycopg.Connection[Any]


@pytest.fixture(autouse=True)
def _kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.STUDIES, "counting", "tests.counting:Counting")


@pytest.fixture(params=INSTANCES)
def instance(request: pytest.FixtureRequest) -> Instance:
    return INSTANCES[request.param]


@pytest.fixture
def rows(instance: Instance) -> Rows:
    return instance.make()


@pytest.fixture
def one() -> Iterator[Holder]:
    with holding() as made:
        yield made


@pytest.fixture
def other() -> Iterator[Holder]:
    with holding() as made:
        yield made


def test_two_holders_share_the_rows_in_order_and_none_has_what_another_has(
    instance: Instance, rows: Rows, one: Holder, other: Holder
) -> None:
    claims = [instance.take(holder, rows) for holder in (one, other, one)]
    assert [instance.name(claim) for claim in claims] == rows.names
    assert (instance.take(one, rows), instance.take(other, rows)) == (None, None)


def test_a_row_that_somebody_else_is_just_claiming_is_not_waited_for(
    instance: Instance, rows: Rows, one: Holder, other: Holder
) -> None:
    claim = instance.take(one, rows)
    instance.queue.give_back(one, claim)
    instance.queue.release(one, claim)
    with one.transaction():
        one.execute(f"select 1 from {instance.queue.table} where id = %s for no key update", (claim.row_id,))
        assert instance.name(instance.take(other, rows)) == rows.names[1]


def test_several_are_claimed_at_once(instance: Instance, rows: Rows, one: Holder, other: Holder) -> None:
    values = {"worker": "tests:0", **rows.values}
    claims = instance.queue.take_some(one, 2, rows.among, **values)
    assert [instance.name(claim) for claim in claims] == rows.names[:2]
    rest = instance.queue.take_some(other, NUM_ROWS, rows.among, **values)
    assert [instance.name(claim) for claim in rest] == rows.names[2:]


def test_what_is_given_back_is_the_next_again_without_a_death(
    instance: Instance, rows: Rows, one: Holder, other: Holder
) -> None:
    claim = instance.take(one, rows)
    instance.queue.give_back(one, claim)
    instance.queue.release(one, claim)
    again = instance.take(other, rows)
    assert instance.name(again) == rows.names[0]
    assert again.token != claim.token
    assert again.deaths == (1 if instance.is_leased() else 0)  # an attempt by lease is counted as it begins


@pytest.mark.parametrize("instance", LOCKED, indirect=True)
def test_what_its_holder_has_not_let_go_of_is_passed_over(
    instance: Instance, rows: Rows, one: Holder, other: Holder
) -> None:
    claim = instance.take(one, rows)
    instance.queue.give_back(one, claim)
    assert instance.name(instance.take(other, rows)) == rows.names[1]


def test_a_death_counts_and_puts_the_row_up_again(instance: Instance, rows: Rows, one: Holder, other: Holder) -> None:
    claim = instance.take(one, rows)
    assert claim.deaths == 0
    instance.die(one, claim)
    again = instance.take(other, rows)
    assert (instance.name(again), again.deaths) == (rows.names[0], 1)


def test_who_lost_a_claim_changes_nothing_any_more(instance: Instance, rows: Rows, one: Holder, other: Holder) -> None:
    lost = instance.take(one, rows)
    instance.queue.give_back(one, lost)
    instance.queue.release(one, lost)
    held = instance.take(other, rows)
    instance.queue.give_back(one, lost)
    with holding() as late:
        instance.queue.bury(late, lost, "late", answer=None, took_s=0.1)
    assert instance.queue.standing(other, held.row_id).token == held.token
    assert instance.name(instance.take(one, rows)) == rows.names[1]


def test_the_last_death_buries_the_row_and_leaves_the_others(instance: Instance, rows: Rows) -> None:
    for deaths in range(instance.queue.max_deaths):
        with holding() as mortal:
            claim = instance.take(mortal, rows)
            assert (instance.name(claim), claim.deaths) == (rows.names[0], deaths)
            assert not instance.left(rows.names[0])
            instance.die(mortal, claim)
    assert instance.left(rows.names[0])
    with holding() as holder:
        rest = [instance.take(holder, rows) for _ in range(NUM_ROWS)]
    # A turn whose engine is buried is that of another engine: it waits again.
    assert {instance.name(claim) for claim in rest if claim} - {rows.names[0]} == set(rows.names[1:])


@pytest.mark.parametrize("instance", LOCKED, indirect=True)
def test_a_restart_of_the_database_counts_no_death(instance: Instance, rows: Rows, one: Holder, other: Holder) -> None:
    claim = instance.take(one, rows)
    with connection.cursor() as cursor:
        cursor.execute(f"update {instance.queue.table} set claimed_at = '2020-01-01Z' where id = %s", [claim.row_id])
    end(one)
    assert recovery.recover(instance.queue) == 1
    again = instance.take(other, rows)
    assert (instance.name(again), again.deaths) == (rows.names[0], 0)


@pytest.mark.parametrize("instance", LEASED, indirect=True)
def test_a_lease_that_has_run_out_is_claimed_anew(instance: Instance, rows: Rows, one: Holder, other: Holder) -> None:
    claim = instance.take(one, rows)
    end(one)
    assert instance.name(instance.take(other, rows)) == rows.names[1], "it outlives the connection"
    with connection.cursor() as cursor:
        cursor.execute("update hooks_delivery set claimed_until = '2020-01-01Z' where id = %s", [claim.row_id])
    again = instance.take(other, rows)
    assert (instance.name(again), again.deaths) == (rows.names[0], 1)


def test_what_is_held_is_left_alone(instance: Instance, rows: Rows, one: Holder, other: Holder) -> None:
    claim = instance.take(one, rows)
    assert recovery.recover(instance.queue) == 0
    assert instance.queue.standing(other, claim.row_id).token == claim.token


def test_what_waits_is_counted(instance: Instance, rows: Rows, one: Holder) -> None:
    def num_waiting(most: int = 10) -> int:
        return sum(instance.queue.num_waiting(one, queue, most) for queue in (BATCH, INTERACTIVE, ANALYSIS))

    assert (num_waiting(), num_waiting(2)) == (NUM_ROWS, 2)
    instance.take(one, rows)
    assert num_waiting() == NUM_ROWS - 1


@pytest.mark.parametrize("kind", JOBS)
@pytest.mark.parametrize("status", ["paused", "stopped"])
def test_a_job_that_is_not_running_gives_nothing_out(kind: str, status: str, one: Holder) -> None:
    instance = INSTANCES[kind]
    rows = instance.make()
    JOBS[kind].objects.update(status=status)
    assert instance.take(one, rows) is None
    assert instance.queue.num_waiting(one, BATCH, 10) == 0


@pytest.mark.parametrize("kind", JOBS)
def test_a_job_paused_while_its_row_is_claimed_keeps_no_lock(kind: str, one: Holder, other: Holder) -> None:
    instance = INSTANCES[kind]
    rows = instance.make()
    job = JOBS[kind].objects.get(pk=rows.values["job"])
    with connection.cursor() as cursor:  # the status changes after the row was chosen
        cursor.execute(
            f"""
            create function pause() returns trigger language plpgsql as
            'begin update {job._meta.db_table} set status = ''paused'' where id = {job.pk}; return new; end';
            create trigger pause before update on {instance.queue.table} for each row execute function pause()
            """
        )
        try:
            assert instance.take(one, rows) is None
        finally:
            cursor.execute(f"drop trigger pause on {instance.queue.table}; drop function pause()")
    assert instance.name(instance.take(other, rows)) == rows.names[0]
