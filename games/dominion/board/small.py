"""Cards by themselves: the one that asks something, and as the picture alone for lists."""

from __future__ import annotations

from functools import cache

from games.dominion import cards
from games.dominion.board import texts
from games.dominion.board.symbols import BANDS, CARD, CSS, LINE, definitions, picture_of, pictures
from games.svg import ID, tag, use, with_prefix


def held_svg(number: int, *, prefix: str = "") -> str:
    """The card whose effect is carried out; it fills whatever holds it."""
    body = use(f"{CARD.key}{number}")
    svg = tag(
        "svg",
        f"<style>{CSS}</style>" + tag("defs", definitions(body)) + body,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"-1 -1 {CARD.width + 2} {CARD.height + 2}",
        width=73,
        height=60,
        role="img",
        aria_label=cards.name(number),
    )
    return with_prefix(svg, prefix)


@cache
def small_svg(number: int, width: int = 52) -> str:
    """A card, `width` pixels wide; refers to nothing, and says nothing: the list names it."""
    one = cards.table()[number]
    color, _, behind = BANDS[texts.band(one)]
    picture = pictures().get(picture_of(one), "")
    body = tag("rect", x=1.5, y=1.5, width=73, height=53, rx=7, fill=behind)
    if picture and ID not in picture.split(">", 1)[1]:
        inner = picture.split(">", 1)[1].rsplit("<", 1)[0]
        drawn = inner.replace(' class="dm-o"', f' stroke="{LINE}" stroke-width="1.8"')
        window = tag("svg", tag("g", drawn, transform="translate(35 27) scale(.7)"), x=3, y=3, width=70, height=50)
        body += window
    else:
        body += tag("rect", x=1.5, y=1.5, width=73, height=16, rx=7, fill=color)
    body += tag("rect", x=1.5, y=1.5, width=73, height=53, rx=7, fill="none", stroke=color, stroke_width=3)
    return tag("svg", body, viewBox="0 0 76 56", width=width, height=round(width * 56 / 76), aria_hidden="true")
