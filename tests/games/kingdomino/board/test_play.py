import re
import time
import xml.etree.ElementTree as ET

import pytest

from games.kingdomino import metrics, reading
from tests.games import walks
from tests.games.kingdomino.matches import GAME, check_references, marked, turns

SIZE_LIMIT = 160_000


def on_turn(state, **more):
    return GAME.play_svg(state, seat=GAME.current_player(state), **more)


def spelt(state):
    spellings = (GAME.parts, GAME.other_parts)
    return [
        parts for spell in spellings for action in GAME.legal_actions(state) if (parts := spell(state, int(action)))
    ]


def classes(node):
    return (node.get("class") or "").split()


@pytest.mark.long
@pytest.mark.parametrize(("seats", "size"), [(2, "5"), (2, "7"), (3, "5"), (4, "5")])
def test_the_board_is_whole_for_the_seat_on_turn_and_for_others(seats, size):
    for state in walks.some(turns(seats, size=size), 5):
        for theme in ("page", "auto", "light"):
            check_references(on_turn(state, theme=theme, prefix="b-"))
        check_references(GAME.play_svg(state, seat=None, prefix="b-"))


def test_each_way_of_placing_has_its_picture():
    for state in walks.some(turns(4)[4:], 6):
        shown = {node.get("data-show") for node in marked(ET.fromstring(on_turn(state)), "data-show")}
        ways = {"|".join(part.value for part in parts[:2]) for parts in spelt(state) if parts[0].value != "none"}
        assert ways == {one for one in shown if "|" in one}


@pytest.mark.long
def test_the_sign_for_turning_stands_where_the_domino_fits_in_several_ways():
    met = set()
    for state in walks.some(turns(4)[4:], 10):
        ways: dict = {}
        for parts in spelt(state):
            if parts[0].value != "none":
                ways.setdefault(parts[0].value, set()).add(parts[1].value)
        root = ET.fromstring(on_turn(state))
        signs = {node.get("data-show") for node in marked(root, "data-show") if "|" not in node.get("data-show")}
        assert signs == {cell for cell, found in ways.items() if len(found) > 1}
        for node in marked(root, "data-step"):
            if node.get("data-value") in ways:
                assert ("It fits in" in node.get("aria-label")) == (node.get("data-value") in signs)
        met |= {len(found) > 1 for found in ways.values()}
    assert met == {True, False}


@pytest.mark.long
def test_a_domino_can_be_discarded_where_the_rules_say_so():
    forced, free = 0, 0
    for must_place in (True, False):
        for state in turns(2, seed=2, must_place=must_place):
            values = {parts[0].value for parts in spelt(state)}
            targets = list(marked(ET.fromstring(on_turn(state)), "data-step"))
            found = [node for node in targets if node.get("data-value") == "none"]
            assert len(found) == ("none" in values)
            forced += must_place and values == {"none"}
            free += not must_place and "none" in values and len(values) > 1
    assert forced
    assert free


def test_without_the_aid_a_square_can_still_be_pointed_at():
    for node in marked(ET.fromstring(on_turn(turns(4)[8])), "data-step"):
        if node.get("data-step") == "square" and node.get("data-value") != "none":
            assert "data-aid" not in node.attrib
            assert [child.get("data-aid") for child in node] == [None, "legal"]


def test_pictures_of_the_choice_are_not_in_the_way_of_what_lies_below():
    text = on_turn(turns(4)[8])
    assert ".kd-chosen{pointer-events:none}" in text
    pictures = marked(ET.fromstring(text), "data-show")
    assert pictures
    assert all("kd-chosen" in classes(node) for node in pictures)


def test_every_area_can_be_pointed_at_and_says_its_points():
    state = turns(4)[30]
    text = GAME.play_svg(state, seat=None)
    root = ET.fromstring(text)
    areas = [area for seat in range(4) for area in metrics.areas(reading.kingdom(state, seat))]
    targets = marked(root, "data-f")
    assert len(targets) == 2 * len(areas)
    words = [f"{len(area.squares)}\N{MULTIPLICATION SIGN}{area.crowns}={area.points}" for area in areas]
    assert re.findall(r">(\d+\N{MULTIPLICATION SIGN}\d+=\d+)</text>", text) == words
    hover = next(node for node in root.iter() if (node.get("id") or "").endswith("hover"))
    assert hover.get("data-aid") == "territory"
    all_points = [node for node in marked(root, "data-aid") if node.get("data-aid") == "areas"]
    assert len([use for one in all_points for group in one for use in group]) == sum(area.crowns > 0 for area in areas)


def test_keys_begin_at_the_own_kingdom():
    state = turns(4)[20]
    first = next(node for node in ET.fromstring(on_turn(state)).iter() if (node.get("id") or "").endswith("last"))
    assert first.get("id") == "home-last"
    spectator = ET.fromstring(GAME.play_svg(state, seat=None))
    ends = [node.get("id") for node in spectator.iter() if (node.get("id") or "").endswith("last")]
    assert ends == ["last"]


def test_kingdoms_of_others_can_be_seen_at_large():
    root = ET.fromstring(GAME.play_svg(turns(4)[20], seat=1))
    assert [node.get("data-rival") for node in marked(root, "data-rival")] == ["0", "2", "3"]
    large = {node.get("data-large"): node for node in marked(root, "data-large")}
    assert set(large) == {"0", "2", "3"}
    assert all(large[seat][-1].get("href") == f"#kingdom-{seat}" for seat in large)
    assert not marked(ET.fromstring(GAME.play_svg(turns(4)[20], seat=None)), "data-large")


def test_both_arrangements_are_places_of_one_drawing():
    text = on_turn(turns(4)[20])
    root = ET.fromstring(text)
    assert root.get("data-narrow") != root.get("viewBox")
    assert len(re.findall(r'id="kingdom-', text)) == 4
    for node in root.iter():
        if "kd-at" in classes(node):
            assert re.fullmatch(r"--narrow:translate\(-?[\d.]+px,-?[\d.]+px\) scale\([\d.]+\)", node.get("style"))


def test_squares_have_the_colour_of_the_seat_on_turn():
    for state in turns(3)[6:9]:
        assert f"var(--seat-{GAME.current_player(state)}," in on_turn(state)


def busiest():
    states = [*turns(2, size="7", must_place=False), *turns(4)]
    return max(states, key=lambda state: len(GAME.legal_actions(state)))


def test_the_busiest_positions_are_small():
    assert len(on_turn(busiest(), prefix="board-").encode()) < SIZE_LIMIT


def test_a_busy_position_is_drawn_quickly_once_warm():
    state = busiest()
    on_turn(state)
    times = []
    for _ in range(5):
        start = time.process_time()
        on_turn(state)
        times.append(time.process_time() - start)
    assert min(times) < 0.1  # some 12 ms on an idle core: room for slow machines


def test_nothing_in_the_drawing_runs_or_comes_from_outside():
    text = re.sub(r'xmlns="http://www\.w3\.org/2000/svg"', "", on_turn(busiest()))
    assert "//" not in text
    assert not re.search(r"<(script|image|foreignObject|a)\b|\son\w+=|@import|javascript:", text)
