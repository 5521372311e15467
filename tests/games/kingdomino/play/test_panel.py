import re

from games.kingdomino import dominoes, reading
from games.kingdomino.board.small import sheet, small_svg
from tests.games.kingdomino.matches import GAME, turns, walk
from tests.looping import looped


def test_the_domino_to_place_is_held_for_all_to_see():
    state = turns(4)[9]
    number = reading.to_place(state)
    for seat in (None, 0, 3):
        panel = GAME.panel(state, seat, prefix="hand-")
        assert panel.held_label.startswith(f"Domino {number} (")
        assert all(name.startswith("hand-") for name in re.findall(r'\bid="([^"]+)"', panel.held))


def test_in_round_1_and_after_the_end_nothing_is_held():
    for state in (turns(4)[0], walk(4)[-1][0]):
        panel = GAME.panel(state, None)
        assert (panel.held, panel.held_label) == ("", "")


def test_rows_to_come_are_counted():
    assert GAME.panel(turns(4)[0], None).note == "Round 1 of 13, 44 dominoes in later rows."
    assert GAME.panel(turns(2)[0], None).note == "Round 1 of 7, 20 dominoes in later rows."
    assert GAME.panel(turns(4)[-1], None).note == "Round 13 of 13, no row comes after this one."


def test_chances_are_those_of_the_next_row():
    assert (
        GAME.panel(turns(4)[0], None).stocks[0].chances
        == "4 of these 44 lie in the next row: each with 9\N{THIN SPACE}%."
    )
    assert GAME.panel(turns(4)[-1], None).stocks[0].chances == "", "no row comes any more"


def test_squares_are_counted_for_each_seat():
    assert [(one.left, one.total) for (one,) in GAME.panel(turns(3)[0], None).supplies] == [(0, 24)] * 3
    state = turns(2, size="7")[-1]
    for seat, (one,) in enumerate(GAME.panel(state, None).supplies):
        assert (one.left, one.total) == (len(reading.kingdom(state, seat)), 48)


def test_dominoes_that_have_been_drawn_are_gone():
    state = turns(4)[0]
    (stock,) = GAME.panel(state, None).stocks
    assert (stock.left, stock.total) == (44, 48)
    gone = [number for number, row in enumerate(stock.rows, start=1) if not row.left]
    assert gone == reading.offered_dominoes(state)


@looped("number", range(1, dominoes.NUM_DOMINOES + 1))
def test_small_pictures_use_the_sheet_alone(number):
    svg = small_svg(number)
    assert "id=" not in svg
    assert "class=" not in svg
    assert set(re.findall(r'href="#([^"]+)"', svg)) <= set(re.findall(r'\bid="([^"]+)"', sheet()))
    assert 'aria-hidden="true"' in svg


def test_small_pictures_differ_from_each_other():
    assert len({small_svg(number) for number in range(1, 49)}) == 48
