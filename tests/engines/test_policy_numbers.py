"""Policies that play one seat apart from the others, as engines ask for them."""

from __future__ import annotations

from typing import Any

import pytest

from engines import registry
from engines.bench import position
from engines.policy_numbers import policy_number
from engines.protocol import Budget
from games import rng
from tests.games import walks

GAME: Any = walks.game_of("kingdomino")
PLAYOUTS = 400
SEARCHES = [("flat_mc", {"playouts": PLAYOUTS}), ("uct", {"simulations": PLAYOUTS})]
APART = 10.0
"""Points between what `fg` and `tr` make of a kingdom are twice as many and more; errors of means are below 2."""


def early(seat: int) -> Any:
    """A position of round 2 with a seat on turn."""
    return next(state for seed in range(9) if GAME.current_player(state := position(GAME, seed, 4)) == seat)


def worth(engine_id: str, budget: dict[str, int], seat: int, **options: Any) -> float:
    """What a search expects of its best action."""
    state = early(seat)
    engine = registry.make(engine_id, options)
    decision = engine.choose(GAME, state, seat, Budget.from_json(budget), rng.new_stream(1, rng.SEARCH))
    assert decision.value is not None
    return decision.value


def test_a_policy_of_one_seat_is_numbered_with_it() -> None:
    rules = GAME.kernels()
    names = list(rules.policies.NAMES)
    for seat in range(GAME.traits.max_seats):
        number = policy_number(rules, "pg", seat)
        assert number >> rules.policies.SEAT == seat
        assert number & ((1 << rules.policies.SEAT) - 1) == names.index("pg")
    assert policy_number(walks.game_of("toy").kernels(), "greedy", 1) == 1, "a game without such policies"
    with pytest.raises(ValueError, match="timid"):
        policy_number(rules, "timid", 0)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("engine_id", "budget"), SEARCHES)
def test_the_deciding_seat_is_greedy_in_playouts(engine_id: str, budget: dict[str, int], seat: int) -> None:
    own = {policy: worth(engine_id, budget, seat, policy=policy, utility="own") for policy in ("tr", "pg", "fg")}
    assert own["pg"] > own["tr"] + APART


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("engine_id", "budget"), SEARCHES)
def test_all_others_are_not(engine_id: str, budget: dict[str, int], seat: int) -> None:
    ahead = {policy: worth(engine_id, budget, seat, policy=policy) for policy in ("tr", "pg", "fg")}
    assert ahead["pg"] > max(ahead["tr"], ahead["fg"]) + APART


def test_as_a_player_it_is_greedy_in_any_seat() -> None:
    for state in walks.some(walks.turns("kingdomino", 4), 12):
        seat = GAME.current_player(state)
        actions = {
            policy: registry.make("scripted", {"policy": policy})
            .choose(GAME, state, seat, Budget(), rng.new_stream(1, rng.SEARCH))
            .action
            for policy in ("pg", "fg")
        }
        assert actions["pg"] == actions["fg"]
