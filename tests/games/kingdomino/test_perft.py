"""Numbers of move sequences with fixed luck, counted by the reference and by the kernels."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from games.protocol import CHANCE, State
from tests.games.kingdomino.reference import Match
from tests.games.kingdomino.tables import GAME, sit_down
from tests.looping import looped


def count_by_reference(match: Match, depth: int) -> int:
    if match.over:
        return 0
    moves = match.legal_moves()
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        after = copy.deepcopy(match)
        after.play(move)
        total += count_by_reference(after, depth - 1)
    return total


def count_by_game(state: State, draws: list[int], depth: int) -> int:
    drawn = 0
    while GAME.current_player(state) == CHANCE:
        state = GAME.apply(state, draws[drawn])
        drawn += 1
    actions = GAME.legal_actions(state)
    if depth == 1:
        return len(actions)
    return sum(count_by_game(GAME.apply(state, int(action)), draws[drawn:], depth - 1) for action in actions)


# seats, rules, plies played at random first, sequences of 1, 2, ... moves
CASES: list[tuple[int, dict[str, Any], int, tuple[int, ...]]] = [
    (4, {}, 0, (4, 12, 24, 24, 2304)),
    (4, {}, 30, (18, 54, 216)),
    (2, {}, 12, (40, 1200, 21600)),
    (3, {"must_place": False}, 20, (5, 60, 1200)),
    (2, {"size": 7}, 30, (28, 28)),
    (4, {}, 46, (2, 12, 16, 16, 16, 22)),
    (3, {"three_seats": "48"}, 0, (4, 12, 24, 1152)),
    (3, {"three_seats": "48"}, 30, (4, 24, 240, 1392)),
]


@pytest.mark.long
@looped("seats, rules, plies, counts", CASES)
def test_game_counts_as_many_sequences(seats: int, rules: dict[str, Any], plies: int, counts: tuple[int, ...]) -> None:
    tables = position(seats, rules, plies)
    for depth, count in enumerate(counts, 1):
        assert count_by_game(tables.state, tables.draws, depth) == count, f"depth {depth}"


@pytest.mark.long
@looped("seats, rules, plies, counts", CASES)
def test_stored_counts_are_the_reference_s(
    seats: int, rules: dict[str, Any], plies: int, counts: tuple[int, ...]
) -> None:
    tables = position(seats, rules, plies)
    for depth, count in enumerate(counts[:-1], 1):
        assert count_by_reference(tables.slow, depth) == count, f"depth {depth}"


def position(seats: int, rules: dict[str, Any], plies: int) -> Any:
    rng = random.Random(17)
    tables = sit_down(rng, seats, **rules)
    for _ in range(plies):
        tables.play(rng.choice(sorted(tables.slow.legal_moves(), key=str)))
    return tables
