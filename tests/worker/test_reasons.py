"""Reasons of hints in words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from games import registry
from worker.action_values import advice, reasons
from worker.action_values.best_actions import ScoredAction

ENDS = [6.0, 8.0, 7.0, 5.0, 6.5, 7.5]
"""Points of one kind by playout: mean 6.67, half of Student's interval of it 1.13 (s = 1.08, t = 2.571)."""


def ends(metric: str, values: list[float]) -> list[dict[str, float]]:
    return [{metric: value} for value in values]


@pytest.mark.parametrize(
    ("game", "metric", "name"),
    [("dominion", "points_province", "Province"), ("kingdomino", "points_forest", "forest")],
)
def test_names_of_cards_keep_their_capitals_and_figures_have_an_interval(game: str, metric: str, name: str) -> None:
    others = [ends(metric, [1.0] * len(ENDS)), [{}] * len(ENDS)]
    said = reasons.in_the_end(registry.get(game), ends(metric, ENDS), others, 1)
    assert said == f"+6.2 ±1.1 in the end from {name}"


def test_no_reason_claims_a_difference_whose_interval_covers_zero() -> None:
    game, metric = registry.get("kingdomino"), "points_forest"
    wild = [-9.0, 20.0, 1.0, -5.0, 16.0, 4.0]
    assert np.mean(wild) > reasons.WORTH_TELLING
    assert reasons.in_the_end(game, ends(metric, wild), [ends(metric, [0.0] * len(wild))], 1) == ""
    assert reasons.against(np.array(wild), 1) == ""
    touching = np.array([0.02, 3.0, 1.5, 2.4, -0.03, 2.0])  # 1.48 ±1.32 at 95 %, 1.48 ±1.48 for one of two
    assert reasons.against(touching, 1) == "leaves the others 1.5 ±1.3 less"
    assert reasons.surely(touching * 0.1, 1) is None, "written as 0.1 ±0.1"
    assert reasons.against(np.array(ENDS), 1) == "leaves the others 6.7 ±1.1 less"


def test_what_is_claimed_holds_for_all_claims_that_might_have_been_made() -> None:
    close = np.array([0.2, 3.0, 1.5, 2.4, -0.1, 2.0])
    assert reasons.surely(close, 1)
    assert reasons.surely(close, reasons.claims(registry.get("kingdomino"))) is None


@pytest.mark.parametrize(
    ("second", "said"),
    [
        ([5.0, 7.5, 6.2, 4.1], [advice.FIRST, "0.9 ±0.6 behind the first"]),  # s = 0.378, t = 3.182
        ([9.0, 2.0, 11.0, 0.0], [advice.EQUAL, "not clearly worse than the first"]),
    ],
)
def test_an_action_is_called_behind_only_where_that_is_known(second: list[float], said: list[str]) -> None:
    best: list[Any] = [ScoredAction(1, [6.0, 8.0, 7.0, 5.5]), ScoredAction(2, second)]
    assert [advice._place(best, rank) for rank in range(2)] == said
