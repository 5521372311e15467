"""The lobby says which levels have to be compiled first."""

from __future__ import annotations

import pytest

from engines import level_kernels, levels
from webapp.play import level_readiness


@pytest.fixture(autouse=True)
def _nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(level_readiness, "_ready", set())


def test_levels_that_answer_by_plain_rules_are_ready_and_others_say_how_long(monkeypatch: pytest.MonkeyPatch) -> None:
    found, left = levels.for_game("carcassonne"), {"learned_search": 41.6}
    monkeypatch.setattr(level_kernels, "seconds_left", lambda _, ids: left.get(*ids, 0.0))
    assert level_readiness.words("carcassonne", found) == "Master ready in about 42\u00a0s"
    left.clear()
    assert level_readiness.words("carcassonne", found) == "ready"
    left["master"] = 41.6
    assert level_readiness.words("carcassonne", found) == "ready", "what is there stays"
