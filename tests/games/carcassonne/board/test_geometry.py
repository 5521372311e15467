import itertools

import numpy as np
import pytest

from games.carcassonne.board.curves import distance, inside, points_array, sample
from games.carcassonne.board.geometry import EDGES, HALVES, MIDDLES, RIM, tile_facts, tile_shape
from tests.looping import looped

TYPES = sorted(tile_facts())
GRID = points_array(list(itertools.product(np.arange(1.37, 100, 2.9), repeat=2)))


def fine(curve):
    return sample(curve, 60)


def test_the_set_has_24_types_and_72_tiles_marked_as_base():
    assert len(TYPES) == 24
    assert sum(tile["count"] for tile in tile_facts().values()) == 72
    assert {tile["set"] for tile in tile_facts().values()} == {"base"}


@looped("letter", TYPES)
def test_cities_and_fields_partition_the_tile(letter):
    shape = tile_shape(letter)
    owners = sum(inside(GRID, region).astype(int) for region in shape.regions.values())
    np.testing.assert_array_equal(owners, 1)


@looped("letter", TYPES)
def test_every_edge_half_borders_the_segment_that_the_facts_name(letter):
    shape = tile_shape(letter)
    facts = shape.facts
    owner = {half: field["id"] for field in facts["fields"] for half in field["half_edges"]}
    owner |= {f"{edge}{side}": city["id"] for city in facts["cities"] for edge in city["edges"] for side in "LR"}
    for i, half in enumerate(HALVES):
        middle = (points_array([RIM[i]]) + points_array([RIM[(i + 1) % 8]])) / 2
        just_inside = middle + (50 - middle) * 0.04
        assert inside(just_inside, shape.regions[owner[half]])[0], half


@looped("letter", TYPES)
def test_meeple_spots_lie_in_their_segment(letter):
    shape = tile_shape(letter)
    facts = shape.facts
    segments = [s["id"] for kind in ("cities", "roads", "fields") for s in facts[kind]]
    assert set(shape.spots) == {*segments, *(["monastery"] if facts["monastery"] else [])}
    for name, spot in shape.spots.items():
        point = points_array([spot])
        if name in shape.regions:
            assert inside(point, shape.regions[name])[0], name
            assert distance(point, shape.regions[name])[0] > 6, name
        elif name in shape.roads:
            assert distance(point, fine(shape.roads[name]))[0] < 2, name
        else:
            assert spot == (50, 50)


@looped("letter", TYPES)
def test_a_farmer_keeps_off_the_roads(letter):
    shape = tile_shape(letter)
    for field, (name, curve) in itertools.product(shape.facts["fields"], shape.roads.items()):
        assert distance(points_array([shape.spots[field["id"]]]), fine(curve))[0] > 12, name


@looped("letter", TYPES)
def test_shields_hang_in_cities_with_a_pennant_and_leave_room_for_a_meeple(letter):
    shape = tile_shape(letter)
    assert set(shape.shields) == {city["id"] for city in shape.facts["cities"] if city["pennant"]}
    for name, spot in shape.shields.items():
        assert inside(points_array([spot]), shape.regions[name])[0]
        assert distance(points_array([spot]), [shape.spots[name]])[0] > 12


@looped("letter", TYPES)
def test_roads_cross_their_edges_in_the_middle_at_right_angles(letter):
    shape = tile_shape(letter)
    for road in shape.facts["roads"]:
        curve = shape.roads[road["id"]]
        for edge, end, beside in zip(road["edges"], (curve[0], curve[-1]), (curve[1], curve[-2]), strict=False):
            assert end == MIDDLES[EDGES.index(edge)]
            across = 0 if edge in "NS" else 1
            assert beside[across] == end[across]


def test_two_cities_of_one_tile_do_not_touch_but_in_a_corner():
    for letter in "HI":
        first, second = (tile_shape(letter).regions[name] for name in tile_shape(letter).cities)
        away = [p for p in first if min(p[0], 100 - p[0]) + min(p[1], 100 - p[1]) > 25]
        assert distance(points_array(away), second).min() > 2


def test_an_unknown_type_is_refused_by_name():
    with pytest.raises(ValueError, match="no tile type 'Z'"):
        tile_shape("Z")
