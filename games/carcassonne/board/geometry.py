"""Geometry of the tiles from the tile facts alone: walls, roads, regions, meeple spots.

A tile is a square of 100 units in rotation 0, x to the right, y down. Nothing here draws.

* A city follows the tile's side along its own edges; each gap of one, two or three foreign
  edges between them is one curve from corner to corner. Only those curves carry a wall.
* A road leaves its edge at right angles in the middle, so that roads of neighbours meet.
* A field is found by walking round it clockwise: along the rim, down a road and out by the
  next, back along a city's wall. Cities and fields partition the tile.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from games.carcassonne.board.curves import (
    Curve,
    Point,
    Points,
    Polygon,
    curve_path,
    dense,
    distance,
    inside,
    point_text,
    polygon_path,
    sample,
    shift,
)

EDGES = "NESW"
HALVES = ("NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR")
CORNERS: tuple[Point, ...] = ((0, 0), (100, 0), (100, 100), (0, 100))
"""Corner i starts edge i, going clockwise."""
MIDDLES: tuple[Point, ...] = ((50, 0), (100, 50), (50, 100), (0, 50))
INWARD: tuple[Point, ...] = ((0, 1), (-1, 0), (0, -1), (1, 0))
RIM: tuple[Point, ...] = ((0, 0), (50, 0), (100, 0), (100, 50), (100, 100), (50, 100), (0, 100), (0, 50))
"""Edge half h runs from RIM[h] to RIM[h + 1]."""
CENTRE: Point = (50, 50)

Facts = Mapping[str, Any]
"""One tile type of ``data/tiles.json``."""


@cache
def tile_facts() -> Mapping[str, Facts]:
    """Facts of every tile type by its letter."""
    path = Path(__file__).parent.parent / "data" / "tiles.json"
    return MappingProxyType({tile["name"]: tile for tile in json.loads(path.read_text(encoding="utf-8"))["tiles"]})


@dataclass
class TileShape:
    """Shapes of one tile type in rotation 0, all keyed by the segment ids of the facts.

    outlines: SVG path data of cities and fields; regions: the same as polygons;
    roads: centre lines, from the first edge; spots: where a meeple stands;
    shields: where a pennant hangs; walls: curves that carry a city wall.
    """

    facts: Facts
    walls: list[Curve] = field(default_factory=list)
    outlines: dict[str, str] = field(default_factory=dict)
    regions: dict[str, Polygon] = field(default_factory=dict)
    roads: dict[str, Curve] = field(default_factory=dict)
    spots: dict[str, Point] = field(default_factory=dict)
    shields: dict[str, Point] = field(default_factory=dict)

    @property
    def cities(self) -> list[str]:
        """Ids of the city segments."""
        return [city["id"] for city in self.facts["cities"]]

    def has_road_end(self, end: str) -> bool:
        """Whether a road stops on this tile at `end` (crossing, city, monastery)."""
        return any(road["end"] == end for road in self.facts["roads"])


def _edges(segment: Facts) -> list[int]:
    return [EDGES.index(edge) for edge in segment["edges"]]


def _city_gaps(edges: Sequence[int]) -> dict[int, int]:
    """Runs of edges that are not the city's: first edge -> length, clockwise."""
    gaps = {}
    for edge in edges:
        length = 0
        while length < 4 and (edge + 1 + length) % 4 not in edges:
            length += 1
        if length:
            gaps[(edge + 1) % 4] = length
    return gaps


def _wall(first: int, length: int) -> Curve:
    """Wall over a gap of `length` edges, from the end of the city's run to the start of its next.

    All walls leave a corner less than 45 degrees off the edge, so two cities that share a
    corner stay apart and walls of neighbouring tiles flow into one another.
    """
    a, b = CORNERS[first], CORNERS[(first + length) % 4]
    if length == 2:
        corner = CORNERS[(first + 1) % 4]
        bulge = ((50 - corner[0]) * 0.17, (50 - corner[1]) * 0.17)
        third = ((b[0] - a[0]) / 3, (b[1] - a[1]) / 3)
        return (
            a,
            (a[0] + third[0] + bulge[0], a[1] + third[1] + bulge[1]),
            (b[0] - third[0] + bulge[0], b[1] - third[1] + bulge[1]),
            b,
        )
    if length == 1:
        inward, along, depth, reach = INWARD[first], INWARD[(first - 1) % 4], 32, 23
    else:
        inward, along, depth, reach = INWARD[(first + 3) % 4], INWARD[first], 38, 42
    return a, shift(shift(a, inward, depth), along, reach), shift(shift(b, inward, depth), along, -reach), b


def _city(edges: Sequence[int]) -> tuple[str, Polygon]:
    """Outline of a city as path data and as a polygon."""
    gaps = _city_gaps(edges)
    start = edge = edges[0]
    path, points = f"M{point_text(CORNERS[edge])}", [CORNERS[edge]]
    while edge == edges[0] or edge % 4 != start:
        if edge % 4 in gaps:
            curve = _wall(edge % 4, gaps[edge % 4])
            path, points = path + curve_path(curve, "L"), points + sample(curve)
            edge += gaps[edge % 4]
        else:
            edge += 1
            corner = CORNERS[edge % 4]
            path, points = f"{path}L{point_text(corner)}", [*points, corner]
    return path + "Z", dense(points)


def _road(edges: Sequence[int], end: str | None, pushed: Point) -> Curve:
    """Centre line of a road; a straight one sways, or bends away (`pushed`) from a lone city.

    One that ends at a gate stops in the middle of its wall, one at a monastery before the door.
    """
    a = edges[0]
    if len(edges) == 1:
        stop = shift(MIDDLES[a], INWARD[a], {"city": 24, "monastery": 30}.get(end or "", 50))
        return MIDDLES[a], shift(MIDDLES[a], INWARD[a], 9), shift(stop, INWARD[a], -9), stop
    b = edges[1]
    if (b - a) % 4 != 2:
        return MIDDLES[a], shift(MIDDLES[a], INWARD[a], 27), shift(MIDDLES[b], INWARD[b], 27), MIDDLES[b]
    if pushed == (0, 0):
        middle = CENTRE
        before = shift(shift(middle, INWARD[b], 17), INWARD[(a + 1) % 4], 8)
        after: Point = (100 - before[0], 100 - before[1])
    else:
        middle = shift(CENTRE, pushed, 7)
        before, after = shift(middle, INWARD[a], -22), shift(middle, INWARD[b], -22)
    first, last = shift(MIDDLES[a], INWARD[a], 20), shift(MIDDLES[b], INWARD[b], 20)
    return MIDDLES[a], first, before, middle, after, last, MIDDLES[b]


class _FieldWalk:
    """Walks round the fields of one tile; positions are indices into RIM."""

    def __init__(self, shape: TileShape) -> None:
        self.city_of = {edge: _edges(city) for city in shape.facts["cities"] for edge in _edges(city)}
        self.road_of = {edge: road for road in shape.facts["roads"] for edge in _edges(road)}
        self.lines = {road["id"]: sample(shape.roads[road["id"]]) for road in shape.facts["roads"]}

    def outline(self, halves: Sequence[int]) -> Polygon:
        """The field that holds these edge halves, clockwise."""
        here = halves[0]
        points = [RIM[here]]
        while True:
            here = (here + 1) % 8
            points.append(RIM[here])
            while here not in halves:
                leg, here = self._down_road(here // 2) if here % 2 else self._along_city(here // 2)
                points += leg
            if here == halves[0]:
                return points

    def _down_road(self, edge: int) -> tuple[Polygon, int]:
        """Walk from the middle of `edge` down its road, to where the field meets the rim again."""
        road = self.road_of[edge]
        line = self.lines[road["id"]]
        first, *rest = _edges(road)
        if rest:
            far = rest[0] if first == edge else first
            return (line if first == edge else line[::-1]), far * 2 + 1
        if road["end"] == "crossing":
            out = next(e % 4 for e in range(edge + 3, edge - 1, -1) if e % 4 in self.road_of)
            return line + self.lines[self.road_of[out]["id"]][::-1], out * 2 + 1
        wall = sample(_wall(edge, 1))  # the road stops at a gate: home along the wall
        return line + wall[: len(wall) // 2][::-1], edge * 2

    def _along_city(self, edge: int) -> tuple[Polygon, int]:
        """Walk from the corner where the city's `edge` starts, back along the wall before it."""
        first, length = next(gap for gap in _city_gaps(self.city_of[edge]).items() if sum(gap) % 4 == edge)
        wall = sample(_wall(first, length))[::-1]
        if length == 1 and first in self.road_of:  # a road ends at a gate in this wall
            return wall[: len(wall) // 2] + self.lines[self.road_of[first]["id"]][::-1], first * 2 + 1
        return wall, first * 2


def _grid(low: int, high: int, polygon: Polygon) -> Points:
    """Points of `polygon` on a grid four units wide."""
    side = np.arange(low, high, 4, dtype=np.float64)
    grid = np.stack(np.meshgrid(side, side, indexing="ij"), axis=-1).reshape(-1, 2)
    return np.asarray(grid[inside(grid, polygon)])


def _meeple_spot(polygon: Polygon, avoid: Sequence[Sequence[Point]]) -> Point:
    """The grid point farthest from the outline and, with 7 units to spare, from what is to be avoided."""
    grid = _grid(8, 95, polygon)
    room = np.min([distance(grid, polygon), *(distance(grid, line) - 7 for line in avoid)], axis=0)
    off_centre = np.abs(grid - 50).sum(axis=1)
    x, y = grid[np.lexsort((off_centre, -np.round(room)))[0]]
    return float(x), float(y)


def _shield_spot(polygon: Polygon, meeple: Point) -> Point:
    """Spot as far from the meeple's as a shield fits inside the city."""
    grid = _grid(12, 90, polygon)
    room = distance(grid, polygon)
    roomy = room > 16
    if roomy.any():
        grid, room = grid[roomy], room[roomy]
    apart = np.minimum(distance(grid, [meeple]), 34)
    x, y = grid[np.lexsort((-room, -apart))[0]]
    return float(x), float(y)


def _place_spots(shape: TileShape) -> None:
    """Meeple spots and shields, once regions and roads are known."""
    blocked: list[Sequence[Point]] = [dense(sample(curve)) for curve in shape.roads.values()]
    if shape.facts["monastery"]:
        blocked.append([CENTRE, (50, 58), (50, 42), (42, 50), (58, 50)])
    for city in shape.facts["cities"]:
        region = shape.regions[city["id"]]
        shape.spots[city["id"]] = _meeple_spot(region, [])
        if city["pennant"]:
            shape.shields[city["id"]] = _shield_spot(region, shape.spots[city["id"]])
    for name, curve in shape.roads.items():
        line = sample(curve)
        shape.spots[name] = line[len(line) // 2]
    if shape.facts["monastery"]:
        shape.spots["monastery"] = CENTRE
    for meadow in shape.facts["fields"]:
        shape.spots[meadow["id"]] = _meeple_spot(shape.regions[meadow["id"]], blocked)


@cache
def tile_shape(letter: str) -> TileShape:
    """Shapes of a tile type; shared, not to be changed. Raises ValueError for an unknown letter."""
    if letter not in tile_facts():
        raise ValueError(f"no tile type {letter!r}; known: {' '.join(tile_facts())}")
    facts = tile_facts()[letter]
    shape = TileShape(facts)
    cities = {city["id"]: _edges(city) for city in facts["cities"]}
    lone = next(iter(cities.values())) if len(cities) == 1 else []
    pushed: Point = INWARD[lone[0]] if len(lone) == 1 else (0, 0)
    for name, edges in cities.items():
        shape.walls += [_wall(*gap) for gap in _city_gaps(edges).items()]
        shape.outlines[name], shape.regions[name] = _city(edges)
    for road in facts["roads"]:
        shape.roads[road["id"]] = _road(_edges(road), road["end"], pushed)
    walk = _FieldWalk(shape)
    for meadow in facts["fields"]:
        outline = walk.outline([HALVES.index(half) for half in meadow["half_edges"]])
        shape.outlines[meadow["id"]], shape.regions[meadow["id"]] = polygon_path(outline), dense(outline)
    _place_spots(shape)
    return shape
