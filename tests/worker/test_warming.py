from __future__ import annotations

import itertools
import logging
from typing import Any

import pytest

from engines import levels, registry
from games import registry as game_registry
from worker import warming

EVERY_LEVEL = [
    level for step in itertools.zip_longest(*map(levels.of, game_registry.ids())) for level in step if level is not None
]
"""The weakest of every game first."""


@pytest.fixture(autouse=True, scope="module")
def _rules() -> None:
    """Cold games are left out."""
    for game_id in game_registry.ids():
        game_registry.get(game_id).kernels()


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever tests beside these compile meanwhile."""
    monkeypatch.setattr(warming.readiness, "is_compiling", lambda _: False)


@pytest.mark.parametrize("why", ["is_cold", "is_compiling"])
def test_a_game_that_is_not_compiled_keeps_no_worker_from_starting(monkeypatch: pytest.MonkeyPatch, why: str) -> None:
    monkeypatch.setattr(warming.readiness, why, lambda _: True)
    monkeypatch.setattr(registry, "make", lambda *_: pytest.fail("nothing is loaded"))
    monkeypatch.setattr(warming.playing, "warm", lambda _: pytest.fail("nothing is compiled"))
    warming.load_levels()


def test_every_level_decides_once(monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    asked: list[str] = []
    make = registry.make

    def note(engine_id: str, options: Any) -> Any:
        asked.append(engine_id)
        return make(engine_id, options)

    monkeypatch.setattr(registry, "make", note)
    with caplog.at_level(logging.INFO):
        warming.load_levels()
    assert asked == [level.engine for level in EVERY_LEVEL]
    assert [record.levelname for record in caplog.records if record.name == warming.__name__] == ["INFO"]


def test_a_level_that_fails_keeps_no_worker_from_starting(monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    monkeypatch.setitem(registry.ENGINES, "uct", "engines.scripted:Missing")
    warming.load_levels()
    failed = [level.id for level in EVERY_LEVEL if level.engine == "uct"]
    assert failed
    assert [record.args[0] for record in caplog.records if record.levelname == "ERROR"] == failed
