"""Positions of Dominion for tests of what is drawn, and what these ask of every SVG.

The rules run undecorated here: pictures need no machine code.
"""

from __future__ import annotations

import re
from functools import cache
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

from games.dominion import cards
from games.dominion import state as layout
from games.dominion.game import Dominion
from games.protocol import CHANCE, State
from tests.games import walks


class Undecorated(Dominion):
    """The same game on plain Python kernels."""

    def kernels(self, *, journal: bool = False, mode: str = "plain") -> ModuleType:
        """The undecorated ones, whichever are asked for."""
        return super().kernels(journal=journal, mode="plain")


GAME = Undecorated()
ALL_CARDS = ",".join(card.name for card in cards.table() if card.is_kingdom)


@cache
def walk(seats: int, seed: int = 1, **options: Any) -> tuple[tuple[State, int | None], ...]:
    """Every state of a random match with what happens in it (None at the end)."""
    return tuple(walks.walk(GAME, seats, seed, GAME.options(**options)))


def turns(seats: int, seed: int = 1, **options: Any) -> list[State]:
    """States in which a seat is on turn."""
    return [state for state, _ in walk(seats, seed, **options) if GAME.current_player(state) >= 0]


def settled(seats: int, seed: int = 1, **options: Any) -> list[State]:
    """States after 0, 1, ... plies, nothing left to draw: as pages have them."""
    return [state for state, _ in walk(seats, seed, **options) if GAME.current_player(state) != CHANCE]


@cache
def of_kinds() -> dict[int, State]:
    """A state of every kind of decision, by kind."""
    found: dict[int, State] = {}
    by_hand = {"edition": "2", "treasures": "manual"}
    for seed, options in (
        (2, {"kingdom": "interaction"}),
        (1, {"kingdom": "first game", **by_hand}),
        (1, {"kingdom": "thesis", **by_hand}),
        (1, {"kingdom": "village square"}),
        (1, {"kingdom": "big money"}),
    ):
        for state in turns(3, seed, **options):
            found.setdefault(int(state[layout.KIND]), state)
    return found


def check_references(svg: str) -> None:
    """Ids are unique, and whatever is referred to is there."""
    known = re.findall(r'\bid="([^"]+)"', svg)
    assert len(known) == len(set(known))
    assert set(re.findall(r"(?:href=\"|url\()#([^\")]*)", svg)) <= set(known)


def check_harmless(svg: str) -> None:
    """Nothing in it runs or comes from outside."""
    text = svg.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert "//" not in text
    assert not re.search(r"<(script|image|foreignObject|a)\b|\son\w+=|@import|javascript:", text)


def marked(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    """Elements with an attribute."""
    return [node for node in root.iter() if name in node.attrib]


def by_id(root: ElementTree.Element, name: str) -> ElementTree.Element:
    """The element with an id."""
    return next(node for node in root.iter() if node.get("id") == name)
