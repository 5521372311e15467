"""One rule a test, by hand, on the real game and on the slow reference alike.

The start tile D lies at (0, 0): city to the north, road from east to west, field to the south.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from games import rng
from games.carcassonne.deal import TileDeal
from tests.games import walks
from tests.games.carcassonne.tables import GameTable, ReferenceTable
from tests.looping import looped

TableMaker = Callable[..., ReferenceTable | GameTable]

MONASTERY_RING = (
    "B 0,1 0° monastery",
    "U 1,0 90°",
    "U -1,0 90°",
    "E 1,1 90°",
    "E -1,1 270°",
    "E 0,2 180°",
    "E 1,2 90°",
    "E -1,2 270°",
)
"""Seat 0 claims the monastery below the start tile; seat 1 lays the last of its neighbours."""

RING_ALONE = ("U 1,0 90°", "U -1,0 90°", "E 1,1 90°", "E -1,1 270°", "E 1,2 90°", "E -1,2 270°", "E 0,2 180°")
"""Seven tiles round the empty place below the start tile, all with fields towards it."""

SEVEN_CLAIMS = (
    "B 0,1 0° monastery",
    "U 1,0 90°",
    "B 0,2 0° monastery",
    "U 2,0 90°",
    "B 0,3 0° monastery",
    "U 3,0 90°",
    "B 0,4 0° monastery",
    "U 4,0 90°",
    "A 0,5 0° monastery",
    "U 5,0 90°",
    "A 0,6 180° monastery",
    "U 6,0 90°",
    "M 0,-1 90° city0",
    "U 7,0 90°",
)
"""Seat 0 sets all seven meeples, the last in a city that an E at (1, -1) finishes."""

THREE_CITIES = (
    "U 1,0 90°",
    "U -1,0 90°",
    "E 1,-1 270° city0",
    "E -1,-1 90° city0",
    "E 1,-2 0°",
    "U 2,0 90°",
    "E 0,-2 180° city0",
)
"""Cities on all four sides of (0, -1): seat 0 claims east and north, seat 1 west, nobody south."""


@pytest.fixture(params=[ReferenceTable, GameTable], ids=["reference", "game"])
def new_table(request: pytest.FixtureRequest) -> TableMaker:
    return request.param


def segments_at(table: ReferenceTable | GameTable, letter: str, x: int, y: int, rotation: int) -> set[str | None]:
    """Draw a tile; what may be claimed with it at one place (None: no meeple)."""
    assert table.draw(letter)
    return {segment for mx, my, mr, segment in table.moves() if (mx, my, mr) == (x, y, rotation)}


# ---- Cities


def test_free_city_may_be_claimed_by_the_tile_that_finishes_it(new_table: TableMaker) -> None:
    table = new_table()
    table.play("E 0,-1 180° city0")
    assert table.events == [("city", 4, (0,), ((0, -1), (0, 0)), (0,))]
    assert (table.points, table.in_hand) == ([4, 0], [7, 7])


def test_city_of_two_tiles_is_worth_two_when_it_counts_half(new_table: TableMaker) -> None:
    table = new_table(two_tile_city="half")
    table.play("E 0,-1 180° city0")
    assert table.points == [2, 0]


def test_city_of_three_tiles_counts_in_full_when_two_count_half(new_table: TableMaker) -> None:
    table = new_table(two_tile_city="half")
    table.play("N 0,-1 90° city0", "E 1,-1 270°")
    assert table.points == [6, 0]


def test_pennant_is_worth_two_in_a_finished_city(new_table: TableMaker) -> None:
    table = new_table()
    table.play("M 0,-1 90° city0", "E 1,-1 270°")
    assert table.points == [8, 0]


def test_unfinished_city_is_worth_half(new_table: TableMaker) -> None:
    table = new_table()
    table.play("M 0,-1 90° city0")
    assert (table.points, table.projected) == ([0, 0], [3, 0])


def test_finished_city_without_a_meeple_scores_nothing(new_table: TableMaker) -> None:
    table = new_table()
    table.play("E 0,-1 180°")
    assert (table.events, table.points, table.projected) == ([], [0, 0], [0, 0])


def test_city_that_closes_on_itself_is_finished(new_table: TableMaker) -> None:
    table = new_table()
    table.play("N 0,1 90° city0", "N 1,1 180°", "N 1,2 270°", "M 0,2 0°")
    assert table.events == [("city", 10, (0,), ((0, 1), (0, 2), (1, 1), (1, 2)), (0,))]


def test_tile_with_two_segments_in_one_city_counts_once(new_table: TableMaker) -> None:
    table = new_table()
    table.play("N 0,1 90° city0", "N 1,1 180°", "N 1,2 270°", "I 0,2 0°")
    assert table.events == [("city", 8, (0,), ((0, 1), (0, 2), (1, 1), (1, 2)), (0,))]


def test_tile_with_two_segments_counts_once_when_others_join_them(new_table: TableMaker) -> None:
    table = new_table()
    table.play("I 0,1 90° city0", "E -1,1 180°", "N 1,1 180°", "N 0,2 0°", "N 1,2 270°")
    assert table.points == [8, 0]


# ---- Roads


def test_ring_road_is_finished(new_table: TableMaker) -> None:
    table = new_table()
    table.play("V 0,1 270° road0", "V 1,1 0°", "V 1,2 90°", "V 0,2 180°")
    assert table.events == [("road", 4, (0,), ((0, 1), (0, 2), (1, 1), (1, 2)), (0,))]
    assert table.in_hand == [7, 7]


def test_road_ends_at_a_crossing(new_table: TableMaker) -> None:
    table = new_table()
    table.play("U 1,0 90° road0", "X 2,0 0°", "W -1,0 0°")
    assert table.events == [("road", 4, (0,), ((-1, 0), (0, 0), (1, 0), (2, 0)), (0,))]


def test_roads_that_meet_at_a_crossing_are_separate(new_table: TableMaker) -> None:
    table = new_table()
    table.play("U 1,0 90° road0")
    roads = {segment for segment in segments_at(table, "X", 2, 0, 0) if segment and segment.startswith("road")}
    assert roads == {"road0", "road1", "road2"}


def test_road_ends_at_a_monastery_and_at_a_city(new_table: TableMaker) -> None:
    table = new_table()
    table.play("A 1,0 90° road0", "S -1,0 270°")
    assert table.events == [("road", 3, (0,), ((-1, 0), (0, 0), (1, 0)), (0,))]


def test_crossing_at_both_ends_of_one_road_counts_once(new_table: TableMaker) -> None:
    table = new_table()
    table.play("W 0,1 0° road0", "V 1,1 0°", "V 1,2 90°", "V 0,2 180°")
    assert table.events == [("road", 4, (0,), ((0, 1), (0, 2), (1, 1), (1, 2)), (0,))]


def test_unfinished_road_is_worth_one_a_tile(new_table: TableMaker) -> None:
    table = new_table()
    table.play("U 1,0 90° road0", "U 2,0 90°")
    assert (table.points, table.projected) == ([0, 0], [3, 0])


# ---- Monasteries


def test_monastery_is_worth_nine_though_the_opponent_finishes_it(new_table: TableMaker) -> None:
    table = new_table()
    table.play(*MONASTERY_RING)
    assert table.events == [("monastery", 9, (0,), ((0, 1),), (0,))]
    assert (table.points, table.in_hand) == ([9, 0], [7, 7])


@looped("num_neighbours", range(1, 8))
def test_unfinished_monastery_is_worth_one_and_its_neighbours(new_table: TableMaker, num_neighbours: int) -> None:
    table = new_table()
    table.play(*MONASTERY_RING[:num_neighbours])
    assert (table.points, table.projected) == ([0, 0], [1 + num_neighbours, 0])


def test_monastery_laid_into_the_last_gap_pays_at_once(new_table: TableMaker) -> None:
    table = new_table()
    table.play(*RING_ALONE, "B 0,1 0° monastery")
    assert table.events == [("monastery", 9, (1,), ((0, 1),), (1,))]


# ---- Fields


def test_field_is_worth_three_for_each_finished_city(new_table: TableMaker) -> None:
    table = new_table()
    table.play("E 0,-1 180° field0", "E 0,-2 0°", "E 0,-3 180°")
    assert (table.points, table.projected) == ([0, 0], [6, 0])


def test_field_beside_an_unfinished_city_is_worth_nothing(new_table: TableMaker) -> None:
    table = new_table()
    table.play("N 0,-1 90° field0")
    assert table.projected == [0, 0]


def test_field_touching_a_city_twice_counts_it_once(new_table: TableMaker) -> None:
    table = new_table()
    table.play("N 0,1 90°", "N 1,1 180°", "N 1,2 270°", "I 0,2 0° field0")
    assert table.projected == [0, 3]


def test_farmer_never_comes_home(new_table: TableMaker) -> None:
    table = new_table()
    table.play("E 0,-1 180° field0", "U 1,0 90°", "U -1,0 90°")
    assert table.in_hand == [6, 7]


def test_road_parts_two_fields(new_table: TableMaker) -> None:
    table = new_table()
    table.play("U 1,0 90° field0")
    assert segments_at(table, "U", 2, 0, 1) == {None, "road0", "field1"}


# ---- Majorities


def test_tie_gives_all_points_to_everyone(new_table: TableMaker) -> None:
    table = new_table()
    table.play("W 0,1 0° road0", "V 0,2 180° road0", "V 1,1 0°", "V 1,2 90°")
    assert table.events == [("road", 4, (0, 1), ((0, 1), (0, 2), (1, 1), (1, 2)), (0, 1))]
    assert (table.points, table.in_hand) == ([4, 4], [7, 7])


def test_majority_takes_all_points_of_a_joined_feature(new_table: TableMaker) -> None:
    table = new_table()
    table.play(*THREE_CITIES, "C 0,-1 0°")
    tiles = ((-1, -1), (0, -2), (0, -1), (0, 0), (1, -1))
    assert table.events == [("city", 12, (0,), tiles, (0, 0, 1))]
    assert (table.points, table.in_hand) == ([12, 0], [7, 7])


def test_three_seats_share_a_tie(new_table: TableMaker) -> None:
    table = new_table(3)
    table.play("U 1,0 90°", "U -1,0 90°", "E 1,-1 270° city0", "E -1,-1 90° city0")
    table.play("E 1,-2 0°", "U 2,0 90°", "U 3,0 90°", "E 0,-2 180° city0", "C 0,-1 0°")
    assert table.points == [12, 12, 12]


def test_tie_on_a_field_gives_all_points_to_everyone(new_table: TableMaker) -> None:
    table = new_table()
    table.play("E 0,-1 180° field0", "U 1,0 90° field0", "V 1,-1 180°")
    assert table.projected == [3, 3]


# ---- Meeples


def test_claimed_feature_cannot_be_claimed_by_extending_it(new_table: TableMaker) -> None:
    table = new_table()
    table.play("U 1,0 90° road0")
    assert segments_at(table, "U", 2, 0, 1) == {None, "field0", "field1"}


def test_claim_reaches_through_the_tiles_between(new_table: TableMaker) -> None:
    table = new_table()
    table.play("U 1,0 90° road0", "U 2,0 90°")
    assert segments_at(table, "U", -1, 0, 1) == {None, "field0", "field1"}


def test_both_segments_of_one_free_feature_may_be_claimed(new_table: TableMaker) -> None:
    table = new_table()
    table.play("N 0,1 90°", "N 1,1 180°", "N 1,2 270°")
    assert segments_at(table, "I", 0, 2, 0) == {None, "city0", "city1", "field0"}


def test_second_segment_of_a_claimed_feature_is_claimed_too(new_table: TableMaker) -> None:
    table = new_table()
    table.play("N 0,1 90° city0", "N 1,1 180°", "N 1,2 270°")
    assert segments_at(table, "I", 0, 2, 0) == {None, "field0"}


def test_segment_joined_to_a_claimed_field_by_another_segment_of_its_tile(new_table: TableMaker) -> None:
    """The field north of the gap is free, the one south of it claimed: round the monastery both become one."""
    table = new_table()
    table.play("B 0,1 0° field0", "E 0,-1 180°", "B 1,-1 0°", "B 2,-1 0°", "A 2,0 90°")
    assert segments_at(table, "U", 1, 0, 1) == {None, "road0"}


def test_only_no_meeple_is_legal_with_none_in_hand(new_table: TableMaker) -> None:
    table = new_table()
    table.play(*SEVEN_CLAIMS)
    assert (table.turn, table.in_hand) == (0, [0, 7])
    assert table.draw("E")
    moves = table.moves()
    assert {segment for *_, segment in moves} == {None}
    assert (1, -1, 3, None) in moves


def test_meeple_that_comes_home_cannot_be_used_in_the_same_ply(new_table: TableMaker) -> None:
    table = new_table()
    table.play(*SEVEN_CLAIMS)
    assert segments_at(table, "E", 1, -1, 3) == {None}
    table.lay((1, -1, 3, None))
    assert (table.points, table.in_hand) == ([8, 0], [1, 7])


def test_meeple_that_came_home_can_be_used_in_the_next_ply(new_table: TableMaker) -> None:
    table = new_table()
    table.play(*SEVEN_CLAIMS, "E 1,-1 270°", "V 0,7 0°")
    assert table.turn == 0
    assert table.draw("V")
    assert {segment for *_, segment in table.moves()} > {None}


# ---- Laying tiles


def test_tile_must_touch_and_match_every_neighbour(new_table: TableMaker) -> None:
    table = new_table()
    assert table.draw("U")
    assert {move[:3] for move in table.moves()} == {(1, 0, 1), (-1, 0, 1), (0, 1, 1)}


def test_turns_that_look_alike_are_listed_once(new_table: TableMaker) -> None:
    table = new_table()
    assert table.draw("B")
    assert {move[:3] for move in table.moves()} == {(0, 1, 0)}


def test_gap_between_four_tiles_takes_only_what_matches_all_sides(new_table: TableMaker) -> None:
    for letter, fits in (("B", True), ("A", False), ("V", False), ("N", False)):
        table = new_table()
        table.play(*RING_ALONE)
        assert table.draw(letter)
        assert any((x, y) == (0, 1) for x, y, *_ in table.moves()) == fits, letter


# ---- Drawing and ending


def test_tile_that_fits_nowhere_goes_back(new_table: TableMaker) -> None:
    table = new_table(unplaceable="return")
    table.play("E 0,-1 180°")
    assert not table.draw("C")
    assert table.turn == 1
    table.play("N 0,-2 0°")
    assert table.draw("C"), "the returned tile can be drawn again"


def test_tile_that_fits_nowhere_is_out_of_the_match(new_table: TableMaker) -> None:
    table = new_table(unplaceable="discard")
    table.play("E 0,-1 180°")
    assert "C" in table.drawable
    assert not table.draw("C")
    assert table.turn == 1
    assert "C" not in table.drawable
    table.play("N 0,-2 0°")
    assert "C" not in table.drawable


def test_only_tiles_that_fit_are_drawn_when_the_others_go_back(new_table: TableMaker) -> None:
    table = new_table(unplaceable="return")
    table.play("E 0,-1 180°")
    assert "C" not in table.drawable
    assert table.drawable["V"] == pytest.approx(9 / 69)


def test_match_ends_when_no_tile_left_fits(new_table: TableMaker) -> None:
    sealed = json.loads((Path(__file__).parent.parent / "sealed_match.json").read_text())
    table = new_table()
    table.play(*sealed["moves"][:-1])
    assert not table.over
    table.play(sealed["moves"][-1])
    assert table.over
    assert table.points == table.projected == sealed["points"]


def test_a_tile_that_goes_back_may_be_the_next_one_again() -> None:
    table = GameTable(unplaceable="return")
    table.play("E 0,-1 180°")
    game, unfit, again = walks.game_of("carcassonne"), table.outcome("C"), 0
    for seed in range(200):
        deal, last, left = TileDeal(game.kernels(), True, rng.new_stream(seed, rng.DEAL)), -1, 71
        while left > 1:  # with one tile left there is no other place
            drawn = deal.draw(table.state)
            again += drawn == last == unfit
            left -= drawn != unfit
            last = drawn
    assert again > 0
