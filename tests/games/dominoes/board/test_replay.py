"""The picture of a whole match shows after n plies what was there."""

from __future__ import annotations

import re
from functools import cache
from xml.etree import ElementTree

import pytest

from games.dominoes import reading
from games.dominoes import state as layout
from games.dominoes.board import sheet
from games.protocol import State
from tests.games import walks
from tests.games.dominoes.tables import GAME

SVG = "{http://www.w3.org/2000/svg}"


@cache
def after_plies() -> list[State]:
    steps = walks.match("dominoes")
    return [
        steps[0][0],
        *(GAME.apply(state, n) for state, n in steps if n is not None and GAME.current_player(state) >= 0),
    ]


@cache
def picture() -> ElementTree.Element:
    return ElementTree.fromstring(GAME.replay_svg(after_plies()))


def shown(node: ElementTree.Element, n: int) -> bool:
    start, end = node.get("data-from"), node.get("data-to")
    return start is None or (int(start) <= n and (end is None or n < int(end)))


def titles(n: int) -> list[str]:
    """Titles of all that is shown after n plies."""
    found: list[str] = []

    def walk(node: ElementTree.Element) -> None:
        if shown(node, n):
            found.extend(child.text or "" for child in node if child.tag == f"{SVG}title")
            for child in node:
                walk(child)

    walk(picture())
    return found


PLIES = [1, 2, 9, 20, 40, 77, 120]


@pytest.mark.parametrize("n", [*PLIES, -1])
def test_rows_and_hands_are_those_of_the_state(n: int) -> None:
    states = after_plies()
    n %= len(states)
    state = states[n]
    words = titles(n)
    laid = [sorted(word[:3]) for word in words if " by " in word]
    assert sorted(laid) == sorted(sorted(f"{one.left}-{one.right}") for one in reading.row(state))
    held = [word for word in words if re.fullmatch(r"\d-\d", word)]
    assert sorted(held) == sorted(
        reading.tiles.name(tile) for seat in range(4) for tile in reading.hand(state, seat) or ()
    )


def test_points_and_rings_follow() -> None:
    states = after_plies()
    for n in (0, 30, 60, len(states) - 1):
        points = next(node for node in picture().iter() if node.get("id") == "points")
        found = [node.text for node in points if node.tag == f"{SVG}text" and shown(node, n)]
        assert found == [str(value) for value in sheet.written(states[n]).points]
    rings = [int(node.get("data-ply", "")) for node in picture().iter() if node.get("data-ply")]
    laid = [n for n, state in enumerate(states) if n and reading.turns(state)[-1].tile is not None]
    assert rings == laid


def test_a_part_of_a_match_can_be_shown_at_any_ply() -> None:
    states = after_plies()[:10]
    text = GAME.replay_svg(states, ply=4)
    assert 'data-from="9"' in text
    with pytest.raises(ValueError, match="between 0 and 9"):
        GAME.replay_svg(states, ply=10)


def test_a_match_of_any_length_has_a_picture_of_bearable_size() -> None:
    assert len(GAME.replay_svg(after_plies())) / int(after_plies()[-1][layout.ROUND]) < 45_000
