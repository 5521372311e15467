"""One job of each kind, in the same states."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.test import Client

from tests import counting
from tests.records.experiments import target
from tests.webapp.lab.studies.conftest import fill as fill_study
from tests.webapp.specs import make as make_experiment
from tests.worker.ladders import made_up
from webapp.lab.jobs import registry
from webapp.lab.ladders import services as ladders
from webapp.lab.studies import services as studies
from webapp.records import recorder
from webapp.records.job import Job
from worker import schedule
from worker.studies import registry as study_registry
from worker.studies import spec as specs


@dataclass(frozen=True)
class Sample:
    """A kind of job with its makers. running: nothing is done yet; complete: all is done, and it still runs."""

    word: str
    plural: str
    kept: str  # what a complete one holds, in words
    running: Callable[..., Any]
    complete: Callable[[Any], Any]


@pytest.fixture(params=sorted(registry.KINDS))
def sample(request: pytest.FixtureRequest, played: Any, monkeypatch: pytest.MonkeyPatch) -> Sample:
    """Each kind of job in turn; a kind without a sample fails."""
    monkeypatch.setitem(study_registry.STUDIES, "counting", "tests.counting:Counting")

    def study(owner: Any, title: str = "Squares") -> Any:
        return studies.create(owner, title, specs.from_json(counting.spec()))

    def counted(owner: Any) -> Any:
        made = study(owner)
        fill_study(made, made.num_pieces)
        set_to(made, status="running", finished_at=None)
        return made

    def ladder(owner: Any, title: str = "Two engines") -> Any:
        return ladders.create(owner, title, made_up.spec_of(2, deals=6, pairing="round_robin"))

    def rated(owner: Any) -> Any:
        made = ladder(owner)
        spec = made_up.spec_of(2, deals=6, pairing="round_robin")
        write_rows(made, [made_up.player(spec)(match) for match in schedule.expand(spec)])
        made.chunks.update(status="done", written=F("size"))
        return made

    samples = (
        Sample("experiment", "experiments", "6 matches", make_experiment, played),
        Sample("ladder", "ladders", "12 matches", ladder, rated),
        Sample("study", "studies", "3 rows", study, counted),
    )
    return next(found for found in samples if found.word == request.param)


def write_rows(made: Any, records: Any) -> None:
    """Write matches of an experiment."""
    connection.ensure_connection()
    recorder.write(connection.connection, target(made), records)


def set_to(job: Job, **values: Any) -> None:
    """Change fields of a job, in the database and here."""
    type(job)._default_manager.filter(pk=job.pk).update(**values)
    job.refresh_from_db()


def exists(job: Job) -> bool:
    """Whether the job is there still."""
    return type(job)._default_manager.filter(pk=job.pk).exists()


@pytest.fixture
def signed_in(client: Client, alice: Any) -> Client:
    """Alice's browser."""
    client.force_login(alice)
    return client
