import re

import pytest

from games.dominion import cards, reading
from games.dominion import state as layout
from games.dominion.board.small import sheet, small_svg
from tests.games.dominion.drawn import GAME, of_kinds, turns
from tests.looping import looped


def stocks(state, seat):
    return {stock.title: stock for stock in GAME.panel(state, seat).stocks}


def test_the_card_that_asks_is_held_for_all_to_see():
    for kind, state in of_kinds().items():
        for seat in (None, 0, 2):
            panel = GAME.panel(state, seat, prefix="hand-")
            asked = reading.decision(state)
            assert panel.held_label == ("" if asked.card is None else cards.name(asked.card))
            assert bool(panel.held) == (kind > layout.BUY)
            assert all(name.startswith("hand-") for name in re.findall(r'\bid="([^"]+)"', panel.held))


def test_the_note_says_what_is_left_or_asked():
    assert re.fullmatch(r"1 action, 1 buy, \d+ coins? left\.", GAME.panel(of_kinds()[layout.BUY], None).note)
    assert GAME.panel(of_kinds()[layout.DISCARD_DECK], None).note == "Discard the deck?"
    assert GAME.panel(of_kinds()[layout.ONTO_DECK], None).note == "Put a Victory card back."


def test_the_supply_is_counted_pile_by_pile():
    state = turns(4)[0]
    supply = stocks(state, None)["Supply"]
    assert (supply.left, supply.total) == (sum(reading.supply(state).values()),) * 2
    assert [row.label for row in supply.rows[:3]] == ["Copper", "Silver", "Gold"]
    assert len(supply.rows) == 17


def test_chances_are_those_of_the_own_deck():
    state = turns(2)[5]
    seat = GAME.current_player(state)
    deck = stocks(state, seat)["Your deck"]
    left = reading.seat_zone(state, seat, layout.DECK)
    assert deck.left == sum(left.values()) > 0
    assert {row.label: row.chance for row in deck.rows} == {
        cards.name(number): pytest.approx(left.get(number, 0) / deck.left)
        for number in GAME.observation(state, seat) and _owned(state, seat)
    }


def _owned(state, seat):
    zones = [reading.seat_zone(state, seat, which) for which in (layout.DECK, layout.HAND, layout.DISCARD)]
    return {number for zone in [*zones, reading.zone(state, layout.PLAYED)] for number in zone}


def test_a_card_known_on_top_is_sure_to_come():
    state = of_kinds()[layout.JUDGE]
    victim = reading.decision(state).victim
    (sure,) = [row for row in stocks(state, victim)["Your deck"].rows if row.chance]
    assert (sure.label, sure.chance) == (cards.name(reading.top_cards(state, victim)[0]), 1)


def test_spectators_have_no_deck():
    assert set(stocks(turns(2)[5], None)) == {"Supply"}


@looped("number", range(cards.NUM_CARDS))
def test_small_pictures_use_the_sheet_alone(number):
    svg = small_svg(number)
    assert "id=" not in svg
    assert "class=" not in svg
    assert set(re.findall(r'href="#([^"]+)"', svg)) <= set(re.findall(r'\bid="([^"]+)"', sheet()))
    assert 'aria-hidden="true"' in svg


def test_small_pictures_differ_from_each_other():
    assert len({small_svg(number) for number in range(cards.NUM_CARDS)}) == cards.NUM_CARDS
