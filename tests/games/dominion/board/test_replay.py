import re
import xml.etree.ElementTree as ET

import pytest

from games.dominion import reading
from games.dominion import state as layout
from tests.games import walks
from tests.games.dominion.drawn import GAME, by_id, check_harmless, check_references, marked, settled

SIZE_A_PLY = 6_000


def is_shown(node, n):
    start, end = node.get("data-from"), node.get("data-to")
    return start is None or int(start) <= n < (10**9 if end is None else int(end))


def seen(node, n):
    """The element and all in it that is shown after n plies, on the wide arrangement."""
    if node.get("class") != "dm-narrow" and is_shown(node, n):
        yield node
        for child in node:
            yield from seen(child, n)


def numbers(root, name, n):
    """Cards by number that are drawn in a part of the table after n plies."""
    hrefs = (node.get("href") or "" for node in seen(by_id(root, name), n))
    return {int(href[2:]) for href in hrefs if re.fullmatch(r"#[cm]\d+", href)}


@pytest.fixture(scope="module", params=[(2, "thesis"), (3, "interaction")], ids=["two", "three"])
def match(request):
    seats, kingdom = request.param
    states = settled(seats, 2, kingdom=kingdom)[:120]
    return states, GAME.replay_svg(states)


def test_a_match_is_whole_and_not_too_large(match):
    states, text = match
    check_references(text)
    check_harmless(text)
    assert len(text.encode()) < 100_000 + SIZE_A_PLY * len(states)


def test_every_ply_shows_what_its_state_holds(match):
    states, text = match
    root = ET.fromstring(text)
    for n, state in walks.some(list(enumerate(states)), 25):
        assert numbers(root, "table", n) >= set(reading.zone(state, layout.PLAYED))
        assert numbers(root, "hand", n) == set(reading.seat_zone(state, GAME.current_player(state), layout.HAND))
        for number, left in reading.supply(state).items():
            pills = [
                node.get("href") for node in seen(by_id(root, f"pile-{number}"), n) if "#n" in (node.get("href") or "")
            ]
            assert pills == [f"#n{left}"]


def test_figures_are_those_of_every_ply(match):
    states, text = match
    root = ET.fromstring(text)
    for n, state in walks.some(list(enumerate(states)), 15):
        for seat in range(GAME.num_seats(state)):
            shown = [node.text for node in seen(by_id(root, f"seat-{seat}"), n) if node.tag.endswith("text")][1:]
            discard = sum(reading.seat_zone(state, seat, layout.DISCARD).values())
            values = [reading.deck_size(state, seat), reading.hand_size(state, seat), discard, GAME.scores(state)[seat]]
            assert shown == [str(value) for value in values]


def test_what_a_ply_took_and_played_has_a_ring(match):
    states, text = match
    root = ET.fromstring(text)
    rings = marked(by_id(root, "rings"), "data-from")
    for n in range(1, len(states)):
        before, after = reading.supply(states[n - 1]), reading.supply(states[n])
        taken = sum(before[number] > after[number] for number in after)
        shown = [ring for ring in rings if is_shown(ring, n)]
        assert len(shown) in (0, 2)
        if taken:
            assert len(shown[0]) >= taken


@pytest.mark.parametrize("ply", [0, 1, 30])
def test_marks_begin_as_the_ply_says(ply):
    root = ET.fromstring(GAME.replay_svg(settled(2, 2, kingdom="thesis")[:60], ply=ply))
    for node in marked(root, "data-from"):
        assert ("dm-off" in (node.get("class") or "")) != is_shown(node, ply)


def test_phases_follow_the_turn():
    states = settled(2, 2, kingdom="thesis")[:40]
    root = ET.fromstring(GAME.replay_svg(states))
    for n, state in enumerate(states):
        shown = [node.get("href") for node in seen(by_id(root, "turn"), n) if "phase" in (node.get("href") or "")]
        if state[layout.KIND] <= layout.BUY:
            phase = {layout.ACTION: 0, layout.TREASURE: 1, layout.BUY: 2}[int(state[layout.KIND])]
            assert shown == [f"#phase-wide-{phase}"]


def test_a_whole_match_ends_with_its_result():
    states = settled(1, 1, turn_limit=6)
    text = GAME.replay_svg(states)
    assert "The match is over" in {node.text for node in seen(by_id(ET.fromstring(text), "turn"), len(states) - 1)}


def test_a_ply_outside_the_match_is_refused():
    states = settled(2, 2, kingdom="thesis")[:4]
    for ply in (-1, 4):
        with pytest.raises(ValueError, match=re.escape(f"ply must be between 0 and 3, not {ply}")):
            GAME.replay_svg(states, ply=ply)
