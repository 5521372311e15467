"""Tiles for lists, as they look on the board; what they refer to stands on the page once (`sheet`)."""

from __future__ import annotations

from functools import cache

from games.carcassonne.board import layers
from games.carcassonne.board.geometry import tile_facts
from games.carcassonne.board.render import CSS_TILE
from games.carcassonne.board.symbols import definitions
from games.svg import ID, tag, use, with_prefix

SHEET = "piece-"
"""Begins the ids of what small pictures refer to."""
_DEGREES = 90


@cache
def small_svg(letter: str, rotation: int = 0, size: int = 40) -> str:
    """The tile type, `size` pixels wide; a picture without words: the list names it."""
    turned = f"rotate({_DEGREES * rotation} 50 50)" if rotation else None
    body = use(f"whole{letter}", transform=turned)
    svg = tag("svg", body, viewBox="0 0 100 100", width=size, height=size, aria_hidden="true")
    return with_prefix(svg, SHEET)


@cache
def sheet() -> str:
    """All that small pictures refer to, without a place of its own."""
    tiles = "".join(tag("g", layers.drawing(letter, 0, 0), id=f"{ID}whole{letter}") for letter in tile_facts())
    shapes = {"width": 0, "height": 0, "class_": "sr", "aria_hidden": "true", "focusable": "false"}
    body = f"<style>{CSS_TILE}</style>" + tag("defs", definitions(tiles) + tiles)
    return with_prefix(tag("svg", body, **shapes), SHEET)
