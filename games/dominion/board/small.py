"""Cards by themselves: the one that asks something, and as the picture alone for lists."""

from __future__ import annotations

from functools import cache

from games.dominion import cards
from games.dominion.board import texts
from games.dominion.board.symbols import BANDS, CARD, CSS, definitions, picture_of, pictures
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


SHEET = "piece-"
"""Begins the ids of what small pictures refer to (`sheet`)."""


@cache
def small_svg(number: int, width: int = 52) -> str:
    """The picture of a card, `width` pixels wide; refers to the `sheet`, and says nothing: the list names it."""
    picture = use(f"small{number}")
    svg = tag("svg", picture, viewBox="0 0 76 56", width=width, height=round(width * 56 / 76), aria_hidden="true")
    return with_prefix(svg, SHEET)


@cache
def sheet() -> str:
    """All that small pictures refer to, without a place of its own."""
    shown = "".join(_picture(card) for card in cards.table())
    clip = tag("clipPath", tag("rect", x=3, y=3, width=70, height=50, rx=5), id=f"{ID}smallclip")
    shapes = {"width": 0, "height": 0, "class_": "sr", "aria_hidden": "true", "focusable": "false"}
    body = f"<style>{CSS}</style>" + tag("defs", definitions(shown) + clip + shown)
    return with_prefix(tag("svg", body, **shapes), SHEET)


def _picture(card: cards.Card) -> str:
    color, _, behind = BANDS[texts.band(card)]
    has_own = picture_of(card) in pictures()
    drawn = use(picture_of(card)) if has_own else use(f"sign-{texts.band(card)}", transform="scale(2)", color=color)
    at = tag("g", drawn, transform="translate(38 30) scale(.7)")
    body = tag("rect", x=1.5, y=1.5, width=73, height=53, rx=7, fill=behind)
    body += tag("g", at, clip_path=f"url(#{ID}smallclip)")
    body += tag("rect", x=1.5, y=1.5, width=73, height=53, rx=7, fill="none", stroke=color, stroke_width=3)
    return tag("g", body, id=f"{ID}small{card.number}")
