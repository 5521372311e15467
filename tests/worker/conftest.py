"""The game of dice and its engines in the lab's registries."""

import pytest

from engines import registry as engine_registry
from games import registry as game_registry
from tests.worker import fakes


@pytest.fixture
def dice(monkeypatch):
    """Return a function that makes a spec (JSON) of the game of dice."""
    monkeypatch.setitem(game_registry.GAMES, "dice", "tests.worker.fakes:Dice")
    for engine in fakes.ENGINES:
        monkeypatch.setitem(engine_registry.ENGINES, engine.id, f"tests.worker.fakes:{engine.__name__}")

    def spec(*arms, **changes):
        rows = [
            {"name": f"arm {i}", "seats": [seat if isinstance(seat, dict) else {"engine": seat} for seat in arm]}
            for i, arm in enumerate(arms or [("taker", "dicer")])
        ]
        return {
            "version": 1,
            "game": "dice",
            "seats": len(rows[0]["seats"]),
            "arms": rows,
            "deals": 4,
            "seed": 7,
            **changes,
        }

    return spec
