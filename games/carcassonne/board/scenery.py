"""Upright things on a tile: houses, trees, towers, gates, church, village, shield.

The ground turns with the tile, scenery does not, so that roofs and light agree over the whole
board. Plants and houses are strewn by a generator seeded with type, rotation and variant.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache

from games.carcassonne.board.curves import Point, Points, Polygon, dense, distance, inside, points_array, sample, turn
from games.carcassonne.board.geometry import CENTRE, TileShape, tile_shape
from games.svg import tag, use

VARIANTS = 3
"""Number of looks that each tile type has in each rotation."""

_PLANTS = ("n0", "n0", "n0", "n1", "n1", "n1", "n2", "n2", "n3", "n3", "n3")
_FARMING = ("n4", "n4", "n5", "n5", "n6")

Thing = tuple[float, float, str]
"""Foot and symbol of something that stands on the tile."""


class _Turned:
    """A tile's shapes as it lies, for asking where there is room."""

    def __init__(self, shape: TileShape, rotation: int) -> None:
        def turned(points: Sequence[Point]) -> Polygon:
            return [turn(point, rotation) for point in points]

        self.roads = [turned(dense(sample(curve))) for curve in shape.roads.values()]
        self.road_ends = [
            turn(sample(shape.roads[road["id"]])[-1], rotation)
            for road in shape.facts["roads"]
            if road["end"] == "city"
        ]
        self.walls = [turned(sample(wall, 18)) for wall in shape.walls]
        self.cities = {name: turned(shape.regions[name]) for name in shape.cities}
        self.spots = {name: turn(spot, rotation) for name, spot in shape.spots.items()}
        self.shields = turned(list(shape.shields.values()))


def _strewn(rng: random.Random, tries: int) -> Points:
    return points_array([(rng.uniform(8, 92), rng.uniform(8, 96)) for _ in range(tries)])


def _spread(points: Points, want: int, gap: Point) -> list[Point]:
    """The first `want` points, each with a box of `gap` to itself."""
    chosen: list[Point] = []
    for x, y in points.tolist():
        if len(chosen) < want and all(abs(x - a) > gap[0] or abs(y - b) > gap[1] for a, b in chosen):
            chosen.append((x, y))
    return chosen


def _houses(rng: random.Random, tile: _Turned, name: str) -> list[Thing]:
    """Houses of one city: clear of wall, shield and gate, in larger ones round a square for the meeple."""
    city = tile.cities[name]
    feet = _strewn(rng, 420)
    fits = (feet[:, 1] > 13) & inside(feet, city) & inside(feet - (0, 11), city) & (distance(feet, city) > 4.5)
    for wall in tile.walls:
        fits &= (distance(feet - (0, 5), wall) > 10.5) & (distance(feet, wall) > 9)
    for x, y in tile.shields:
        fits &= (abs(feet[:, 0] - x) > 16) | (abs(feet[:, 1] - 6 - y) > 16)
    for x, y in tile.road_ends:
        fits &= (abs(feet[:, 0] - x) > 17) | (abs(feet[:, 1] - y) > 15)
    x, y = tile.spots[name]
    if distance(points_array([(x, y)]), city)[0] > 16:  # room for a square
        fits &= (abs(feet[:, 0] - x) > 9) | (abs(feet[:, 1] - 6 - y) > 9)
    return [(x, y, f"h{rng.randrange(6)}") for x, y in _spread(feet[fits], 40, (14, 11))]


def _plants(rng: random.Random, tile: _Turned, has_church: bool) -> list[Thing]:
    """Trees and bushes on the open fields, now and then a strip, a haystack, a sheep."""
    feet = _strewn(rng, 200)
    fits = feet[:, 1] > 16
    for city in tile.cities.values():
        fits &= ~inside(feet, city)
    for wall in tile.walls:
        fits &= (distance(feet, wall) > 12) & (distance(feet - (0, 9), wall) > 10)
    for road in tile.roads:
        fits &= (distance(feet, road) > 11) & (distance(feet - (0, 8), road) > 8)
    if has_church:
        fits &= (abs(feet[:, 0] - 50) > 35) | (feet[:, 1] > 80)
    places = _spread(feet[fits], rng.randrange(4, 8), (15, 12))
    things = [(x, y, rng.choice(_PLANTS)) for x, y in places]
    for i, (x, y, _) in enumerate(things):
        clear = [distance(points_array([(x, y - 3)]), line)[0] for line in (*tile.walls, *tile.roads)]
        if min([*clear, x, 100 - x]) > 17 and rng.random() < 0.4:
            things[i] = (x, y, rng.choice(_FARMING))
    return things


def _towers(tile: _Turned) -> list[Thing]:
    return [(*wall[len(wall) * third // 3], "tw") for wall in tile.walls for third in (1, 2)]


def _fixed(shape: TileShape, tile: _Turned) -> list[Thing]:
    """Scenery that carries rules: shields, church, village at a crossing."""
    things: list[Thing] = [(x, y, "pn") for x, y in tile.shields]
    if shape.facts["monastery"]:
        things.append((*CENTRE, "ch"))
    if shape.has_road_end("crossing"):
        things.append((50, 51, "vl"))
    return things


@cache
def scenery(letter: str, rotation: int, variant: int) -> str:
    """Upright things of one tile, back to front.

    Plants are in a group ``cc-fine`` (small pictures hide them), things that carry rules in
    groups ``cc-key`` (small pictures enlarge them).
    """
    shape, rng = tile_shape(letter), random.Random(f"{letter}{rotation}{variant}")
    tile = _Turned(shape, rotation)
    buildings = [thing for name in tile.cities for thing in _houses(rng, tile, name)] + _towers(tile)
    buildings += [(x, y, "gt") for x, y in tile.road_ends]
    plants = _plants(rng, tile, shape.facts["monastery"])
    drawn = "".join(use(symbol, round(x), round(y)) for x, y, symbol in sorted(plants, key=_foot))
    return (
        (tag("g", drawn, class_="cc-fine") if drawn else "")
        + "".join(use(symbol, round(x), round(y)) for x, y, symbol in sorted(buildings, key=_foot))
        + "".join(
            tag("g", use(symbol), class_="cc-key", transform=f"translate({round(x)} {round(y)})")
            for x, y, symbol in _fixed(shape, tile)
        )
    )


def _foot(thing: Thing) -> float:
    return thing[1]
