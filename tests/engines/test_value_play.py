"""Plies greedy in a learned value among the few actions that promise most, by the undecorated kernels of Kingdomino."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engines import registry, templates
from engines.kernel_arguments import PlayoutBuffers
from engines.protocol import Budget
from games import loader, readiness, rng
from games.protocol import State
from tests.games import walks

GAME = walks.game_of("kingdomino")
WEIGHTS = GAME.value.weights("learned")
CANDIDATES = 3


@pytest.fixture(scope="module")
def kernels() -> Any:
    return templates.load("value_play", GAME.folder, True, "plain", GAME.value)


def state_at(place: int) -> State:
    """A position of a random match with some choice."""
    found = [state for state in walks.turns("kingdomino", 2) if len(GAME.legal_actions(state)) > 2 * CANDIDATES]
    return found[place]


def buffers(kernels: Any, state: State) -> PlayoutBuffers:
    rules = kernels.R
    return PlayoutBuffers(
        s=state.copy(),
        r=np.zeros(4, np.uint64),
        luck=np.zeros(4, np.uint64),
        actions=np.zeros(rules.MAX_ACTIONS, np.int32),
        j=np.ones(loader.JOURNAL_WORDS, np.int32),
        points=np.zeros(rules.MAX_SEATS, np.int64),
        weights=WEIGHTS,
        values=np.zeros(kernels.V.ROOM),
        spare=np.zeros(rules.MAX_ACTIONS, np.int32),
        guesses=np.zeros(rules.MAX_ACTIONS),
    )


def expected(kernels: Any, state: State, action: int, seat: int) -> tuple[float, float]:
    """What the value expects for a seat after an action, and for the other."""
    out = np.zeros(kernels.V.ROOM)
    kernels.V.value(GAME.apply(state, action), WEIGHTS, out)
    return float(out[seat]), float(out[1 - seat])


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("denies", [False, True])
@pytest.mark.parametrize("place", [1, 6])
def test_the_best_of_the_most_promising_is_played(kernels: Any, place: int, denies: bool) -> None:
    state = state_at(place)
    actions, seat, b = GAME.legal_actions(state), GAME.current_player(state), buffers(kernels, state)
    promised = np.zeros(len(actions))
    kernels.R.promise.promises(state, actions, b.spare, promised)
    weighed = actions[np.argsort(-promised, kind="stable")[:CANDIDATES]].tolist()
    points = [expected(kernels, state, action, seat) for action in weighed]
    worth = [own - other * denies for own, other in points]
    found = kernels.best_of(b.s, CANDIDATES, denies, WEIGHTS, b)
    assert worth[weighed.index(found)] == max(worth)
    assert b.s.tolist() == state.tolist()  # whatever was tried is taken back


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("place", [4, 7])
def test_a_reply_that_denies_leaves_less(place: int) -> None:
    turns = [state for state in walks.turns("kingdomino", 2) if len(GAME.legal_actions(state)) > 4]
    state, options = turns[place], {"value": "learned", "candidates": 2, "playout_plies": 1, "value_plies": 1}
    means = []
    for denies in (False, True):
        engine = registry.make("flat_mc", options | {"value_candidates": 12, "value_denies": denies})
        with readiness.plainly():
            seat, r = GAME.current_player(state), rng.new_stream(1, rng.SEARCH)
            table = engine.choose(GAME, state, seat, Budget(playouts=2), r).table
        assert table is not None
        means.append(table.values[table.visits > 0])
    assert (means[1] <= means[0]).all()  # the other seat, next on turn, weighs the margin that is meant here
    assert (means[1] < means[0]).any()


def test_candidates_of_a_ply_need_a_guess_of_the_game() -> None:
    for game_id in walks.GAME_IDS:
        game = walks.game_of(game_id)
        said = str(registry.make("flat_mc", {"value_candidates": 3}).refuses(game))
        assert ("has no guess of what an action promises: set value_candidates to 0" in said) != game.has_promises
