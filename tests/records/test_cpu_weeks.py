"""CPU hours of a week: charged by the worker, held when they are used up, going on by themselves."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection

from tests.records.experiments import make_experiment
from webapp.people.accounts.models import Quota
from webapp.records import cpu_weeks, turns, work_source
from webapp.records.chunks import PostgresChunk
from webapp.records.models import UsageDay
from webapp.records.work_source import SOURCES, PostgresWorkSource
from worker.recorder import BATCH

pytestmark = pytest.mark.django_db(transaction=True)

HOUR = 3600.0


@pytest.fixture
def source(settings: Any) -> Iterator[PostgresWorkSource]:
    settings.LAB_QUOTAS = settings.LAB_QUOTAS | {"cpu_hours": 2}
    source = PostgresWorkSource()
    yield source
    source.close()


def waiting(person: Any) -> int:
    experiment = make_experiment(owner=person)
    work_source.open_chunks(experiment, [(0, first, 1) for first in range(8)])
    return experiment.pk


def use(person: Any, hours: float, days_ago: int = 0) -> None:
    day = datetime.now(UTC).date() - timedelta(days=days_ago)
    UsageDay.objects.update_or_create(owner=person, day=day, defaults={"cpu_s": hours * HOUR})


def owners() -> list[int]:
    return [turn.owner_id for turn in turns.order(connection.connection, BATCH, SOURCES)]


def test_work_is_held_when_the_hours_are_used_up_and_goes_on_by_itself(
    source: PostgresWorkSource, alice: Any, bob: Any
) -> None:
    waiting(alice), waiting(bob)
    use(alice, 1.5)
    use(alice, 0.4, days_ago=6)
    assert sorted(owners()) == sorted([alice.pk, bob.pk]), "a little is left"
    use(alice, 1.6)
    today = datetime.now(UTC).date()
    assert owners() == [bob.pk]
    assert cpu_weeks.spent(connection.connection) == {alice.pk: today + timedelta(days=1)}
    use(alice, 0.4, days_ago=5)
    UsageDay.objects.filter(owner=alice, day=today - timedelta(days=6)).delete()
    assert cpu_weeks.spent(connection.connection) == {alice.pk: today + timedelta(days=2)}
    UsageDay.objects.filter(owner=alice).exclude(day=today).update(day=today - timedelta(days=7))
    assert alice.pk in owners(), "a day later, without anybody's doing"
    use(alice, 5)
    assert owners() == [bob.pk]
    Quota.objects.create(owner=alice, cpu_hours=6)
    assert alice.pk in owners(), "raised by staff"
    Quota.objects.update(cpu_hours=0)
    assert alice.pk in owners(), "0 is no limit"
    Quota.objects.all().delete()
    type(alice).objects.filter(pk=alice.pk).update(is_staff=True)
    assert alice.pk in owners(), "staff have no limits"


def test_a_worker_charges_its_cpu_time_and_breaks_off_at_the_end_of_the_hours(
    source: PostgresWorkSource, alice: Any
) -> None:
    waiting(alice)
    use(alice, 2 - 0.2 / HOUR)
    with source.claim() as found:
        assert isinstance(found, PostgresChunk)
        assert found.left_s == pytest.approx(0.2, abs=1e-3)
        assert found.is_wanted()
        began = time.process_time()
        while found.is_wanted():
            assert time.process_time() - began < 5
        assert list(found.matches()) == []
    assert cpu_weeks.used_s(connection.connection, alice.pk) >= 2 * HOUR
    with source.claim() as nothing:
        assert nothing is None
