"""The picture of a whole match shows after n plies what was there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any
from xml.etree import ElementTree

import pytest

from games.dominoes import reading
from games.dominoes import state as layout
from games.dominoes.board import plates, sheet
from games.dominoes.board.arrangement import FORMS
from games.protocol import State
from games.svg import ID
from tests.games import walks
from tests.games.dominoes.tables import GAME
from tests.looping import looped

SVG = "{http://www.w3.org/2000/svg}"


@cache
def after_plies() -> list[State]:
    return walks.settled("dominoes")


@cache
def picture() -> ElementTree.Element:
    return ElementTree.fromstring(GAME.replay_svg(after_plies()))


def shown(node: ElementTree.Element, n: int) -> bool:
    start, end = node.get("data-from"), node.get("data-to")
    return start is None or (int(start) <= n and (end is None or n < int(end)))


def visible(n: int) -> Iterator[ElementTree.Element]:
    """All elements that are shown after n plies."""

    def walk(node: ElementTree.Element) -> Iterator[ElementTree.Element]:
        if shown(node, n):
            yield node
            for child in node:
                yield from walk(child)

    return walk(picture())


def titles(n: int) -> list[str]:
    """Titles of all that is shown after n plies."""
    return [node.text or "" for node in visible(n) if node.tag == f"{SVG}title"]


def texts(n: int) -> list[str]:
    """Words that are shown after n plies."""
    return ["".join(node.itertext()) for node in visible(n) if node.tag == f"{SVG}text"]


PLIES = [1, 2, 9, 20, 40, 77, 120]


@looped("n", [*PLIES, -1])
def test_rows_and_hands_are_those_of_the_state(n: int) -> None:
    states = after_plies()
    n %= len(states)
    state = states[n]
    assert GAME.is_terminal(state) or state[layout.NUM_TURNS], "a ply within a round"
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
        now = [node for node in points if node.get("data-from") and shown(node, n)]
        found = [["".join(one.itertext()) for one in node] for node in now]
        scores = [str(abs(value)) for value in GAME.scores(states[n])[:2]]
        assert found == [[value] * 2 for value in scores], "in both arrangements"
    rings = [int(node.get("data-ply", "")) for node in picture().iter() if node.get("data-ply")]
    last = [reading.turns(state) or [reading.Turn(0, int(state[layout.LAST_TURN]) & 63, None)] for state in states]
    assert rings == [n for n in range(1, len(states)) if last[n][-1].tile is not None]


def test_the_ply_that_ends_a_round_shows_its_last_tile_and_the_result() -> None:
    states = after_plies()
    lines = reading.sheet(states[-1])
    assert len(lines) > 3
    ply = 0
    for number, line in enumerate(lines):
        ply += line.turns
        words = titles(ply)
        held = [word for word in words if re.fullmatch(r"\d-\d", word)]
        pips = sum(int(word[0]) + int(word[2]) for word in held)
        assert pips == sum(line.pips), f"round {number + 1}"
        assert len(held) + sum(" by " in word for word in words) == 28
        ended, *_ = sheet.how_it_ended(line, is_against=True)
        assert re.sub("<.*?>", "", ended) in texts(ply)
        if number < len(lines) - 1:
            assert f"Round {number + 2}" in texts(ply + 1)
    assert ply == len(states) - 1


def dealt_and_over(seeds: range, **rules: Any) -> Iterator[list[State]]:
    """Settled states of matches in which a round ended as soon as it was dealt."""
    for seed in seeds:
        states = [
            state
            for state, _ in walks.walk(GAME, 4, seed, GAME.options(many_doubles="win", **rules))
            if GAME.current_player(state) >= 0 or GAME.is_terminal(state)
        ]
        if not all(line.turns for line in reading.sheet(states[-1])):
            yield states


def test_rounds_without_a_turn_are_told() -> None:
    single, *_ = [states for states in dealt_and_over(range(20), length="round") if len(states) == 1]
    text = GAME.replay_svg(single)
    assert "had four doubles" in re.sub("<[^>]*>", "", text)
    assert text.count('data-from="0"') > 28
    between = next(dealt_and_over(range(20), target=150))
    dealt = [k for k, line in enumerate(reading.sheet(between[-1])) if not line.turns]
    text = GAME.replay_svg(between)
    for k in dealt:
        line = reading.sheet(between[-1])[k]
        assert f"Round {k + 1}: {reading.COLOURS[line.seat].capitalize()}, four doubles" in re.sub("<[^>]*>", "", text)
    credit = [0, 0]
    for state in between[1:]:
        for event in GAME.events(state):
            credit[event.seats[0]] += event.points
    assert credit == list(GAME.scores(between[-1])[:2])


def test_a_part_of_a_match_can_be_shown_at_any_ply() -> None:
    states = after_plies()[:10]
    text = GAME.replay_svg(states, ply=4)
    assert 'data-from="9"' in text
    with pytest.raises(ValueError, match="between 0 and 9"):
        GAME.replay_svg(states, ply=10)


@pytest.mark.parametrize("looking", [0, 3])
def test_who_looks_sits_in_front_and_all_others_round_the_table(looking: int) -> None:
    states = after_plies()[:6]
    text = GAME.replay_svg(states, seat=looking)
    for seat in reading.SEATS:
        (group,) = (node for node in ElementTree.fromstring(text).iter() if node.get("id") == f"seat-{seat}")
        corners = [(float(form[0].get("x", "")), float(form[0].get("y", ""))) for form in group]
        assert corners == [form.homes[(seat - looking) % 4] for form in FORMS]
        hand = sorted(reading.hand(states[0], seat) or ())
        for form in FORMS:
            assert plates.open_tile(form, hand[-1], 6, 7, seat, looking).replace(ID, "") in text
    (turn, *_) = reading.turns(states[-1])
    assert plates.glow(FORMS[0], turn.seat, looking) in text
    assert (text == GAME.replay_svg(states)) == (looking == 0)
    assert GAME.replay_svg(states, seat=None) == GAME.replay_svg(states), "as anybody sees it"


def test_a_match_of_any_length_has_a_picture_of_bearable_size() -> None:
    assert len(GAME.replay_svg(after_plies())) / int(after_plies()[-1][layout.ROUND]) < 60_000


def test_open_ends_are_those_of_the_row() -> None:
    states = after_plies()
    for n in (1, 5, 14, 33, 60):
        assert states[n][layout.NUM_TURNS]
        signs = [node.get("aria-label", "") for node in visible(n) if node.get("aria-label", "").startswith("Open end")]
        assert signs == [f"Open end {end}" for end in reading.ends(states[n]) or ()]
