import re
import xml.etree.ElementTree as ET

import pytest

from games.dominion import reading
from games.dominion import state as layout
from games.svg import THEMES
from tests.games import walks
from tests.games.dominion.drawn import GAME, by_id, check_harmless, check_references, of_kinds, turns, walk

SIZE_LIMIT = 80_000


@pytest.mark.parametrize("theme", THEMES)
def test_a_table_refers_to_nothing_outside_and_runs_nothing(theme):
    for state in (walk(4)[0][0], *walks.some(turns(4), 3), walk(2)[-1][0], turns(1)[4]):
        for seat, width in ((None, 900), (0, 900), (0, 390)):
            svg = GAME.svg(state, seat=seat, theme=theme, width=width)
            check_references(svg)
            check_harmless(svg)
            assert ("var(" in svg) == (theme in ("page", "auto"))
            assert len(svg.encode()) < SIZE_LIMIT


def test_narrow_pictures_are_drawn_as_on_a_phone():
    state = turns(2)[3]
    wide, narrow = (ET.fromstring(GAME.svg(state, seat=0, width=width)).get("viewBox") for width in (900, 390))
    ratio = [float(side) for side in wide.split()[2:]], [float(side) for side in narrow.split()[2:]]
    assert ratio[0][0] > ratio[0][1]
    assert ratio[1][0] < ratio[1][1]


def test_piles_say_how_many_are_left_and_what_the_card_does():
    state = turns(2)[20]
    root = ET.fromstring(GAME.svg(state))
    for number, left in reading.supply(state).items():
        label = by_id(root, f"pile-{number}").get("aria-label")
        assert f", {left or 'none'} left. " in label
    assert by_id(root, "pile-14").get("aria-label").endswith("left. Draw 2 cards. 1 more action.")


def test_an_option_of_the_rules_shows_on_the_card():
    state = turns(2, woodcutter_coins=7)[3]
    svg = GAME.svg(state)
    assert " 7 coins." in svg
    assert ">+7</text>" in svg


def test_seats_say_what_everybody_knows():
    state = turns(3)[40]
    root = ET.fromstring(GAME.svg(state, seat=1))
    for seat in range(3):
        label = by_id(root, f"seat-{seat}").get("aria-label")
        assert f"{GAME.scores(state)[seat]} points" in label
        assert f"{reading.hand_size(state, seat)} in hand" in label
        assert f"{reading.deck_size(state, seat)} cards in the deck" in label
    assert ">You</text>" in GAME.svg(state, seat=1)
    assert ">You</text>" not in GAME.svg(state)


def test_what_an_effect_asks_stands_on_the_table():
    root = ET.fromstring(GAME.svg(of_kinds()[layout.ROB], seat=None))
    turn = by_id(root, "turn")
    assert "Thief: trash a Treasure" in {node.text for node in turn.iter()}
    aside = reading.zone(of_kinds()[layout.ROB], layout.ASIDE)
    drawn = {int(number) for number in re.findall(r'id="aside-card-(\d+)"', ET.tostring(root, "unicode"))}
    assert drawn == set(aside)


def test_a_seat_that_answers_in_somebody_elses_turn_is_marked():
    state = of_kinds()[layout.DISCARD_DOWN]
    root = ET.fromstring(GAME.svg(state))
    plates = [by_id(root, f"seat-{seat}")[1] for seat in range(3)]
    assert plates[GAME.current_player(state)].get("stroke-dasharray")
    assert plates[int(state[layout.TURN])].get("stroke-width") == "3"
    assert not plates[int(state[layout.TURN])].get("stroke-dasharray")


def test_a_match_that_is_over_says_so():
    root = ET.fromstring(GAME.svg(walk(2)[-1][0]))
    assert by_id(root, "desc").text.startswith("The match is over. Points: blue disc ")
