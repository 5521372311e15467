"""Informed play: what areas and shapes are worth, and that policy and guess agree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from games import rng
from games.kingdomino import state as layout
from games.protocol import CHANCE, TERMINAL, State
from tests.games.kingdomino.tables import GAME


@pytest.fixture(scope="module")
def policies() -> Any:
    """The policies in plain Python, with their parts."""
    return GAME.kernels(mode="plain").policies


def squares(*places: tuple[int, int]) -> np.uint64:
    """A set of squares by their coordinates."""
    return np.uint64(sum(1 << (8 * (y % 8) + x % 8) for x, y in places))


def middle(*filled: tuple[int, int]) -> np.uint64:
    """The 5 x 5 squares round the castle but these."""
    return squares(*((x, y) for x in range(-2, 3) for y in range(-2, 3) if (x, y) not in {(0, 0), *filled}))


def positions(seed: int, seats: int, options: Any = None) -> list[State]:
    """Every position of a seat's turn in a match of informed players."""
    kernels, r = GAME.kernels(), rng.new_stream(seed, rng.ANALYSIS)
    state, found = GAME.initial_state(options or GAME.options(), seats), []
    while (player := GAME.current_player(state)) != TERMINAL:
        if player == CHANCE:
            state = GAME.apply(state, GAME.sample_chance(state, r))
            continue
        found.append(state)
        buffer, number = np.zeros(kernels.MAX_ACTIONS, np.int32), GAME.policies.index("informed")
        action = GAME.policy("informed")(number, state.copy(), r, buffer, np.ones(1, np.int32))
        state = GAME.apply(state, int(action))
    return found


def test_an_area_is_worth_its_points_and_what_may_come(policies: Any) -> None:
    worth = policies.informed.worth
    w = worth.table((1.0, 0.5, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 2.0))
    buffer = np.zeros(layout.MAX_ACTIONS, np.int32)
    # nothing drawn yet, four seats: a quarter of eleven of twelve rows; wheat has 26 squares and 5 crowns
    state = GAME.initial_state(GAME.options(), 4)
    worth.prospect(state, w, buffer)
    share = 44 / 48 / 4
    expected = 3 * 2 + 1.0 * 5 * share * 3**2 + 0.5 * 26 * share * 2
    assert worth.area_worth(w, buffer, 0, 3, 2) / 256 == pytest.approx(expected, abs=0.1)
    # once the last row lies there, points are all
    state[layout.ROUND] = 12
    worth.prospect(state, w, buffer)
    assert worth.area_worth(w, buffer, 0, 3, 2) == 6 * 256


def test_holes_dead_ends_and_odd_parts_are_counted(policies: Any) -> None:
    worth = policies.informed.worth
    w = worth.table((0.0, 0.0, 100.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0))
    corner = middle((-2, -1), (-1, -2))  # the corner's two neighbours: a hole
    assert worth.shape_cost(w, corner, 3) == 100 * 256
    lane = middle((-1, -2), (-1, -1), (-1, 0), (-1, 1), (-1, 2))  # the western column: two dead ends
    assert worth.shape_cost(w, lane, 3) == 2 * 256
    assert worth.odd_parts(lane) == 1, "five squares of the column; fourteen at the other side"
    assert worth.odd_parts(middle()) == 0
    assert worth.shape_cost(w, np.uint64(0), 0) == -5 * 256, "full at the end"
    assert worth.shape_cost(w, corner, 0) == 0, "nothing comes any more"


@pytest.mark.parametrize("seats", [2, 4])
def test_it_takes_what_promises_most(seats: int) -> None:
    """Looking at all placements, the policy's action is the best by the guess that ranks all actions."""
    informed = GAME.kernels().policies.informed
    buffer = np.zeros(layout.MAX_ACTIONS, np.int32)
    for state in positions(5, seats)[:: seats + 1]:
        actions = GAME.legal_actions(state).copy()
        promised = np.zeros(len(actions))
        informed.promises(state, actions, buffer, informed.WEIGHTS, promised)
        r = rng.new_stream(1, rng.ANALYSIS)
        action = informed.action(state, r, buffer, informed.WEIGHTS, np.int64(200))
        assert promised[actions.tolist().index(int(action))] == promised.max()


@pytest.mark.parametrize("seats", [2, 3])
def test_denial_counts_what_the_next_seat_loses(seats: int) -> None:
    kernels, denials = GAME.kernels(), 0
    informed, denying = kernels.policies.informed, kernels.policies.denying
    buffer, w = np.zeros(layout.MAX_ACTIONS, np.int32), informed.WEIGHTS
    for state in positions(4, seats)[:-6]:
        place, lost = denying.wanted(state, w, buffer)
        next_seat = denying.next_seat(state)
        if next_seat >= 0:  # its choices, as if it were on turn with nothing in hand
            following = state.copy()
            following[layout.PLAYER], following[layout.LAST + state[layout.TURN]] = next_seat, 0
            free = GAME.legal_actions(following).copy()
            worth = np.zeros(len(free))
            informed.promises(following, free, buffer, w, worth)
            assert lost / 256 == sorted(worth)[-1] - sorted(worth)[-2]
            assert lost == 0 or free[worth.argmax()] % layout.CHOICES == place
        actions = GAME.legal_actions(state).copy()
        promised = np.zeros(len(actions))
        informed.promises(state, actions, buffer, w, promised)
        with_denial = promised + (actions % layout.CHOICES == place) * denying.SHARE * lost / 256 / (seats - 1)
        chosen = actions.tolist().index(int(denying.action(state, rng.new_stream(1, rng.ANALYSIS), buffer, w)))
        assert with_denial[chosen] == pytest.approx(with_denial.max(), abs=0.01)
        denials += promised[chosen] < promised.max()
    assert denials > 0


def test_at_the_end_it_promises_the_points_that_come(policies: Any) -> None:
    """In the last round, within the middle: what the placement adds to areas, and 5 where the kingdom is full."""
    kernels, checked = GAME.kernels(), 0
    for seed in range(8):
        for state in positions(seed, 4)[-4:]:
            mover, actions = GAME.current_player(state), GAME.legal_actions(state).copy()
            promised = np.zeros(len(actions))
            kernels.promise.promises(state, actions, np.zeros(layout.MAX_ACTIONS, np.int32), promised)
            gained = [GAME.scores(GAME.apply(state, action))[mover] for action in actions.tolist()]
            keeps = kernels.policies.informed.keeps_to_middle(state, layout.KINGDOMS + layout.KINGDOM * mover)
            if actions[0] // layout.CHOICES != layout.NOWHERE and keeps:
                assert promised.tolist() == [points - GAME.scores(state)[mover] for points in gained]
                checked += 1
    assert checked > 10


def test_the_mighty_duel_is_played_to_its_end() -> None:
    states = positions(2, 2, GAME.options(size="7"))
    assert len(states) == 52


@pytest.mark.slow
def test_it_beats_three_fully_greedy_players() -> None:
    """Seen in 4,000 matches: 51.7 % of them won, 63.5 points to 52.5."""
    kernels, matches = GAME.kernels(), 1000
    buffer, j, points = np.zeros(kernels.MAX_ACTIONS, np.int32), np.ones(1, np.int32), np.zeros(4, np.int64)
    hero, rival = ((GAME.policy(name), GAME.policies.index(name)) for name in ("informed", "fg_plain"))
    wins = total = 0
    for number in range(matches):
        state, r = GAME.initial_state(GAME.options(), 4), rng.new_stream(9, rng.ANALYSIS, number)
        while (player := kernels.current_player(state)) != TERMINAL:
            if player == CHANCE:
                kernels.apply(state, kernels.sample_chance(state, r), j)
            else:
                choose, policy = hero if player == 0 else rival
                kernels.apply(state, choose(policy, state, r, buffer, j), j)
        kernels.scores(state, points)
        wins += int(points[0] > points[1:].max())
        total += int(points[0])
    # four standard deviations of 1,000 matches: 6.3 % of wins; a score has a deviation of 12
    assert wins / matches == pytest.approx(0.517, abs=0.063)
    assert total / matches == pytest.approx(63.5, abs=4 * 12 / matches**0.5)
