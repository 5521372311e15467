"""Turns by person, then by what a person has under way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.records.experiments import make_experiment
from webapp.records import turns, work_source
from webapp.records.models import Experiment, Usage
from webapp.records.work_source import PostgresWorkSource

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def source() -> Iterator[PostgresWorkSource]:
    source = PostgresWorkSource()
    yield source
    source.close()


def waiting(person: Any, chunks: int = 60, **fields: Any) -> Experiment:
    """An experiment of somebody with chunks that wait, of a match each."""
    experiment = make_experiment(owner=person, num_matches=chunks, **fields)
    work_source.open_chunks(experiment, [(0, first, 1) for first in range(chunks)])
    return experiment


def serve(source: PostgresWorkSource, seconds: Mapping[str, float]) -> Experiment:
    """Let a worker give the person who comes next so much of its time; the chunk goes back as it was."""
    with source.claim() as found:
        assert found is not None
        experiment = Experiment.objects.select_related("owner").get(pk=found.claim.job_id)
        turns.charge(found.connection, experiment.owner_id, seconds[experiment.owner.username])
    return experiment


@pytest.mark.parametrize("long", [1.0, 12.0])
def test_ten_experiments_of_one_person_have_half_of_the_time_beside_one_of_another(
    source: PostgresWorkSource, alice: Any, bob: Any, long: float
) -> None:
    """Even where their matches are longer."""
    many = [waiting(alice).pk for _ in range(10)]
    waiting(bob)
    seconds = {alice.username: long, bob.username: 1.0}
    served = Counter((found.owner.username, found.pk) for found in (serve(source, seconds) for _ in range(130)))
    times = [sum(n for (name, _), n in served.items() if name == one) * seconds[one] for one in seconds]
    assert times[0] == pytest.approx(times[1], abs=long + 1), "a match more or less"
    counts = [served[alice.username, pk] for pk in many]
    assert max(counts) - min(counts) <= 1, "within a person's own, whatever was served least lately"


def test_who_has_a_worker_waits_for_those_who_have_none(source: PostgresWorkSource, alice: Any, bob: Any) -> None:
    mine, theirs = waiting(alice), waiting(bob)
    Usage.objects.create(owner=bob, used_s=1e6, used_at=timezone.now())
    other = PostgresWorkSource()
    with source.claim() as first, other.claim() as second:
        assert (first.claim.job_id, second.claim.job_id) == (mine.pk, theirs.pk)
    other.close()


def test_what_was_given_long_ago_is_forgotten(source: PostgresWorkSource, alice: Any, bob: Any) -> None:
    waiting(alice)
    theirs = waiting(bob)
    Usage.objects.create(owner=alice, used_s=30, used_at=timezone.now())
    Usage.objects.create(owner=bob, used_s=100, used_at=timezone.now() - 2 * timedelta(seconds=turns.HALF_LIFE_S))
    assert serve(source, {bob.username: 0.0}) == theirs
    assert Usage.objects.get(owner=bob).used_s == pytest.approx(25, rel=0.1), "seconds of this test"


def test_priority_is_among_a_person_s_own(source: PostgresWorkSource, alice: Any, bob: Any) -> None:
    waiting(alice)
    first = waiting(alice, priority=5)
    theirs = waiting(bob, priority=-3)
    seconds = {alice.username: 1.0, bob.username: 1.0}
    found = [serve(source, seconds).pk for _ in range(4)]
    assert sorted(found) == sorted([first.pk, theirs.pk] * 2)


def test_one_who_was_deleted_is_charged_nothing(source: PostgresWorkSource, alice: Any) -> None:
    waiting(alice)
    with source.claim():
        alice.delete()
    assert not Usage.objects.exists()
