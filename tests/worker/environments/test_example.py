"""The example that learns Kingdomino: shorter than as it is run, it beats the greedy player all the same."""

from __future__ import annotations

import importlib.util
from typing import Any

import numpy as np
import pytest

from webapp.ops.data_folder import CHECKOUT


@pytest.fixture(scope="module")
def example() -> Any:
    path = CHECKOUT / "examples" / "learning" / "kingdomino_values.py"
    spec = importlib.util.spec_from_file_location("kingdomino_values", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_what_it_learns_beats_greedy_and_is_the_same_with_the_same_seed(example: Any) -> None:
    players = []
    for _ in range(2):
        player, seen = example.Player(300), []
        for number in range(4):
            seen = [*seen[-1:], example.generation(player, 300, 1 + 300 * number, 0.05)]
            example.fit(player, seen)
        players.append(player)
    assert np.array_equal(players[0].weights, players[1].weights)
    judge = example.Player(600)
    judge.weights = players[0].weights
    share, half, margin = example.duel(judge, "fg_plain", 600, 2**40)
    assert share - half > 0.5
    assert margin > 0


@pytest.mark.slow
def test_what_the_guide_shows_runs() -> None:
    blocks = (CHECKOUT / "docs" / "learning.md").read_text().split("```python\n")[1:]
    assert len(blocks) == 3
    for block in blocks:
        exec(compile(block.partition("```")[0], "docs/learning.md", "exec"), {})
