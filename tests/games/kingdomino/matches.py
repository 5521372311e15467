"""Random matches of Kingdomino with any options, and what tests of drawings ask of every SVG."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from tests.games import walks

GAME = walks.game_of("kingdomino")


@cache
def walk(seats: int, seed: int = 1, **options: Any) -> tuple[tuple[Any, int | None], ...]:
    """Every state of a random match with what happens in it (None at the end)."""
    return tuple(walks.walk(GAME, seats, seed, GAME.options(**options)))


def turns(seats: int, seed: int = 1, **options: Any) -> list[Any]:
    """States in which a seat is on turn."""
    return [state for state, _ in walk(seats, seed, **options) if GAME.current_player(state) >= 0]


def after_plies(seats: int, seed: int = 1, **options: Any) -> list[Any]:
    """States after 0, 1, ... plies, before chance."""
    steps = walk(seats, seed, **options)
    return [steps[0][0], *(GAME.apply(state, n) for state, n in steps if GAME.current_player(state) >= 0)]


def check_references(svg: str) -> None:
    """Ids are unique, and whatever is referred to is there."""
    known = re.findall(r'\bid="([^"]+)"', svg)
    assert len(known) == len(set(known))
    assert set(re.findall(r"(?:href=\"|url\()#([^\")]*)", svg)) <= set(known)


def marked(root: Any, name: str) -> list[Any]:
    """Elements with an attribute."""
    return [node for node in root.iter() if name in node.attrib]


def numbers(text: str, name: str) -> set[int]:
    """N of the ids NAME-N."""
    return {int(n) for n in re.findall(rf'\bid="{name}-(\d+)"', text)}
