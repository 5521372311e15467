"""Pieces of a kind with stages: no piece begins before the stages before have ended, whoever works and dies."""

from __future__ import annotations

import contextlib
import time
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connections

from engines import registry as engine_registry
from games import registry as game_registry
from tests.worker import fakes
from webapp.records import recovery, turns, work_source
from webapp.records.claimed_task import Worker
from webapp.records.models import Study, StudyPiece
from webapp.records.pieces import PIECES
from webapp.records.work_source import PostgresWorkSource
from worker.recorder import BATCH
from worker.stop_switch import StopSwitch
from worker.studies import batch, registry
from worker.studies import spec as specs

DEADLINE_S = 10.0
pytestmark = pytest.mark.django_db(transaction=True)
PARAMETERS = {
    "seats": [{"engine": "aimer"}, {"engine": "dicer"}],
    "values": [{"name": "aim", "low": 0, "high": 1}],
    "candidates": 4,
    "deals": 24,
    "confirm": 6,
}


@pytest.fixture
def tuning(monkeypatch: pytest.MonkeyPatch) -> Study:
    monkeypatch.setitem(game_registry.GAMES, "dice", "tests.worker.fakes:Dice")
    for engine in fakes.ENGINES:
        monkeypatch.setitem(engine_registry.ENGINES, engine.id, f"tests.worker.fakes:{engine.__name__}")
    data = {"version": 1, "study": "tuning", "game": "dice", "parameters": PARAMETERS, "seed": 2}
    spec = specs.from_json(data)
    owner = get_user_model().objects.create_user(f"owner-{uuid.uuid4().hex[:8]}")
    fields: dict[str, Any] = {"kind": "tuning", "version": "1", "title": "Aim", "game": "dice"}
    pieces = registry.get("tuning").num_pieces(spec)
    study = Study.objects.create(owner=owner, spec=specs.to_json(spec), num_pieces=pieces, **fields)
    work_source.open_pieces(study)
    return study


@contextlib.contextmanager
def workers(number: int) -> Iterator[list[PostgresWorkSource]]:
    made = [PostgresWorkSource() for _ in range(number)]
    try:
        yield made
    finally:
        for source in made:
            source.close()


def test_two_workers_and_a_death_leave_the_rows_of_a_run_without_a_server(tuning: Study) -> None:
    spec = specs.from_json(tuning.spec)
    kind: Any = registry.get("tuning")
    first, *later = kind.stages(spec)
    assert first > 2
    assert len(later) == 2
    with workers(1) as (other,):
        wrapper = connections.create_connection("default")
        wrapper.ensure_connection()
        dying = turns.take(Worker("dying", wrapper.connection, lambda: wrapper.connection), BATCH, work_source.SOURCES)
        assert dying is not None
        for _ in range(first - 1):
            with other.claim() as found:
                assert found is not None
                found.carry_out(StopSwitch())
        with other.claim() as found:
            assert found is None, "the first stage has a piece under way, and the next one waits for it"
        wrapper.close()  # its lock goes with the connection, the mark stays
        deadline = time.monotonic() + DEADLINE_S
        while not recovery.recover(PIECES):
            assert time.monotonic() < deadline
        assert StudyPiece.objects.get(index=0).deaths == 1
        done = first - 1
        while done < tuning.num_pieces:
            with other.claim() as found:
                assert found is not None
                found.carry_out(StopSwitch())
                done += 1
    tuning.refresh_from_db()
    assert tuning.status == Study.Status.FINISHED
    rows = dict(StudyPiece.objects.filter(study=tuning).values_list("index", "row"))
    assert rows == {outcome.index: outcome.row for outcome in batch.outcomes(spec)}
    assert {row["stage"] for row in rows.values()} == {0, 1, 2}
