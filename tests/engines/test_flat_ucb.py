"""Flat UCB: how it shares simulations out, by hand; the thesis' two configurations of it."""

from __future__ import annotations

import math
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from engines import kernel_arguments, registry, templates
from engines.flat_ucb import FlatUCBOptions
from engines.protocol import Budget, Decision
from engines.selection_formula import formula
from games import rng
from games.options import from_json
from tests.games import walks
from tests.trees import nodes

VALUES = (0.2, 0.5, 0.4)
"""What each of three actions is always worth."""


def bandit() -> ModuleType:
    return templates.load("bandit", nodes.FOLDER, False, "plain")


def pulled(count: int, min_visits: int = 1, values: tuple[float, ...] = VALUES, **options: Any) -> list[int]:
    """The arms that the first `count` simulations pull, whose results never vary."""
    kernels = bandit()
    f = formula(from_json(FlatUCBOptions, options), (1.0, 0.0))
    n, found = len(values), []
    tally = kernel_arguments.Tally(np.zeros(n), np.zeros(n), np.zeros(n, np.int64))
    for done in range(count):
        arm = int(kernels.chosen_arm(f, min_visits, tally, done, rng.new_stream(done, rng.ANALYSIS)))
        tally.sums[arm] += values[arm]
        tally.squares[arm] += values[arm] ** 2
        tally.visits[arm] += 1
        found.append(arm)
    return found


def test_every_action_has_its_first_visits_then_the_formula_decides() -> None:
    # with C = 0.7: after 3, bonus 0.734 for all; after 4 (n = 2) arm 1 has 0.5 + 0.583 and arm 2 0.4 + 0.824;
    # after 5 (ln 1.609): 0.2 + 0.888, 0.5 + 0.628, 0.4 + 0.628
    assert pulled(6, c=0.7) == [0, 1, 2, 1, 2, 1]
    assert pulled(9, min_visits=2, c=0.0) == [0, 0, 1, 1, 2, 2, 1, 1, 1]


def test_the_modified_formula_leaves_poor_actions_alone() -> None:
    # C = 0.7, after 5 visits (1, 2, 2): 0.2 + 0.7 sqrt(ln 5) = 1.088, 0.5 + 0.7 sqrt(ln 2.5) = 1.170
    assert pulled(6, c=0.7, selection="modified")[5] == 1
    orig, mod = (np.bincount(pulled(400, c=0.7, selection=name)) for name in ("ucb1", "modified"))
    assert mod[0] > orig[0] > 0, "its bonus shrinks slowly with the visits of the child"


def test_equal_actions_go_to_the_first_or_the_last() -> None:
    even = (0.5, 0.5, 0.5)
    assert pulled(6, values=even, c=0.3) == [0, 1, 2, 0, 1, 2]
    assert pulled(6, values=even, c=0.3, ties="last") == [0, 1, 2, 2, 1, 0]


@pytest.mark.parametrize("options", [{"selection": "normal", "c": 1.0}, {"selection": "ucb1_tuned"}])
def test_other_formulas_find_the_best_action_too(options: dict[str, Any]) -> None:
    found = np.bincount(pulled(600, **options))
    assert found.argmax() == 1
    assert found.min() > 0


# ---- decisions


def decide(simulations: int, seed: int = 1, **options: Any) -> Decision:
    game = walks.game_of("toy")
    state = game.apply(game.initial_state(game.options(cards=8), 2), 5)
    r = rng.new_stream(seed, rng.SEARCH)
    return registry.make("flat_ucb", options).choose(game, state, 0, Budget(simulations=simulations), r)


def test_a_win_and_a_hundredth_of_the_margin() -> None:
    # random play from the 5 on: keeping it is worth 5 - (1 + 2 + 3 + 4 + 6 + 7 + 8) / 7 points, seat 1 takes the last
    decision = decide(4000, utility="win_difference", c=100.0)
    plain = decide(4000, utility="win", c=100.0)
    assert decision.table is not None
    assert plain.table is not None
    # a bandit's simulations depend on its utilities, so these are two samples: four standard errors of both
    margins = np.array([5 - 31 / 7, -5 - 31 / 7])
    errors = np.hypot(decision.table.deviations, plain.table.deviations) / np.sqrt(decision.table.visits)
    assert (np.abs(decision.table.values - plain.table.values - margins / 100) < 4 * errors).all()
    assert (plain.table.values > 0.0).all()
    assert (plain.table.values < 1.0).all()


def test_trees_are_searches_of_their_own_added_up() -> None:
    whole = decide(301, trees=3)
    assert whole.table is not None
    assert whole.playouts == 301 == whole.table.visits.sum()
    lone = [decide(101, trees=1, seed=seed) for seed in (1, 2)]
    assert lone[0].table is not None
    assert lone[1].table is not None
    assert lone[0].table.values.tolist() != lone[1].table.values.tolist()
    assert whole.action == 0


def test_the_action_tried_most_is_taken_or_the_one_with_the_best_mean() -> None:
    differed = 0
    for seed in range(30):
        by_visits, by_mean = (decide(5, seed, final=final, c=0.0) for final in ("visits", "mean"))
        for decision, key in ((by_visits, "visits"), (by_mean, "values")):
            assert decision.table is not None
            column = getattr(decision.table, key)
            chosen = decision.table.actions.tolist().index(decision.action)
            assert column[chosen] == column.max()
        differed += by_visits.action != by_mean.action
    assert differed < 30
    assert math.isfinite(by_visits.value or 0.0)


def test_minimum_visits_are_made_before_the_formula_decides() -> None:
    decision = decide(100, min_visits=30, c=0.0)
    assert decision.table is not None
    assert decision.table.visits.min() == 30
