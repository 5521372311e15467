"""Dominoes by themselves: the one to be placed, and in a few strokes for lists."""

from __future__ import annotations

from functools import cache

from games.kingdomino import reading
from games.kingdomino.board.picture import faces
from games.kingdomino.board.pieces import CSS
from games.kingdomino.board.symbols import LINE, PAPER, TERRAINS, definitions
from games.svg import tag, use, with_prefix

_SIGNS = {
    "wheat": "M25 80V36M50 88V30M75 80V36",
    "forest": "M50 30 78 82H22Z",
    "lake": "M14 56Q26 42 38 56T62 56 86 56M14 78Q26 64 38 78T62 78 86 78",
    "pasture": "M28 84 22 62M36 84V56M62 72 56 50M70 72V44",
    "swamp": "M22 76H52M46 58H80M60 84H84",
    "mine": "M16 84 36 46 56 70 66 52 86 84Z",
}
"""A stroke or two for each terrain: colour is never the only sign."""
_CROWN = "l-4 18h28l-4-18-7 9-3-13-3 13z"


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
def small_svg(number: int, width: int = 52) -> str:
    """A domino, `width` pixels wide; refers to nothing, and says nothing: the list names it."""
    body = ""
    for end, (terrain, crowns) in enumerate(faces(number)):
        base, dark, light = TERRAINS[terrain]
        x = 100 * end
        line = light if terrain in ("lake", "mine", "forest") else dark
        ground = tag("path", d="M0 0H100V100H0Z", fill=base)
        sign = tag("path", d=_SIGNS[terrain], fill="none", stroke=line, stroke_width=7)
        for crown in range(crowns):
            shape = f"M{10 + 30 * crown} 8{_CROWN}"
            sign += tag("path", d=shape, fill="#FFD23F", stroke=LINE, stroke_width=3)
        body += tag("g", ground + sign, transform=f"translate({x})" if x else None)
    body += tag("path", d="M2 2H198V98H2ZM100 2V98", fill="none", stroke=LINE, stroke_width=4)
    body += tag("rect", x=140, y=54, width=58, height=44, rx=8, fill=PAPER)
    words = {"x": 169, "y": 89, "font_size": 38, "text_anchor": "middle", "font_weight": 700, "fill": "#1F2328"}
    body += tag("text", str(number), **words)
    return tag("svg", body, viewBox="0 0 200 100", width=width, height=width // 2, aria_hidden="true")
