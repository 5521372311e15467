"""What PettingZoo and Gymnasium ask of every environment, by their own tests.

Slow: the encodings are compiled for them alone, and both packages are imported where a test runs. What environments
are made of is tried by the undecorated kernels in `test_encoder.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from games.protocol import IllegalActionError
from worker.environments import registry

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation numpy array is all zeros:UserWarning"),
]
GAMES = tuple(registry.ENCODINGS)


def forms(game_id: str) -> list[str]:
    return ["vector", "planes"] if registry.get(game_id).planes(2) else ["vector"]


def table(game_id: str, **arguments: Any) -> Any:
    from worker.environments.table import TableEnvironment

    return TableEnvironment(game_id, **arguments)


def seat(game_id: str, *arguments: Any, **named: Any) -> Any:
    from worker.environments.seat import SeatEnvironment

    return SeatEnvironment(game_id, *arguments, **named)


@pytest.mark.parametrize("game_id", GAMES)
def test_a_table_keeps_to_pettingzoo(game_id: str) -> None:
    from pettingzoo.test import api_test, render_test, seed_test

    from worker.environments.table import wrapped

    for form in forms(game_id):
        for reward in ("result", "margin", "score"):
            api_test(table(game_id, observation=form, reward=reward), num_cycles=1000)
        seed_test(lambda form=form: table(game_id, observation=form), num_cycles=500)  # type: ignore[misc]
    api_test(wrapped(game_id), num_cycles=300)

    def shown(render_mode: str | None = None) -> Any:
        return table(game_id, render_mode=None if render_mode == "human" else render_mode)

    render_test(shown, {"svg": lambda picture: picture.startswith("<svg")})


@pytest.mark.parametrize("game_id", GAMES)
def test_a_seat_keeps_to_gymnasium(game_id: str) -> None:
    import gymnasium
    from gymnasium.utils.env_checker import check_env

    from worker.environments.seat import register

    register()
    for form in forms(game_id):
        check_env(gymnasium.make(f"meeple_lab/{game_id}-v1", observation=form).unwrapped)


@pytest.mark.parametrize("game_id", GAMES)
def test_the_same_seed_and_actions_give_the_same_episodes(game_id: str) -> None:
    def course(seed: int) -> list[Any]:
        env = seat(game_id, [{"engine": "random"}], reward="margin")
        r, noted = np.random.default_rng(5), []
        for given in (seed, None, None):
            seen, _ = env.reset(seed=given)
            is_over = False
            while not is_over:
                noted.append(seen["observation"].tobytes())
                seen, reward, is_over, truncated, _ = env.step(r.choice(np.flatnonzero(env.action_masks())))
                assert not truncated
            noted.append(reward)
        return noted

    assert course(7) == course(7) != course(8)


def test_the_own_seat_goes_round_the_table() -> None:
    env = seat("kingdomino", [{"engine": "random"}], num_seats=3)
    env.reset(seed=1)
    seats = [env.seat]
    for _ in range(3):
        env.reset()
        seats.append(env.seat)
    assert seats == [0, 1, 2, 0]


def test_an_illegal_action_loses_for_a_seat_and_is_refused_at_a_table() -> None:
    env = seat("dominion", illegal_reward=-5.0)
    env.reset(seed=1)
    *_, reward, is_over, truncated, info = env.step(60)
    assert (reward, is_over, truncated, info) == (-5.0, True, False, {"illegal_action": True})
    with pytest.raises(ValueError, match="call reset"):
        env.step(61)
    for beyond in (-1, 10**9):
        env.reset(seed=1)
        assert env.step(beyond)[1] == -5.0
    env = table("dominion")
    env.reset(seed=1)
    with pytest.raises(IllegalActionError):
        env.step(60)


def test_what_does_not_go_together_is_said() -> None:
    for fault, message in (
        (lambda: table("chess"), "environments of carcassonne"),
        (lambda: table("dominion", observation="planes"), "no board"),
        (lambda: table("dominion", reward="money"), "reward must be one of"),
        (lambda: seat("kingdomino", [{"engine": "random"}] * 3), "name one opponent"),
        (lambda: seat("kingdomino", [{"engine": "ims"}]), "opponents"),
        (lambda: table("dominion").step(0), "no match has begun: call reset first"),
    ):
        with pytest.raises(ValueError, match=message):
            fault()
