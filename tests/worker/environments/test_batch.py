"""Many matches at once: the same transitions as one match alone, and policies that see no more than their seat."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from games import loader, rng
from games.protocol import IllegalActionError
from tests.games import walks
from tests.looping import looped
from worker.environments.batch import BatchedEnvironment
from worker.environments.episode import Episode
from worker.environments.setup import Setup

TABLES: dict[str, list[tuple[int, dict[str, Any]]]] = {
    "carcassonne": [(2, {}), (5, {"unplaceable": "discard", "farmers": "cities"})],
    "kingdomino": [(2, {"ties": "official"}), (3, {"three_seats": "48"}), (4, {})],
    "dominion": [(2, {"kingdom": "random"}), (4, {"treasures": "manual"})],
    "dominoes": [(4, {"length": "round", "many_doubles": "win"}), (4, {"target": 50, "enforce_pass": False})],
}
STEPS, MATCHES, SEED = 500, 3, 11


def agree(batch: BatchedEnvironment, i: int, alone: Episode) -> None:
    """Match i of a batch stands where the one alone does."""
    assert batch.players[i] == alone.player
    assert (batch.masks[i] == alone.mask).all()
    assert sorted(batch.legal[i, : batch.num_legal[i]].tolist()) == np.flatnonzero(alone.mask).tolist()
    assert (batch.observations[i] == alone.observe(alone.player)).all()


@pytest.mark.slow
@pytest.mark.parametrize("reward", ["result", "margin", "score"])
@pytest.mark.parametrize("game_id", TABLES)
def test_a_batch_plays_each_match_as_it_is_played_alone(game_id: str, reward: str) -> None:
    for seats, options in TABLES[game_id]:
        setup = Setup(game_id, seats, options, reward)
        batch = BatchedEnvironment(game_id, MATCHES, num_seats=seats, options=options, reward=reward, seed=SEED)
        alone = [Episode(setup) for _ in range(MATCHES)]
        for i, episode in enumerate(alone):
            episode.seed(SEED + i)
            episode.begin()
        r, numbers, ended = rng.new_stream(1, rng.ANALYSIS), np.zeros(MATCHES, np.int64), 0
        for _ in range(STEPS):
            batch.sample(r, numbers)
            for i, episode in enumerate(alone):
                agree(batch, i, episode)
            batch.step(numbers)
            for i, episode in enumerate(alone):
                given = episode.take(int(numbers[i]))
                assert batch.rewards[i].tolist() == list(given)
                assert batch.is_over[i] == (episode.player < 0)
                if episode.player < 0:
                    ended += 1
                    episode.begin()
        assert ended >= MATCHES


@pytest.mark.slow
def test_nothing_moves_where_one_number_is_illegal() -> None:
    batch = BatchedEnvironment("kingdomino", 2)
    before = batch.states.copy()
    numbers = batch.legal[:, 0].astype(np.int64)
    numbers[1] = 1284
    with pytest.raises(IllegalActionError, match="1284 is not legal in match 1"):
        batch.step(numbers)
    assert (batch.states == before).all()


@pytest.mark.slow
def test_policies_fill_their_seats_within_the_call() -> None:
    """The caller is asked for its own seat alone, and greedy play beats play at random in most matches."""
    batch = BatchedEnvironment("kingdomino", 64, policies=[None, "fg_plain"], seed=3)
    r, numbers, total = rng.new_stream(1, rng.ANALYSIS), np.zeros(64, np.int64), np.zeros(2)
    for _ in range(14):
        assert (batch.players == 0).all()
        batch.sample(r, numbers)
        batch.step(numbers)
        total += batch.rewards.sum(axis=0)
    assert total[0] == -total[1]
    assert total[1] > 50


def policies() -> list[tuple[str, str]]:
    return [(game_id, policy) for game_id in ("dominion", "dominoes") for policy in walks.game_of(game_id).policies]


@looped("game_id, policy", policies)
def test_a_policy_chooses_by_what_its_seat_sees(game_id: str, policy: str) -> None:
    """A batch asks it in the true state: the same choice as in the view."""
    game = walks.game_of(game_id)
    rules = game.kernels()
    buffer, j = np.zeros(rules.MAX_ACTIONS, np.int32), np.ones(loader.JOURNAL_WORDS, np.int32)
    number = game.policies.index(policy)
    for state in walks.some(walks.turns(game_id, game.traits.max_seats), 8):
        seat = game.current_player(state)
        chosen = [
            game.policy(policy)(number, known.copy(), rng.new_stream(seed, rng.SEARCH), buffer, j)
            for known in (state, game.view(state, seat))
            for seed in (1, 2)
        ]
        assert chosen[:2] == chosen[2:]
