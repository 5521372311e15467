"""Engines of one's own that the operator allows: chosen like any, kept with their version, played by that alone."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from engines import registry
from engines.own import description, engine, process, sources
from games import loader
from tests.engines.own import playing
from webapp.api import match_requests
from webapp.common import engine_forms
from webapp.lab.experiments import draft, services
from webapp.lab.experiments.builder import Builder
from webapp.records.chunks import PostgresChunk
from webapp.records.models import Experiment, Match
from webapp.records.resimulation import EngineRoom
from webapp.records.stored_matches import load_records
from webapp.records.work_source import PostgresWorkSource
from worker import spec as specs
from worker.recorder import BATCH
from worker.stop_switch import StopSwitch

pytestmark = pytest.mark.django_db(transaction=True)
FIRST, LAST = "return int(position.legal()[0])", "return int(position.legal()[-1])"


class Described:
    """Takes what comes first."""

    label = "Mine"
    options_class = dataclasses.make_dataclass("Options", [("depth", int, 2), ("name", str, "x"), ("bold", bool, True)])
    budgets = ("nodes",)
    default_budget = {"nodes": 9}
    games = ("kingdomino",)

    def choose(self, position: object, budget: object) -> int:
        return 0


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file that the operator allows."""
    path = playing.write(tmp_path, "mine", FIRST)
    monkeypatch.setenv(sources.VARIABLE, str(path))
    yield path
    process.POOL.end_all()


@pytest.fixture
def described(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Its id, where it need not be asked what it is."""
    monkeypatch.setattr(loader, "cache_root", lambda: tmp_path)
    version = sources.content_hash(file)
    kept = tmp_path / "own-engines" / f"mine-{version}.json"
    kept.parent.mkdir()
    kept.write_text(json.dumps(description.describe(Described, "mine")))
    return f"own:mine@{version}"


def test_it_is_offered_to_experiments_and_listed_with_its_version_and_sits_at_no_table(
    described: str, client: Client, alice: Any
) -> None:
    chosen = {"game": "kingdomino", "rules-for": "kingdomino", "arm-0-seat-0-engine": described}
    builder = Builder(draft.complete(chosen))
    assert builder.spec is not None
    assert builder.spec.arms[0].seats[0].engine == described
    assert f"Mine ({described.partition('@')[2][:6]})" in str(builder.arms[0].seats[0].engine)
    other = draft.complete(chosen | {"game": "dominion", "rules-for": "dominion"})
    assert other["arm-0-seat-0-engine"] != described
    assert described not in str(engine_forms.EngineForm("kingdomino"))
    page = client.get(f"/engines/{described}/").content.decode()
    assert described in page
    assert "somebody's own" in page
    assert described in client.get("/engines/?game=kingdomino").content.decode()
    with pytest.raises(specs.SpecError, match="play in experiments"):
        match_requests._engine("kingdomino", match_requests.EngineSeat(engine=described), ("seats", 1))


def test_another_version_is_refused_and_workers_leave_it_to_others(described: str, file: Path, alice: Any) -> None:
    data = {**spec_of(described), "stop": {"rule": "sprt"}}
    made = services.create(alice, "Mine", specs.from_json(data))
    playing.write(file.parent, "mine", LAST)
    kept = next((file.parent / "own-engines").iterdir())
    for is_lost in (False, True):  # its pages read it still
        if is_lost:
            kept.unlink()
            engine._description.cache_clear()
        spec = specs.from_json(made.spec)
        assert specs.to_json(spec) == made.spec
    with pytest.raises(specs.SpecError, match=r"arms\[0\].seats\[0\].engine: own:mine@\w+ cannot play here"):
        services.create(alice, "Mine again", spec)
    source = PostgresWorkSource()
    source.announce([BATCH])
    try:
        with source.claim(BATCH) as chunk:
            assert chunk is None
        ((reason, why),) = source._declined.values()
        assert reason == "absent"
        assert "its source here is version" in why
    finally:
        source.close()


def spec_of(engine_id: str) -> dict[str, Any]:
    line = [{"engine": engine_id}, playing.GREEDY["kingdomino"]]
    data = {"version": 1, "game": "kingdomino", "seats": 2, "deals": 2, "seed": 4}
    return {**data, "arms": [{"name": "own", "seats": line}]}


@pytest.mark.slow
def test_workers_play_it_and_verification_plays_it_again_while_it_is_the_same(file: Path, alice: Any) -> None:
    made = services.create(alice, "Mine", specs.from_json(spec_of("own:mine")))
    source = PostgresWorkSource()
    source.announce([BATCH])
    while made.status == Experiment.Status.RUNNING:
        with source.claim(BATCH) as chunk:
            assert isinstance(chunk, PostgresChunk)
            chunk.carry_out(StopSwitch())
        made.refresh_from_db()
    source.close()
    matches = list(Match.objects.filter(experiment=made).order_by("deal", "rotation"))
    engine_id = made.spec["arms"][0]["seats"][0]["engine"]
    version = sources.content_hash(file)
    assert [match.status for match in matches] == ["finished"] * 4
    assert all(match.versions[engine_id] == version for match in matches)
    room, record = EngineRoom(600.0), load_records(matches[:1])[0]
    assert room.refusal(matches[0], record) is None
    assert room.play(matches[0], record).digest == record.digest
    playing.write(file.parent, "mine", LAST)
    refusal = room.refusal(matches[0], record)
    assert refusal is not None
    assert refusal.is_version
    assert registry.is_known(engine_id)
