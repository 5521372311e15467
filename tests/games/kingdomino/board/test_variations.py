"""What might be played from a position, as marks that a script shows and hides."""

import re
import xml.etree.ElementTree as ET

from games import rng, variations
from games.kingdomino import reading
from games.protocol import CHANCE
from tests.games import walks
from tests.games.kingdomino.matches import GAME, check_references, marked, turns, walk


def follow(state, plies, choice):
    """States right after each of some plies, with draws in between."""
    r, found = rng.new_stream(5, rng.ANALYSIS), []
    for _ in range(plies):
        while GAME.current_player(state) == CHANCE:
            state = GAME.apply(state, GAME.sample_chance(state, r))
        actions = GAME.legal_actions(state)
        found.append(GAME.apply(state, int(actions[choice % len(actions)])))
        state = found[-1]
    return found


def test_every_action_is_a_variation_of_one_ply():
    for state in (turns(4)[2], turns(4)[14], turns(4)[51]):
        actions = [int(action) for action in GAME.legal_actions(state)]
        svg = variations.svg(GAME, state, [[GAME.apply(state, action)] for action in actions], prefix="p-")
        check_references(svg)
        groups = marked(ET.fromstring(svg), "data-variation")
        assert all(node.get("class") == "kd-off" and node.get("data-from") == "1" for node in groups)
        shown = dict.fromkeys(range(len(actions)), 0)
        for node in groups:
            for number in node.get("data-variation").split():
                shown[int(number)] += 1
        for number, action in enumerate(actions):
            move = reading.move(state, action)
            assert shown[number] == (move.squares is not None) + (move.chosen is not None)


def test_what_variations_have_in_common_is_drawn_once():
    state = turns(4)[14]
    moves = [reading.move(state, int(action)) for action in GAME.legal_actions(state)]
    after = [[GAME.apply(state, int(action))] for action in GAME.legal_actions(state)]
    groups = marked(ET.fromstring(variations.svg(GAME, state, after)), "data-variation")
    assert len(groups) == len({move.squares for move in moves}) + len({move.chosen for move in moves}) < len(moves)


def test_a_line_is_numbered_by_ply():
    state = turns(4)[20]
    line = follow(state, 6, 0)
    svg = variations.svg(GAME, state, [line])
    check_references(svg)
    dominoes = [node for node in marked(ET.fromstring(svg), "data-variation") if node.get("aria-label")]
    steps = [int(node.get("data-from")) for node in dominoes]
    assert steps == sorted(steps)
    assert len(steps) > 3
    assert set(re.findall(r'class="kd-number">(\d)<', svg)) >= {str(step) for step in steps}


def test_lines_stay_within_their_kingdoms():
    state = turns(2, size="7")[12]
    for choice in (0, 7, 31):
        svg = variations.svg(GAME, state, [follow(state, 12, choice), follow(state, 12, choice + 3)])
        left, top, width, height = map(float, ET.fromstring(svg).get("viewBox").split())
        for node in marked(ET.fromstring(svg), "data-variation"):
            x, y = map(float, re.match(r"translate\((\S+) (\S+)\)", node.get("transform")).groups())
            assert left < x < left + width
            assert top < y < top + height


def test_the_domino_to_be_placed_is_a_picture_of_its_own():
    svg = variations.drawn_svg(GAME, turns(4)[8], prefix="hand-")
    check_references(svg)
    assert ET.fromstring(svg).get("role") == "img"
    assert variations.drawn_svg(GAME, turns(4)[0]) == ""
    assert variations.drawn_svg(GAME, walk(4)[-1][0]) == ""


def test_the_kingdom_on_turn_comes_first_and_is_nobodys():
    state = turns(4)[14]
    svg = variations.svg(GAME, state, [])
    assert re.search(r'id="kingdom-(\d)"', svg).group(1) == str(GAME.current_player(state))
    assert "Your kingdom" not in svg


def test_a_position_before_a_draw_can_be_shown():
    state = walks.draws("kingdomino")[0]
    check_references(variations.svg(GAME, state, []))
