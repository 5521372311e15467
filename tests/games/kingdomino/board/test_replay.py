import re
import xml.etree.ElementTree as ET

import pytest

from games.kingdomino import reading
from games.kingdomino.board import picture
from tests.games.kingdomino.matches import GAME, after_plies, check_references, marked
from tests.looping import looped

SIZE_LIMIT = 160_000


def is_shown(node, n):
    if "data-ply" in node.attrib and int(node.get("data-ply")) > n:
        return False
    start, end = node.get("data-from"), node.get("data-to")
    return start is None or int(start) <= n < (10**9 if end is None else int(end))


def seen(node, n):
    """The element and all in it that is shown after n plies."""
    if is_shown(node, n):
        yield node
        for child in node:
            yield from seen(child, n)


def ids(root, n, name):
    found = (node.get("id", "") for node in seen(root, n))
    return {int(one.rsplit("-", 1)[1]) for one in found if one.startswith(f"{name}-")}


@pytest.mark.long
@pytest.mark.parametrize(("seats", "size"), [(2, "5"), (2, "7"), (3, "5"), (4, "5")])
def test_every_ply_shows_what_its_state_holds(seats, size):
    states = after_plies(seats, size=size)
    text = GAME.replay_svg(states)
    check_references(text)
    assert len(text.encode()) < SIZE_LIMIT
    root = ET.fromstring(text)
    for n, state in enumerate(states):
        shown = picture.build_picture(GAME.kernels(), state)
        assert ids(root, n, "domino") == {one.number for one in shown.laid}
        kings = shown.kings
        waiting = {fate.domino for fate in reading.fates(states[-1]) if fate.round == n // kings}
        assert ids(root, n, "place") == waiting - {fate.domino for fate in reading.fates(state) if fate.status}
        on_offer = {fate.domino for fate in reading.fates(states[-1]) if fate.round == n // kings + 1}
        assert ids(root, n, "offer") == on_offer


@pytest.mark.long
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_own_kingdom_comes_first(seats):
    states = after_plies(seats)

    def places(looking):
        root = ET.fromstring(GAME.replay_svg(states, seat=looking))
        kingdoms = [next(node for node in root.iter() if node.get("id") == f"kingdom-{seat}") for seat in range(seats)]
        heads = [next(node for node in kingdom.iter() if node.get("x")) for kingdom in kingdoms]
        return [(head.get("x"), head.get("y")) for head in heads]

    usual = places(None)
    assert len(set(usual)) == seats
    for looking in range(seats):
        assert places(looking) == [usual[(seat - looking) % seats] for seat in range(seats)]


@pytest.mark.parametrize("harmony", ["full", "nodiscard"])
def test_points_are_those_of_every_ply(harmony):
    states = after_plies(3, harmony=harmony)
    root = ET.fromstring(GAME.replay_svg(states))
    for n, state in enumerate(states):
        for seat, points in enumerate(GAME.scores(state)):
            kingdom = next(node for node in root.iter() if node.get("id") == f"kingdom-{seat}")
            shown = [node.text for node in seen(kingdom, n) if node.get("class", "").startswith("kd-n")]
            assert shown == [str(points)]


def test_the_ring_can_follow_every_ply_that_placed_or_chose():
    states = after_plies(4)
    root = ET.fromstring(GAME.replay_svg(states, ply=1))
    ringed = [node for node in marked(root, "data-ply") if node.get("transform")]
    assert all(node.get("style").startswith("--narrow:translate(") for node in ringed), "on a phone, too"
    assert root.get("data-narrow")
    places = {int(node.get("data-ply")) for node in ringed}
    last = range(len(states) - 4, len(states))
    assert set(range(1, len(states) - 4)) <= places
    placed = {n for n in last if len(_laid(states[n])) > len(_laid(states[n - 1]))}
    assert places & set(last) == placed


def _laid(state):
    return [fate for fate in reading.fates(state) if fate.squares]


@looped("ply", [0, 1, 7, 30, 52])
def test_marks_begin_as_the_ply_says(ply):
    states = after_plies(4)
    root = ET.fromstring(GAME.replay_svg(states, ply=ply))
    for node in [*marked(root, "data-from"), *marked(root, "aria-label")]:
        if "data-from" in node.attrib or "data-ply" in node.attrib:
            assert ("kd-off" in (node.get("class") or "")) != is_shown(node, ply)
    ring = next(node for node in root.iter() if node.get("id") == "last")
    if ply == 0:
        assert "kd-off" in ring.get("class").split()
    elif "kd-off" not in ring.get("class").split():
        moved = [
            (node.get("transform"), node.get("style"))
            for node in marked(root, "data-ply")
            if node.get("data-ply") == str(ply)
        ]
        assert (ring.get("transform"), ring.get("style")) in moved


def test_a_match_that_has_not_ended_is_drawn_as_far_as_it_has_come():
    states = after_plies(4)[:7]
    root = ET.fromstring(GAME.replay_svg(states))
    assert ids(root, 6, "domino") == {fate.domino for fate in _laid(states[-1])}
    assert "Round 2 of 13" in {node.text for node in seen(root, 6)}


def test_a_ply_outside_the_match_is_refused():
    states = after_plies(2)[:4]
    for ply in (-1, 4):
        with pytest.raises(ValueError, match=re.escape(f"ply must be between 0 and 3, not {ply}")):
            GAME.replay_svg(states, ply=ply)
