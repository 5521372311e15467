"""Reasons of hints in words."""

from __future__ import annotations

import pytest

from games import registry
from worker.weighing import reasons


@pytest.mark.parametrize(
    ("game", "metric", "name"),
    [("dominion", "points_province", "Province"), ("kingdomino", "points_forest", "forest")],
)
def test_names_of_cards_keep_their_capitals(game: str, metric: str, name: str) -> None:
    said = reasons.in_the_end(registry.get(game), {metric: 6.0}, [{metric: 1.0}, {}])
    assert said == f"+5.5 in the end from {name}"
