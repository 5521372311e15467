import itertools

from games.carcassonne.board.geometry import tile_facts, tile_shape
from games.carcassonne.play import spelling
from games.carcassonne.reading import Placement
from tests.looping import looped

TYPES = sorted(tile_facts())


def labels(letter, rotation):
    return {name: spelling.segment_label(letter, rotation, name) for name in tile_shape(letter).spots}


@looped("letter, rotation", list(itertools.product(TYPES, range(4))))
def test_segments_of_a_tile_have_different_names_however_it_lies(letter, rotation):
    named = labels(letter, rotation)
    sentences = {spelling.segment_sentence(letter, rotation, name) for name in named}
    assert len(set(named.values())) == len(sentences) == len(named)


def test_the_only_one_of_its_kind_needs_no_direction():
    assert labels("A", 0) == {"road0": "Road", "monastery": "Monastery", "field0": "Field"}


@looped(
    "letter, rotation, expected",
    [
        ("D", 0, {"city0": "City", "road0": "Road", "field0": "Field north", "field1": "Field south"}),
        ("D", 1, {"city0": "City", "road0": "Road", "field0": "Field east", "field1": "Field west"}),
        ("I", 0, {"city0": "City north", "city1": "City east", "field0": "Field"}),
        ("I", 3, {"city0": "City west", "city1": "City north", "field0": "Field"}),
        ("V", 0, {"road0": "Road", "field0": "Field north-east", "field1": "Field south-west"}),
        ("V", 1, {"road0": "Road", "field0": "Field south-east", "field1": "Field north-west"}),
        ("P", 2, {"city0": "City", "road0": "Road", "field0": "Field south-east", "field1": "Field north-west"}),
    ],
)
def test_directions_are_those_that_one_sees(letter, rotation, expected):
    assert labels(letter, rotation) == expected


def test_a_crossing_has_a_road_to_each_side_and_a_field_in_each_corner():
    named = labels("X", 0)
    assert {named[f"road{i}"] for i in range(4)} == {"Road north", "Road east", "Road south", "Road west"}
    corners = {f"Field {corner}" for corner in ("north-west", "north-east", "south-east", "south-west")}
    assert {named[f"field{i}"] for i in range(4)} == corners


def test_an_action_is_a_place_a_turn_and_a_meeple():
    place, turn, meeple = spelling.parts(Placement("D", -1, 2, 1, "field1"))
    label = "Column \N{MINUS SIGN}1, row 2"
    assert (place.name, place.value, place.element, place.label) == ("cell", "-1,2", "legal--1-2", label)
    assert (turn.name, turn.value, turn.element, turn.label) == ("rotation", "1", "legal--1-2", "Turned 90°")
    assert (meeple.name, meeple.value, meeple.element, meeple.label) == (
        "meeple",
        "field1",
        "spot--1-2-1-field1",
        "Field west",
    )


def test_no_turn_and_no_meeple_are_said_in_words():
    _, turn, meeple = spelling.parts(Placement("D", 0, 1, 0, None))
    assert turn.label == "Not turned"
    assert (meeple.value, meeple.element, meeple.label) == ("none", "", "No meeple")


def test_a_meeple_is_put_on_something():
    assert spelling.segment_sentence("A", 0, "monastery") == "Put a meeple on the monastery."
    assert spelling.segment_sentence("X", 1, "field0") == "Put a meeple on the field in the north-east."


@looped(
    "away, rotation, name",
    [
        ((1, 0), 0, "east"),
        ((1, 0), 1, "south"),
        ((0, -1), 0, "north"),
        ((0, -1), 3, "west"),
        ((-3, -2), 2, "south-east"),
    ],
)
def test_a_direction_turns_clockwise_with_the_tile(away, rotation, name):
    assert spelling.compass(away, rotation) == name
