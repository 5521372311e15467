from dataclasses import replace

import pytest

from games.kingdomino import reading
from games.kingdomino import state as layout
from games.kingdomino.play import dead_squares
from tests.games.kingdomino.matches import GAME, turns, walk

DISCARDS = 3
"""Seeds of random matches, in which many squares are walled in."""


def covered(state, seat):
    return {(square.x, square.y) for square in reading.kingdom(state, seat)}


@pytest.mark.long
def test_what_is_dead_is_never_covered_and_stays_dead():
    dead = 0
    for seed in range(1, DISCARDS + 1):
        states = turns(4, seed)
        for seat in range(4):
            end, before = covered(states[-1], seat), set()
            for state in states:
                now = set(dead_squares.dead_squares(state, seat))
                assert before <= now
                assert not now & end, "somebody laid a domino there"
                before = now
            dead += len(before)
    assert dead > 0


def test_a_square_walled_in_is_dead_and_one_with_room_beside_it_is_not():
    for state in turns(2, 2):
        seat, limit = int(state[layout.PLAYER]), int(state[layout.LIMIT])
        west, east, north, south = reading.bounds(state, seat)
        laid = covered(state, seat) | {(0, 0)}
        for x, y in [(x, y) for x in range(west, east + 1) for y in range(north, south + 1) if (x, y) not in laid]:
            is_walled_in = all(near in laid for near in dead_squares.neighbours((x, y)))
            assert not is_walled_in or (x, y) in dead_squares.dead_squares(state, seat)
        if east - west < limit - 2 and south - north < limit - 2:
            assert dead_squares.dead_squares(state, seat) == [], "the kingdom still grows to every side"


def test_two_squares_walled_in_are_dead_once_no_domino_left_fits_there():
    kingdom = {(0, 0): reading.CASTLE} | dict.fromkeys([(1, -1), (2, -1), (1, 1), (2, 1), (3, 0)], "wheat")
    box, pair = (0, 3, -1, 1), ((1, 0), (2, 0))
    assert dead_squares._Kingdom(kingdom, box, 5, frozenset([("lake", "mine")])).can_hold(*pair), (
        "beside the castle all fits"
    )
    without = kingdom | {(-1, 0): reading.CASTLE, (0, 0): "swamp"}
    box = (-1, 3, -1, 1)
    assert not dead_squares._Kingdom(without, box, 5, frozenset([("lake", "mine")])).can_hold(*pair)
    assert dead_squares._Kingdom(without, box, 5, frozenset([("lake", "wheat")])).can_hold(*pair)


def test_dominoes_that_no_row_brings_any_more_cover_nothing():
    crossed = 0
    for state in turns(2, 2):
        if state[layout.ROUND] <= state[layout.NUM_ROWS]:
            continue
        assert reading.undrawn_dominoes(state), "half of them never come"
        for seat in (0, 1):
            laid = covered(state, seat) | {(0, 0)}
            waiting = [place for place in range(int(state[layout.TURN]), 4) if state[layout.OWNER + place] == seat + 1]
            left = {int(state[layout.LAST + place]) for place in waiting}
            assert set(dead_squares._left(state, seat)) == left
            if not left:
                crossed += len(dead_squares.dead_squares(state, seat))
                beside = {near for cell in laid for near in dead_squares.neighbours(cell)} - laid
                west, east, north, south = reading.bounds(state, seat)
                inside = {(x, y) for x, y in beside if west <= x <= east and north <= y <= south}
                assert inside <= set(dead_squares.dead_squares(state, seat))
    assert crossed


def test_the_last_domino_must_touch_what_lies_there():
    kingdom, far = {(0, 0): reading.CASTLE, (1, 0): "wheat"}, ((2, 0), (3, 0))
    last = dead_squares._Kingdom(kingdom, (0, 1, 0, 0), 5, frozenset([("lake", "mine")]), has_one=True)
    assert not last.can_hold(*far)
    assert last.can_hold((-1, 0), (-2, 0)), "beside the castle"
    assert replace(last, has_one=False).can_hold(*far), "another may come first"
    assert not replace(last, faces=frozenset()).can_hold((-1, 0), (-2, 0))


def test_nothing_is_dead_once_the_match_is_over():
    end = walk(4)[-1][0]
    assert all(dead_squares.dead_squares(end, seat) == [] for seat in range(4))


def test_crosses_stand_on_the_squares_that_are_dead():
    state = next(state for state in reversed(turns(4)) if dead_squares.dead_squares(state, 0))
    svg = GAME.play_svg(state, seat=0, theme="page", prefix="")
    assert 'data-aid="dead"' in svg
    assert svg.count('href="#dead"') >= len(dead_squares.dead_squares(state, 0))
