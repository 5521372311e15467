"""A tile in a few strokes, for lists: refers to nothing, so that many can stand anywhere on a page."""

from __future__ import annotations

from functools import cache

from games.carcassonne.board.curves import curve_path
from games.carcassonne.board.geometry import tile_shape
from games.carcassonne.board.symbols import GRASS, PAVING, ROAD, ROAD_EDGE, SQUARE, WALL_DARK
from games.svg import tag

_CHURCH = "M26 66V48H50V36L60 18 70 36V66Z"
_SHIELD = "M-8-10H8V2C8 8 3 11 0 12-3 11-8 8-8 2Z"


@cache
def small_svg(letter: str, size: int = 36) -> str:
    """The tile type, `size` pixels wide; a picture without words: the list names it."""
    shape = tile_shape(letter)
    parts = [tag("path", d=SQUARE, fill=GRASS)]
    parts += [tag("path", d=shape.outlines[name], fill=PAVING) for name in shape.cities]
    roads = "".join(curve_path(curve) for curve in shape.roads.values())
    lines = [(roads, ROAD_EDGE, 17), (roads, ROAD, 11), ("".join(map(curve_path, shape.walls)), WALL_DARK, 6)]
    parts += [tag("path", d=d, fill="none", stroke=color, stroke_width=width) for d, color, width in lines if d]
    if shape.has_road_end("crossing"):
        parts.append(tag("circle", cx=50, cy=50, r=15, fill="#B4552D", stroke="#4A3B2A", stroke_width=3))
    if shape.facts["monastery"]:
        parts.append(tag("path", d=_CHURCH, fill="#C0392B", stroke="#4A3B2A", stroke_width=4, stroke_linejoin="round"))
    for x, y in shape.shields.values():
        place = f"translate({round(x)} {round(y)}) scale(1.3)"
        parts.append(tag("path", d=_SHIELD, fill="#2E5EAA", stroke="#fff", stroke_width=3, transform=place))
    return tag("svg", "".join(parts), viewBox="0 0 100 100", width=size, height=size, aria_hidden="true")
