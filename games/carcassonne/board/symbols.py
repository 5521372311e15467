"""Symbols that a board refers to: ground and segments of the tile types, scenery, meeples."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np

from games.carcassonne.board.curves import Polygon, curve_path, inside, points_array
from games.carcassonne.board.geometry import TileShape, tile_facts, tile_shape
from games.svg import ID, SEAT_COLORS, SEAT_MARKS, art, referenced_ids, tag, use

GRASS, GRASS_DARK, GRASS_LIGHT = "#9AC067", "#86AE53", "#ADCE7E"
PAVING, PAVING_DARK = "#F0D9AC", "#CFA870"
WALL, WALL_DARK, WALL_JOINT, WALL_SHADE = "#CDB68B", "#54402C", "#A88F66", "#5F7F3B"
ROAD, ROAD_EDGE, ROAD_PEBBLE = "#F7EFDC", "#86704E", "#D8C69C"

MEEPLE = (
    "M-3.4-16.8A5.6 5.6 0 1 1 3.4-16.8C8-15.5 13-13.5 13-10.6 13-8.2 9.5-8 6.6-8.8 7-6 9.6-3 "
    "10-1.2 10.2 0 9.4.4 8.5.4H2.6C1.6.4 1.4-1 0-3.8-1.4-1-1.6.4-2.6.4H-8.5C-9.4.4-10.2 0-10"
    "-1.2-9.6-3-7-6-6.6-8.8-9.5-8-13-8.2-13-10.6-13-13.5-8-15.5-3.4-16.8Z"
)
"""A meeple 26 units wide and 28 high, its foot at (0, 0)."""

SQUARE = "M0 0H100V100H0Z"


def _meeple(seat: int) -> str:
    """A seat's meeple: dark outline, a white rim that keeps it off roofs of its colour, the seat's mark."""
    color = SEAT_COLORS[seat]
    return tag(
        "g",
        '<ellipse cx="1.5" cy=".6" rx="12" ry="3.4" fill="#000" fill-opacity=".28"/>'
        + use("mp", fill=color, stroke="#1B1B1B", stroke_width=6.2)
        + use("mp", fill=color, stroke="#fff", stroke_width=3.4)
        + use("mp", fill=color)
        + f'<path d="{SEAT_MARKS[seat]}" fill="#fff" class="cc-mark" transform="translate(0 -9.4) scale(.84)"/>',
        id=f"{ID}m{seat}",
    )


def _ground(shape: TileShape) -> dict[str, str]:
    """Grass, cities with paving and walls, roads: everything that turns with the tile.

    The lines of walls and roads are symbols of their own, stroked several times.
    """
    letter = shape.facts["name"]
    rng = random.Random(letter)
    lines = {f"w{letter}": "".join(map(curve_path, shape.walls))}
    lines |= {f"r{letter}": "".join(map(curve_path, shape.roads.values()))}
    parts = [tag("path", d=SQUARE, fill=GRASS)]
    for tone in (GRASS_LIGHT, GRASS_DARK, GRASS_LIGHT):
        x, y, r = rng.uniform(20, 80), rng.uniform(20, 80), rng.uniform(14, 22)
        parts.append(tag("ellipse", cx=x, cy=y, rx=r * 1.5, ry=r, fill=tone, fill_opacity=".35"))
    if shape.walls:
        parts.append(use(f"w{letter}", stroke=WALL_SHADE, stroke_width=13, stroke_opacity=".55"))
    for name in shape.cities:
        parts.append(tag("path", d=shape.outlines[name], fill=PAVING))
        parts.append(tag("path", d=_paving(shape.regions[name]), stroke=PAVING_DARK, stroke_opacity=".6"))
    if shape.roads:
        parts += _road_strokes(shape)
    for color, width, dash in ((WALL_DARK, 8.5, None), (WALL, 6.3, None), (WALL_JOINT, 6.3, "1.3 4.2")):
        if shape.walls:
            parts.append(use(f"w{letter}", stroke=color, stroke_width=width, stroke_dasharray=dash))
    parts.append(tag("path", d=SQUARE, fill="none", stroke="#3B3322", stroke_width=1.2, stroke_opacity=".4"))
    ground = {f"t{letter}": tag("symbol", "".join(parts), id=f"{ID}t{letter}", viewBox="0 0 100 100")}
    return ground | {name: tag("path", id=f"{ID}{name}", d=d, fill="none") for name, d in lines.items() if d}


def _paving(region: Polygon) -> str:
    """Joints of paving stones in a city: short strokes in staggered rows."""
    joints = points_array([(x + 7 * (y // 6 % 2), y) for y in range(3, 100, 6) for x in range(1, 94, 14)])
    clear = inside(joints, region) & inside(joints + np.array((5, 0)), region) & (joints[:, 0] < 94)
    path, here = "", (0, 0)
    for x, y in joints[clear].astype(int).tolist():
        path += f"m{x - here[0]} {y - here[1]}h5"
        here = (x + 5, y)
    return path


def _road_strokes(shape: TileShape) -> list[str]:
    line = f"r{shape.facts['name']}"
    parts = []
    for color, width, radius in ((ROAD_EDGE, 13.5, 11.5), (ROAD, 10, 9.8)):
        parts.append(use(line, stroke=color, stroke_width=width))
        if shape.has_road_end("crossing"):
            parts.append(tag("circle", cx=50, cy=50, r=radius, fill=color))
    pebbles = {"stroke": ROAD_PEBBLE, "stroke_width": 1.6, "stroke_linecap": "round"}
    return [*parts, use(line, stroke_dasharray="0 5 1.4 8 0 9", **pebbles)]


def _segments(shape: TileShape) -> dict[str, str]:
    """Shapes of the segments: invisible targets, and lit up when a feature is."""
    letter = shape.facts["name"]
    parts = {name: tag("path", id=f"{ID}{letter}-{name}", d=path) for name, path in shape.outlines.items()}
    for name, curve in shape.roads.items():
        parts[name] = tag("path", id=f"{ID}{letter}-{name}", d=curve_path(curve), class_="cc-road")
    if shape.facts["monastery"]:
        parts["monastery"] = tag("circle", id=f"{ID}{letter}-monastery", cx=50, cy=44, r=30)
    return {f"{letter}-{name}": part for name, part in parts.items()}


@cache
def symbols() -> Mapping[str, str]:
    """Every symbol by id."""
    found = dict(art(Path(__file__).parent / "art" / "scenery.svg"))
    found["mp"] = tag("path", id=f"{ID}mp", d=MEEPLE, stroke_linejoin="round")
    found |= {f"m{seat}": _meeple(seat) for seat in range(len(SEAT_COLORS))}
    for letter in tile_facts():
        shape = tile_shape(letter)
        found |= _ground(shape) | _segments(shape)
    return found


@cache
def _needs(symbol: str) -> frozenset[str]:
    """`symbol` and all that it refers to."""
    inner = (_needs(name) for name in referenced_ids(symbols()[symbol]))
    return frozenset({symbol}).union(*inner)


def definitions(markup: str) -> str:
    """The symbols that `markup` refers to, and those that they refer to."""
    known = symbols()
    needed = frozenset[str]().union(*(_needs(name) for name in referenced_ids(markup) if name in known))
    return "".join(known[name] for name in sorted(needed))


def tile_definitions() -> str:
    """All symbols that a tile without meeple and targets may refer to."""
    return "".join(symbol for name, symbol in symbols().items() if "-" not in name and not name.startswith("m"))
