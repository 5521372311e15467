"""What is slow to count stands for a while where an experiment runs, and never afterwards."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests.webapp.lab.results import factory
from tests.webapp.table.live import tables
from webapp.common import public_answers
from webapp.lab.results import cache
from webapp.lab.results.selectors import results
from webapp.records.models import Experiment, Match

pytestmark = pytest.mark.django_db


def test_slow_numbers_stand_for_ten_times_what_they_took(alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made = factory.experiment(alice, deals=4)
    made.status = Experiment.Status.RUNNING
    made.save()
    now = [100.0]
    monkeypatch.setattr(cache, "time", SimpleNamespace(monotonic=lambda: now[0]))

    @cache.patient
    def matches(experiment: Experiment) -> int:
        now[0] += 2
        return experiment.matches.count()

    def one_more(ordinal: int) -> int:
        factory.write(made, [factory.record(made, 0, ordinal)])
        return matches(made)

    assert matches(made) == 0
    assert one_more(0) == 0, "counted two seconds ago, in two seconds"
    now[0] += 10 * 2
    assert one_more(1) == 2
    assert one_more(2) == 2
    made.status = Experiment.Status.FINISHED
    made.save()
    assert matches(made) == 3
    before = now[0]
    assert matches(made) == 3
    assert now[0] == before, "nothing new: nothing counted"


def test_numbers_kept_for_the_owner_are_not_shown_to_everybody(alice: Any, bob: Any) -> None:
    played = tables.play_on(tables.open_match(alice, [tables.person(alice), tables.person(bob)], game="kingdomino"))
    of = Experiment.objects.get(pk=Match.objects.get(pk=played.match_id).experiment_id)
    assert "bob" in str(results(of)), "the owner sees who played"
    with public_answers.public_answer():
        assert "bob" not in str(results(Experiment.objects.get(pk=of.pk)))
