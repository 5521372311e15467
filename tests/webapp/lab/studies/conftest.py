from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests import counting
from tests.webapp.lab.studies import counting_presentation
from webapp.lab.studies import services
from webapp.lab.studies.presentations import registry as presentations
from webapp.records.models import Study, StudyPiece
from worker.studies import registry
from worker.studies import spec as specs
from worker.studies.pieces import carry_out


@pytest.fixture(autouse=True)
def _counting(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kind of study that tests count with, and how it is shown."""
    monkeypatch.setitem(registry.STUDIES, "counting", "tests.counting:Counting")
    monkeypatch.setitem(presentations.PRESENTATIONS, "counting", counting_presentation.__name__)


@pytest.fixture
def make() -> Callable[..., Study]:
    """Make a running study of an owner; `done` of its pieces are done (-1: all, and it is finished)."""

    def build(owner: Any, done: int = 0, title: str = "Squares", **parameters: Any) -> Study:
        study = services.create(owner, title, specs.from_json(counting.spec(**parameters)))
        fill(study, study.num_pieces if done < 0 else done)
        return study

    return build


def fill(study: Study, done: int) -> None:
    """Do the first pieces of a study without workers."""
    spec = specs.from_json(study.spec)
    for piece in study.pieces.order_by("index")[:done]:
        outcome = carry_out(spec, piece.index)
        piece.status = StudyPiece.Status.FAILED if outcome.row is None else StudyPiece.Status.DONE
        piece.row, piece.failure, piece.versions = outcome.row, outcome.failure, outcome.versions
        piece.cpu_s, piece.ended_at = outcome.cpu_s, study.created_at
        piece.save()
    if done == study.num_pieces:
        Study.objects.filter(pk=study.pk).update(status="finished", finished_at=study.created_at)
    study.refresh_from_db()
