import itertools
import math
import re
import time
import xml.etree.ElementTree as ET

from games.carcassonne import reading
from games.carcassonne.board import play
from games.carcassonne.board.curves import distance, inside, points_array, sample
from games.carcassonne.board.geometry import CENTRE, tile_facts, tile_shape
from games.carcassonne.play import frontier
from tests.games import walks
from tests.looping import looped

from .test_render import check_references, classes

GAME = walks.game_of("carcassonne")
TYPES = sorted(tile_facts())
SIZE_LIMIT = 240_000


def on_turn(state, **more):
    return GAME.play_svg(state, seat=GAME.current_player(state), **more)


def busiest():
    """The position with the most legal actions of some random matches."""
    states = [state for seed in range(1, 7) for state in walks.turns("carcassonne", 2, seed)]
    return max(states, key=lambda state: len(GAME.legal_actions(state)))


def marked(root, name):
    return [node for node in root.iter() if name in node.attrib]


@looped("letter", TYPES)
def test_targets_for_a_meeple_lie_apart_and_on_their_segments(letter):
    shape, spots = tile_shape(letter), play.targets(letter)
    assert set(spots) == set(shape.spots)
    for (_, a), (_, b) in itertools.combinations(spots.items(), 2):
        assert math.dist(a, b) >= 2 * play.SPOT
    for name, spot in spots.items():
        point = points_array([spot])
        if name in shape.regions:
            assert inside(point, shape.regions[name])[0] or distance(point, shape.regions[name])[0] < 3
        elif name in shape.roads:
            assert distance(point, sample(shape.roads[name], 30))[0] < 8
        else:
            assert math.dist(spot, CENTRE) < 8


def test_the_board_is_whole_for_the_seat_on_turn_and_for_others():
    for state in walks.some(walks.turns("carcassonne", 5), 6):
        for theme in ("page", "auto", "light"):
            check_references(on_turn(state, theme=theme, prefix="b-"))
        check_references(GAME.play_svg(state, seat=None, prefix="b-"))


def test_the_window_covers_every_place_beside_a_tile():
    for state in walks.some(walks.turns("carcassonne", 2), 8):
        left, top, width, height = map(float, ET.fromstring(on_turn(state)).get("viewBox").split())
        for x, y in frontier.frontier_cells(state):
            assert left <= 100 * x
            assert 100 * x + 100 <= left + width
            assert top <= 100 * y
            assert 100 * y + 100 <= top + height


def test_each_chosen_tile_and_meeple_has_its_picture():
    state = walks.turns("carcassonne", 2)[5]
    shown = {node.get("data-show") for node in marked(ET.fromstring(on_turn(state)), "data-show")}
    for action in GAME.legal_actions(state):
        cell, rotation, meeple = (part.value for part in GAME.parts(state, int(action)))
        assert f"{cell}|{rotation}" in shown
        assert meeple == "none" or f"{cell}|{rotation}|{meeple}" in shown


def test_the_sign_for_turning_is_part_of_places_where_the_tile_fits_in_several_ways():
    both = set()
    for state in walks.some(walks.turns("carcassonne", 2), 10):
        ways: dict = {}
        for action in GAME.legal_actions(state):
            cell, rotation, _ = GAME.parts(state, int(action))
            ways.setdefault(cell.value, set()).add(rotation.value)
        for node in marked(ET.fromstring(on_turn(state)), "data-step"):
            if node.get("data-step") == "cell":
                turns = len(ways[node.get("data-value")])
                signs = [child.get("data-show") for child in node if child.get("data-show")]
                assert signs == ([node.get("data-value")] if turns > 1 else [])
                assert (f"fits in {turns} ways" in node.get("aria-label")) == (turns > 1)
                both.add(turns > 1)
    assert both == {True, False}


def test_without_the_aid_a_place_can_still_be_pointed_at():
    state = walks.turns("carcassonne", 2)[5]
    for node in marked(ET.fromstring(on_turn(state)), "data-step"):
        if node.get("data-step") == "cell":
            assert "data-aid" not in node.attrib
            assert any("data-aid" not in child.attrib and "data-show" not in child.attrib for child in node)
            assert [child.get("data-aid") for child in node if child.get("data-aid")] == ["legal"]


def test_pictures_of_the_choice_are_not_in_the_way_of_what_lies_below():
    state = walks.turns("carcassonne", 2)[5]
    text = on_turn(state)
    assert ".cc-chosen{pointer-events:none}" in text
    pictures = [node for node in marked(ET.fromstring(text), "data-show") if "|" in node.get("data-show")]
    assert pictures
    assert all("cc-chosen" in classes(node) for node in pictures)


def test_dead_places_are_crossed_out_and_named():
    state = next(state for state in walks.turns("carcassonne", 2) if frontier.dead_cells(state))
    root = ET.fromstring(GAME.play_svg(state, seat=None))
    (layer,) = [node for node in marked(root, "data-aid") if node.get("data-aid") == "dead"]
    words = {mark.get("aria-label") for mark in layer}
    x, y = frontier.dead_cells(state)[0]
    assert len(layer) == len(frontier.dead_cells(state))
    assert f"No tile left fits column {x}, row {y}.".replace("-", "\N{MINUS SIGN}") in words


def test_territory_lights_up_only_while_its_aid_is_on():
    root = ET.fromstring(GAME.play_svg(walks.turns("carcassonne", 2)[3], seat=None, prefix="b-"))
    layer = next(node for node in root.iter() if node.get("id") == "b-hover")
    assert layer.get("data-aid") == "territory"
    assert classes(layer) == ["cc-hover", "off"]


def test_the_last_placement_is_ringed_and_said():
    state = walks.turns("carcassonne", 2)[9]
    root = ET.fromstring(on_turn(state))
    last = reading.laid_tiles(GAME.kernels(), state)[-1]
    ring = next(node for node in root.iter() if node.get("id") == "last")
    assert ring.get("transform") == f"translate({100 * last.x} {100 * last.y})"
    desc = next(node for node in root.iter() if node.get("id") == "desc")
    assert "Last placed: " in desc.text


def test_places_have_the_colour_of_the_seat_on_turn():
    for state in walks.turns("carcassonne", 3)[6:9]:
        assert f"var(--seat-{GAME.current_player(state)}," in on_turn(state)


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
