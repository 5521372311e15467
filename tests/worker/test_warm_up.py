from __future__ import annotations

import itertools
import logging
from typing import Any

import pytest

from engines import levels, registry
from games import loader
from games import registry as game_registry
from worker import warm_up

EVERY_LEVEL = [
    level
    for step in itertools.zip_longest(*map(levels.for_game, game_registry.ids()))
    for level in step
    if level is not None
]
"""The weakest of every game first."""


@pytest.fixture(autouse=True, scope="module")
def _rules() -> None:
    """Cold games are left out."""
    for game_id in game_registry.ids():
        game_registry.get(game_id).kernels()


def test_a_cold_game_keeps_no_worker_from_starting(monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    def is_cold(*_: Any) -> None:
        raise loader.ColdError("rules")

    monkeypatch.setattr(warm_up.bench, "one_decision", is_cold)
    monkeypatch.setattr(warm_up.action_playouts, "playouts_of", is_cold)
    with caplog.at_level(logging.INFO):
        warm_up.load_levels()
    assert [record.levelname for record in caplog.records if record.name.startswith("worker.")] == ["INFO"]
    assert all(f"{level.id} of " in caplog.text for level in EVERY_LEVEL)


@pytest.mark.long
def test_every_level_decides_once(monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    asked: list[str] = []
    make = registry.make

    def note(engine_id: str, options: Any) -> Any:
        asked.append(engine_id)
        return make(engine_id, options)

    monkeypatch.setattr(registry, "make", note)
    with caplog.at_level(logging.INFO):
        warm_up.load_levels()
    assert asked == [level.engine for level in EVERY_LEVEL]
    assert [record.levelname for record in caplog.records if record.name == warm_up.__name__] == ["INFO"]


def test_a_level_that_fails_keeps_no_worker_from_starting(monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    monkeypatch.setitem(registry.ENGINES, "uct", "engines.scripted:Missing")
    monkeypatch.setattr(warm_up._loaded, "is_all", False)
    warm_up.load_levels()
    failed = [level.id for level in EVERY_LEVEL if level.engine == "uct"]
    assert failed
    told = [record for record in caplog.records if record.levelname == "ERROR" and record.name == warm_up.__name__]
    assert [record.args[0] for record in told] == failed
