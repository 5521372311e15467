"""What every game's drawing of variations keeps to."""

from types import ModuleType
from typing import Any

import pytest

from games import readiness, registry, variations

DRAWN = [game_id for game_id in registry.ids() if registry.get(game_id).variations]


@pytest.mark.parametrize("game_id", DRAWN)
def test_a_page_draws_by_the_rules_that_its_process_has(game_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, asked = registry.get(game_id), set()
    given = type(game).kernels

    def kernels(self: Any, *, journal: bool = False, mode: str = "jit") -> ModuleType:
        asked.add(mode)
        return given(self, journal=journal, mode="plain")

    monkeypatch.setattr(readiness, "mode", lambda folder: "plain")
    monkeypatch.delitem(vars(game), "_kernels", raising=False)  # as in a process that has drawn nothing before
    monkeypatch.setattr(type(game), "kernels", kernels)
    state = game.initial_state(game.options(), game.traits.max_seats)
    assert variations.svg(game, state, []).startswith("<svg")
    assert asked == {"plain"}
