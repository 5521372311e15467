import itertools

import pytest

from worker import schedule
from worker import spec as specs
from worker.spec import seatings

SCRIPTED, SHREWD = {"engine": "scripted"}, {"engine": "shrewd"}


@pytest.mark.parametrize(
    ("line_up", "number"),
    [("AB", 2), ("AA", 1), ("ABB", 3), ("AAA", 1), ("ABAB", 2), ("AABB", 4), ("ABCB", 4), ("AAAA", 1), ("ABABAB", 2)],
)
def test_seatings_by_hand(line_up, number):
    assert seatings.period(line_up) == number
    assert seatings.num_seatings(seatings.ALL, line_up) == seatings.num_sides(seatings.ALL, line_up) == number


def test_without_rotation_no_place_is_exchanged():
    assert (seatings.num_seatings(seatings.NONE, "ABAB"), seatings.num_sides(seatings.NONE, "ABAB")) == (1, 4)


def test_records_of_before_have_every_rotation_and_the_same_sides():
    assert (seatings.num_seatings(seatings.TURNS, "ABAB"), seatings.num_sides(seatings.TURNS, "ABAB")) == (4, 2)


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_seatings_are_those_rotations_that_differ(size):
    """The rule, against all line-ups of up to three engines and the seats where they come to sit."""
    for line_up in itertools.product("ABC", repeat=size):
        seated = [tuple(line_up[place] for place in schedule.lineup(size, rotation)) for rotation in range(size)]
        number = seatings.period(line_up)
        assert len(set(seated)) == len(set(seated[:number])) == number
        for side in range(number):
            seats = sorted(
                schedule.lineup(size, rotation).index(place)
                for rotation in range(number)
                for place in range(side, size, number)
            )
            assert seats == list(range(size)), "a side sits in every seat once"


@pytest.fixture
def equal_partners():
    return {
        "version": 1,
        "game": "dominoes",
        "seats": 4,
        "options": {"length": "round"},
        "arms": [{"name": "Shrewd against greedy", "seats": [SHREWD, SCRIPTED] * 2}],
        "deals": 150,
        "seed": 935021,
        "record": "matches",
    }


def test_equal_partners_are_scheduled_once(equal_partners):
    spec = specs.from_json(equal_partners)
    assert (spec.num_seatings(0), spec.num_matches) == (2, 300)
    assert {(match.rotation, match.lineup) for match in schedule.expand(spec)} == {(0, (0, 1, 2, 3)), (1, (3, 0, 1, 2))}


def test_what_was_scheduled_before_stays_what_it_was(equal_partners):
    before = specs.from_json(equal_partners | {"rotation": "turns"})
    assert (before.num_matches, specs.to_json(before)["rotation"]) == (600, "turns")
    matches = {(m.deal, m.rotation): m for m in schedule.expand(before)}
    for match in schedule.expand(specs.from_json(equal_partners)):
        assert matches[match.deal, match.rotation] == match


def test_arms_may_have_different_seatings(dice):
    spec = specs.from_json(dice(("taker", "taker"), ("taker", "dicer"), deals=3))
    assert [spec.num_seatings(arm) for arm in (0, 1)] == [1, 2]
    assert spec.num_matches == 9
    assert [(m.arm, m.deal, m.rotation) for m in schedule.expand(spec)] == [
        *((0, deal, 0) for deal in range(3)),
        *((1, deal, rotation) for deal in range(3) for rotation in range(2)),
    ]
