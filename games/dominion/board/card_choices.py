"""Choices of kingdom cards: a picture of each, as its pile looks in the supply."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from games.dominion import cards
from games.dominion.board import symbols, texts
from games.svg import tag, use, with_prefix

PREFIX = "kd-"
"""Ids begin with it."""


@dataclass(frozen=True)
class Choice:
    """A card of the kingdom. label: its text in words; svg: its picture, which needs `sheet` on the page."""

    name: str
    cost: int
    label: str
    svg: str


@cache
def choices() -> tuple[Choice, ...]:
    """All kingdom cards, the cheapest first."""
    listed = sorted(cards.kingdom_cards(), key=lambda card: (card.cost, card.name))
    return tuple(Choice(card.name, card.cost, texts.whole(card), _picture(card.number)) for card in listed)


def _picture(number: int) -> str:
    box = f"0 0 {symbols.CARD.width} {symbols.CARD.height}"
    picture = tag("svg", use(f"{symbols.CARD.key}{number}"), viewBox=box, aria_hidden="true", focusable="false")
    return with_prefix(picture, PREFIX)


@cache
def sheet() -> str:
    """Symbols that the pictures of all choices refer to, once, without a place of their own."""
    shown = "".join(use(f"{symbols.CARD.key}{card.number}") for card in cards.kingdom_cards())
    defs = f"<style>{symbols.CSS}</style>" + tag("defs", symbols.definitions(shown))
    hidden = tag("svg", defs, width=0, height=0, class_="sr", aria_hidden="true", focusable="false")
    return with_prefix(hidden, PREFIX)
