"""Tiles by themselves, in a few strokes, for lists."""

from __future__ import annotations

from functools import cache

from games.dominoes import tiles
from games.dominoes.board.symbols import INK, IVORY, box, spots
from games.svg import tag


@cache
def small_svg(index: int, width: int = 44) -> str:
    """A lying tile, `width` pixels wide; refers to nothing, and says nothing: the list names it."""
    a, b = tiles.TILES[index]
    body = box(3, 3, 194, 94, 16, fill=IVORY, stroke=INK, stroke_width=6) + tag("path", d="M100 10V90", stroke=INK)
    for n, x in ((a, 0), (b, 100)):
        body += tag("g", spots(n), fill=INK, transform=f"translate({x})" if x else None) if n else ""
    return tag("svg", body, viewBox="0 0 200 100", width=width, height=width // 2, aria_hidden="true")
