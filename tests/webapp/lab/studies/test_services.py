from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest

from tests import counting
from tests.webapp.lab.studies.conftest import fill
from webapp.lab.jobs import services as jobs
from webapp.lab.studies import results, selectors, services
from webapp.records.models import ShareLink, Study, StudyPiece
from worker import tasks
from worker.spec import SpecError
from worker.studies import registry
from worker.studies import spec as specs

pytestmark = pytest.mark.django_db


def test_create_makes_the_study_and_its_pieces(alice: Any) -> None:
    study = services.create(alice, "Squares", specs.from_json(counting.spec(seed=5, pieces=4)))
    assert (study.kind, study.version, study.game, study.status) == ("counting", "4", "carcassonne", "running")
    assert (study.num_pieces, study.pieces.count(), study.queue) == (4, 4, "batch")
    assert study.spec["parameters"]["seconds"] == 0.0
    assert study.spec["seed"] == 5


@pytest.mark.parametrize("queue", ["batch", "analysis"])
def test_workers_of_its_queue_are_woken_after_the_commit(
    alice: Any, queue: str, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    woken: list[str] = []
    monkeypatch.setattr(tasks, "wake", lambda count=0, queue="batch": woken.append(queue))
    with django_capture_on_commit_callbacks(execute=True):
        services.create(alice, "Squares", specs.from_json(counting.spec()), queue=queue)
    assert woken == [queue]


def test_the_same_form_sent_twice_makes_one_study(alice: Any, bob: Any) -> None:
    shown = uuid.uuid4()
    made = [services.create(alice, "Squares", specs.from_json(counting.spec()), submission=shown) for _ in range(2)]
    changed = services.create(alice, "Squares", specs.from_json(counting.spec(pieces=5)), submission=shown)
    other = services.create(bob, "Squares", specs.from_json(counting.spec()), submission=shown)
    assert made[0] == made[1]
    assert len({made[0].pk, changed.pk, other.pk}) == 3
    assert made[0].pieces.count() == 3


def test_a_bad_spec_makes_nothing(alice: Any) -> None:
    with pytest.raises(SpecError, match=r"parameters\.pieces"):
        services.create(alice, "Squares", specs.from_json(counting.spec(pieces=0)))
    assert not Study.objects.exists()


def test_a_study_that_would_take_months_is_refused(alice: Any) -> None:
    with pytest.raises(SpecError, match="would take about"):
        services.create(alice, "Squares", specs.from_json(counting.spec(pieces=100_000, seconds=600.0)))


def test_delete_takes_everything_and_nothing_else(alice: Any, make: Callable[..., Study]) -> None:
    kept, gone = make(alice, -1), make(alice, -1)
    ShareLink.objects.create(slug="x", study=gone, withdrawn_at="2026-01-01T00:00Z")
    jobs.delete(gone)
    assert list(Study.objects.all()) == [kept]
    assert set(StudyPiece.objects.values_list("study", flat=True)) == {kept.pk}


def test_the_result_follows_the_rows_and_is_made_once_for_each_number_of_them(
    alice: Any, make: Callable[..., Study], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []
    honest = counting.Counting.result

    def counted(self: Any, spec: Any, rows: Any) -> dict[str, Any]:
        calls.append(len(rows))
        return honest(self, spec, rows)

    monkeypatch.setattr(counting.Counting, "result", counted)
    study = make(alice, 2, raises_at=1)
    found = selectors.presentation_of(study).current
    assert (found.result, found.done, found.failed) == ({"sum": 0, "numbers": 1}, 1, 1)
    assert found.version_words == f"carcassonne {found.versions['carcassonne']}, counting 4"
    selectors.presentation_of(study)
    assert calls == [1]
    fill(study, 3)
    assert selectors.presentation_of(study).current.result == {"sum": 4, "numbers": 2}


def test_a_result_long_in_the_making_serves_for_a_while_until_the_study_is_over(
    alice: Any, make: Callable[..., Study], monkeypatch: pytest.MonkeyPatch
) -> None:
    study = make(alice, 1)
    monkeypatch.setattr(results, "SLOW_S", -1.0)
    monkeypatch.setattr(results, "PATIENCE", 1e9)
    assert selectors.presentation_of(study).current.done == 1
    fill(study, 2)
    assert selectors.presentation_of(study).current.done == 1
    fill(study, 3)
    assert selectors.presentation_of(study).current.done == 3


def test_without_rows_there_is_no_result(alice: Any, make: Callable[..., Study]) -> None:
    found = results.current(make(alice))
    assert (found.result, found.problem) == (None, "")


def test_a_result_that_cannot_be_made_says_so(
    alice: Any, make: Callable[..., Study], monkeypatch: pytest.MonkeyPatch
) -> None:
    study = make(alice, -1)
    monkeypatch.setattr(counting.Counting, "result", lambda *_: 1 // 0)
    assert results.current(study).problem == results.BROKEN
    other = make(alice, -1)
    monkeypatch.delitem(registry.STUDIES, "counting")
    assert "cannot read it any more" in results.current(other).problem


def test_the_whole_result_names_its_failures(alice: Any, make: Callable[..., Study]) -> None:
    whole = results.full_report(make(alice, -1, raises_at=0))
    assert whole["failures"] == [{"piece": 0, "message": "ZeroDivisionError: a kind's fault"}]
    assert (whole["done"], whole["pieces"], whole["result"]["sum"]) == (2, 3, 5)
