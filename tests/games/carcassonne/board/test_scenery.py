import itertools
import re

from games.carcassonne.board.curves import inside, points_array, turn
from games.carcassonne.board.geometry import tile_facts, tile_shape
from games.carcassonne.board.scenery import VARIANTS, scenery
from tests.looping import looped

TYPES = sorted(tile_facts())


def things(letter, rotation, variant):
    """(symbol, foot) of what stands on a tile."""
    drawn = scenery(letter, rotation, variant)
    loose = re.findall(r'<use href="#.([a-z]\d|tw|gt)" x="(\d+)" y="(\d+)"', drawn)
    return [(symbol, (float(x), float(y))) for symbol, x, y in loose]


@looped("letter", TYPES)
def test_houses_stand_in_cities_and_plants_in_fields(letter):
    shape = tile_shape(letter)
    for rotation, variant in itertools.product(range(4), range(VARIANTS)):
        cities = [[turn(p, rotation) for p in shape.regions[name]] for name in shape.cities]
        for symbol, foot in things(letter, rotation, variant):
            in_city = any(inside(points_array([foot]), city)[0] for city in cities)
            if symbol[0] in "hn":
                assert in_city == (symbol[0] == "h"), (symbol, foot)


@looped("letter", TYPES)
def test_things_that_carry_rules_are_drawn(letter):
    facts, drawn = tile_facts()[letter], scenery(letter, 0, 0)
    ends = {road["end"] for road in facts["roads"]}
    for symbol, expected in (
        ("pn", facts["pennant"]),
        ("ch", facts["monastery"]),
        ("vl", "crossing" in ends),
        ("gt", "city" in ends),
    ):
        assert (f'{symbol}"' in drawn) == expected, symbol


def test_every_city_has_houses():
    for letter, rotation, variant in itertools.product(TYPES, range(4), range(VARIANTS)):
        houses = sum(symbol[0] == "h" for symbol, _ in things(letter, rotation, variant))
        assert houses >= len(tile_shape(letter).cities), (letter, rotation, variant)


def test_variants_differ():
    assert len({scenery("V", 0, variant) for variant in range(VARIANTS)}) == VARIANTS
