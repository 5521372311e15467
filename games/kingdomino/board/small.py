"""Dominoes by themselves: the one to be placed, and small for lists."""

from __future__ import annotations

from functools import cache

from games.kingdomino import dominoes, reading
from games.kingdomino.board.pieces import CSS
from games.kingdomino.board.symbols import LINE, PAPER, definitions
from games.svg import tag, use, with_prefix

SHEET = "piece-"
"""Begins the ids of what small pictures refer to (`sheet`)."""


def held_svg(number: int, *, prefix: str = "") -> str:
    """The domino to be placed, as it looks in the draft; it fills whatever holds it."""
    body = use(f"d{number}")
    svg = tag(
        "svg",
        f"<style>{CSS}</style>" + tag("defs", definitions(body)) + body,
        xmlns="http://www.w3.org/2000/svg",
        viewBox="-2 -2 204 104",
        width=112,
        height=57,
        role="img",
        aria_label=f"Domino {reading.face(number)}",
    )
    return with_prefix(svg, prefix)


@cache
def small_svg(number: int, width: int = 60) -> str:
    """A domino as it looks on the board, `width` pixels wide, its number large; refers to the `sheet`.

    It says nothing: the list names it.
    """
    plate = tag("rect", x=136, y=46, width=60, height=50, rx=9, fill=PAPER, stroke=LINE, stroke_width=3)
    words = {"x": 166, "y": 86, "font_size": 42, "text_anchor": "middle", "font_weight": 700, "fill": "#1F2328"}
    body = use(f"e{number}") + plate + tag("text", str(number), **words)
    svg = tag("svg", body, viewBox="-2 -2 204 104", width=width, height=round(width * 0.51), aria_hidden="true")
    return with_prefix(svg, SHEET)


@cache
def sheet() -> str:
    """All that small pictures refer to, without a place of its own."""
    faces = definitions("".join(use(f"e{number}") for number in range(1, dominoes.NUM_DOMINOES + 1)))
    shapes = {"width": 0, "height": 0, "class_": "sr", "aria_hidden": "true", "focusable": "false"}
    return with_prefix(tag("svg", f"<style>{CSS}</style>" + tag("defs", faces), **shapes), SHEET)
