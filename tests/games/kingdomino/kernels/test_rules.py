"""One position, one rule: placing, choosing, scoring, ending."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from games.kingdomino import metrics, reading
from games.kingdomino import state as layout
from games.kingdomino.reading import Move
from games.protocol import CHANCE, IllegalActionError, State
from tests.games.kingdomino.tables import GAME, sit_down


def start(seats: int, kings: list[int], deck: list[int], **options: Any) -> State:
    """A match with known luck, at its first ply; `deck` may hold one row only."""
    state = GAME.initial_state(GAME.options(**options), seats)
    for seat in kings:
        state = GAME.apply(state, layout.KING + seat)
    return draw(state, deck)


def draw(state: State, numbers: list[int]) -> State:
    for number in numbers:
        state = GAME.apply(state, number - 1)
    return state


def play(state: State, squares: Any, chosen: int | None) -> State:
    return GAME.apply(state, reading.action(state, Move(squares, chosen)))


def first_round(state: State, choices: list[int]) -> State:
    for number in choices:
        state = play(state, None, number)
    return state


def test_kings_choose_in_the_order_drawn_and_place_in_the_order_of_numbers() -> None:
    state = start(4, [2, 0, 3, 1], [40, 5, 17, 23])
    assert reading.offered_dominoes(state) == [5, 17, 23, 40]
    players = []
    for number in (40, 5, 23, 17):
        players.append(GAME.current_player(state))
        state = play(state, None, number)
    assert players == [2, 0, 3, 1]
    assert GAME.current_player(state) == CHANCE
    state = draw(state, [1, 2, 3, 4])
    order = []
    for number in (4, 3, 2, 1):
        order.append((GAME.current_player(state), reading.to_place(state)))
        state = play(state, ((1, 0), (2, 0)), number)
    assert order == [(0, 5), (1, 17), (3, 23), (2, 40)]


def test_only_one_king_stands_on_a_domino() -> None:
    state = play(start(4, [0, 1, 2, 3], [1, 2, 3, 4]), None, 2)
    with pytest.raises(IllegalActionError):
        play(state, None, 2)


def two_kings() -> State:
    """Two seats, 48 wheat | mine 3 for seat 0 and 13 wheat | forest for seat 1 to be placed first."""
    state = first_round(start(2, [0, 1, 0, 1], [48, 13, 7, 3]), [48, 13, 7, 3])
    return draw(state, [19, 30, 41, 45])


def test_a_domino_fits_beside_the_castle_whatever_its_terrain() -> None:
    state = two_kings()  # seat 1 places 3, forest | forest
    assert reading.to_place(state) == 3
    squares = {reading.move(state, action).squares for action in GAME.legal_actions(state).tolist()}
    assert len(squares) == 12  # beside each side: one outward, two along, a double counted once
    assert ((1, 0), (2, 0)) in squares
    assert ((2, 0), (1, 0)) not in squares  # the same double turned round


def test_an_end_must_touch_its_own_terrain_elsewhere() -> None:
    state = play(two_kings(), ((1, 0), (2, 0)), 19)  # forest at 1,0 and 2,0 for seat 1
    state = play(state, ((1, 0), (2, 0)), 30)  # seat 0: lake | lake
    assert (GAME.current_player(state), reading.to_place(state)) == (1, 13)
    legal = {reading.move(state, action).squares for action in GAME.legal_actions(state).tolist()}
    assert ((4, 0), (3, 0)) in legal  # wheat outside, forest on forest
    assert ((3, 0), (4, 0)) not in legal  # wheat on forest, and the castle is far
    assert ((0, 1), (1, 1)) in legal  # wheat beside the castle


def test_a_kingdom_keeps_five_columns_with_both_squares() -> None:
    state = play(two_kings(), ((1, 0), (2, 0)), 19)
    state = play(state, ((1, 0), (2, 0)), 30)
    state = play(state, ((4, 0), (3, 0)), 41)  # columns 0 to 4
    state = play(state, None if reading.to_place(state) is None else _any_placement(state), 45)
    assert reading.bounds(state, 1) == (0, 4, 0, 0)
    state = draw(state, [2, 4, 6, 8])
    while GAME.current_player(state) != 1:
        state = GAME.apply(state, int(GAME.legal_actions(state)[0]))
    for action in GAME.legal_actions(state).tolist():
        squares = reading.move(state, action).squares
        assert squares is None or all(0 <= x <= 4 for x, _ in squares)


def _any_placement(state: State) -> Any:
    return reading.move(state, int(GAME.legal_actions(state)[0])).squares


def test_a_domino_that_fits_must_be_placed_unless_the_option_says_otherwise() -> None:
    for must_place in (True, False):
        state = first_round(start(4, [0, 1, 2, 3], [1, 2, 3, 4], must_place=must_place), [1, 2, 3, 4])
        state = draw(state, [5, 6, 7, 8])
        placements = {reading.move(state, action).squares for action in GAME.legal_actions(state).tolist()}
        assert (None in placements) is not must_place


def scored(faces: dict[tuple[int, int], tuple[str, int]]) -> list[metrics.Area]:
    squares = [reading.Square(x, y, terrain, crowns, 1) for (x, y), (terrain, crowns) in faces.items()]
    return metrics.areas(squares)


def test_areas_touch_at_sides_only_and_the_castle_does_not_join_them() -> None:
    faces = {(1, 0): ("lake", 1), (-1, 0): ("lake", 1), (1, 1): ("lake", 0), (2, 2): ("lake", 2)}
    assert [(len(area.squares), area.crowns, area.points) for area in scored(faces)] == [
        (2, 1, 2),
        (1, 2, 2),
        (1, 1, 1),
    ]


def test_middle_kingdom_counts_from_the_start_and_is_lost_beyond_reach() -> None:
    state = first_round(start(4, [0, 1, 2, 3], [1, 2, 3, 4]), [1, 2, 3, 4])
    assert GAME.scores(state) == (10, 10, 10, 10)
    state = draw(state, [13, 14, 15, 16])
    state = play(state, ((1, 0), (2, 0)), 13)
    for number in (14, 15, 16):
        state = GAME.apply(state, reading.action(state, Move(_any_placement(state), number)))
    assert GAME.scores(state)[0] == 10
    state = draw(state, [17, 18, 20, 21])
    state = play(state, ((3, 0), (4, 0)), 17)  # wheat on wheat at 2,0, out of reach of the castle
    assert GAME.scores(state)[0] == 0


@pytest.mark.parametrize(("mode", "wanted"), [("reach", 10), ("bbox", 0), ("full", 0), ("off", 0)])
def test_middle_of_an_uneven_kingdom(mode: str, wanted: int) -> None:
    state = first_round(start(4, [0, 1, 2, 3], [1, 2, 3, 4], middle=mode), [1, 2, 3, 4])
    state = play(draw(state, [13, 14, 15, 16]), ((1, 0), (2, 0)), 13)
    assert GAME.scores(state)[0] == wanted


def test_the_last_round_places_only() -> None:
    tables = sit_down(random.Random(5), 3)
    while tables.slow.round <= tables.slow.num_rows:
        tables.play(tables.slow.legal_moves()[0])
    assert reading.offered_dominoes(tables.state) == []
    assert all(reading.move(tables.state, action).chosen is None for action in tables.moves().values())
    while not tables.slow.over:
        tables.play(tables.slow.legal_moves()[0])
    assert GAME.is_terminal(tables.state)
    assert len(GAME.legal_actions(tables.state)) == 0


@pytest.mark.parametrize(("seats", "options", "plies"), [(2, {}, 28), (3, {}, 39), (4, {}, 52), (2, {"size": "7"}, 52)])
def test_plies_of_a_match(seats: int, options: dict[str, Any], plies: int) -> None:
    state = GAME.initial_state(GAME.options(**options), seats)
    r = np.array([1, 2, 3, 4], np.uint64)
    deal, count = GAME.deal(GAME.options(**options), seats, r), 0
    while not GAME.is_terminal(state):
        if GAME.current_player(state) == CHANCE:
            state = GAME.apply(state, deal.draw(state))
            continue
        on_turn = GAME.current_player(state)
        left = [GAME.plies_left(state, seat) for seat in range(seats)]
        assert sum(left) == plies - count
        assert left[on_turn] >= 1
        state = GAME.apply(state, int(GAME.legal_actions(state)[-1]))
        count += 1
    assert count == plies


def test_wrong_numbers_of_seats_are_refused() -> None:
    with pytest.raises(ValueError, match="2 to 4 seats"):
        GAME.initial_state(GAME.options(), 5)
    with pytest.raises(ValueError, match="Mighty Duel"):
        GAME.initial_state(GAME.options(size="7"), 3)


def test_official_ties_go_by_largest_area_then_crowns() -> None:
    assert metrics.tie_break(scored({(1, 0): ("lake", 1), (2, 0): ("lake", 0)})) == (2, 1)
    assert metrics.tie_break([]) == (0, 0)


def test_equal_points_share_a_place() -> None:
    tables = sit_down(random.Random(1), 2)
    while not tables.slow.over:
        tables.play(tables.slow.legal_moves()[0])
    points = GAME.scores(tables.state)
    assert GAME.ranks(tables.state) == tuple(1 + sum(other > own for other in points) for own in points)
