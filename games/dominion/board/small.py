"""Cards by themselves: the one that asks something, and in a few strokes for lists."""

from __future__ import annotations

from functools import cache

from games.dominion import cards
from games.dominion.board import texts
from games.dominion.board.symbols import BANDS, COIN, CSS, LINE, PALM, definitions, picture_of, pictures
from games.svg import ID, tag, use, with_prefix


def held_svg(number: int, *, prefix: str = "") -> str:
    """The card whose effect is carried out; it fills whatever holds it."""
    body = use(f"{PALM.key}{number}")
    svg = tag(
        "svg",
        f"<style>{CSS}</style>" + tag("defs", definitions(body)) + body,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"-1 -1 {PALM.width + 2} {PALM.height + 2}",
        width=60,
        height=60,
        role="img",
        aria_label=cards.name(number),
    )
    return with_prefix(svg, prefix)


_INITIALS = 2


@cache
def small_svg(number: int, width: int = 52) -> str:
    """A card, `width` pixels wide; refers to nothing, and says nothing: the list names it."""
    one = cards.table()[number]
    color, writing, behind = BANDS[texts.band(one)]
    picture = pictures().get(picture_of(one), "")
    line = {"stroke": LINE, "stroke_width": 3}
    body = tag("rect", x=2, y=2, width=146, height=104, rx=10, fill=behind)
    if picture and ID not in picture.split(">", 1)[1]:
        inner = (
            picture.split(">", 1)[1].rsplit("<", 1)[0].replace(' class="dm-o"', f' stroke="{LINE}" stroke-width="1.8"')
        )
        body += tag("g", inner, transform="translate(75 66)")
    body += tag("path", d="M2 30V12A10 10 0 0 1 12 2H138A10 10 0 0 1 148 12V30Z", fill=color)
    body += tag("rect", x=2, y=2, width=146, height=104, rx=10, fill="none", **line)
    body += tag("circle", cx=22, cy=86, r=17, fill=COIN, **line)
    words = {"font_weight": 700, "text_anchor": "middle"}
    body += tag("text", str(one.cost), x=22, y=94, font_size=24, fill=LINE, **words)
    body += tag("text", one.name[:12], x=75, y=24, font_size=20, fill=writing, **words)
    return tag("svg", body, viewBox="0 0 150 108", width=width, height=round(width * 0.72), aria_hidden="true")
