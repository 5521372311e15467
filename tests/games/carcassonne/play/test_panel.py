import re

import pytest

from games.carcassonne import state as layout
from games.carcassonne.board.geometry import tile_facts
from games.carcassonne.board.small import sheet, small_svg
from games.options import from_json
from tests.games import walks
from tests.games.carcassonne.tables import parse
from tests.looping import looped

GAME = walks.game_of("carcassonne")


def start(**options):
    return GAME.initial_state(from_json(GAME.options, options), 3)


def test_before_the_first_draw_nothing_is_held():
    panel = GAME.panel(start(), None)
    assert (panel.held, panel.held_label) == ("", "")
    assert panel.note == "1 tile on the board, 71 to be drawn."
    (stock,) = panel.stocks
    assert (stock.title, stock.left, stock.total, len(stock.rows)) == ("Tiles left", 71, 71, 24)


def test_the_drawn_tile_is_held_for_all_to_see():
    state = GAME.apply(start(), sorted(tile_facts()).index("B"))
    panel = GAME.panel(state, 2, prefix="hand-")
    assert panel.held_label == "Monastery surrounded by field"
    assert 'aria-label="Monastery surrounded by field"' in panel.held
    assert all(name.startswith("hand-") for name in re.findall(r'\bid="([^"]+)"', panel.held))
    row = next(row for row in panel.stocks[0].rows if row.label == panel.held_label)
    assert (row.left, row.total) == (3, 4)
    assert row.chance == pytest.approx(3 / 70)


def test_the_start_tile_is_not_among_those_to_be_drawn():
    rows = GAME.panel(start(), None).stocks[0].rows
    row = next(row for row in rows if row.label == "City on one edge, straight road past it")
    assert (row.left, row.total) == (3, 3)


def test_each_seat_has_its_meeples():
    letter, move = parse("B 0,1 0° monastery")
    state = GAME.apply(start(), sorted(tile_facts()).index(letter))
    actions = {GAME.notation(state, int(action)): int(action) for action in GAME.legal_actions(state)}
    after = GAME.apply(state, actions["B 0,1 0° monastery"])
    assert move[3] == "monastery"
    supplies = GAME.panel(after, 0).supplies
    assert [(one.label, one.left, one.total) for (one,) in supplies] == [
        ("Meeples in hand", 6, 7),
        ("Meeples in hand", 7, 7),
        ("Meeples in hand", 7, 7),
    ]


def test_discarded_tiles_are_counted():
    state = start(unplaceable="discard")
    state[layout.DISCARDED] = 2
    assert GAME.panel(state, None).note == "1 tile on the board, 71 to be drawn, 2 discarded."


def test_nothing_is_drawn_after_the_end():
    panel = GAME.panel(walks.end("carcassonne", 2), None)
    assert not panel.held
    assert "drawn" not in panel.note
    assert all(row.chance is None for row in panel.stocks[0].rows)


@looped("letter", sorted(tile_facts()))
def test_small_pictures_use_the_sheet_alone(letter):
    svg = small_svg(letter)
    assert "id=" not in svg
    assert "class=" not in svg
    assert set(re.findall(r'href="#([^"]+)"', svg)) <= set(re.findall(r'\bid="([^"]+)"', sheet()))
    assert 'aria-hidden="true"' in svg


def test_small_pictures_differ_from_each_other():
    assert len({small_svg(letter) for letter in tile_facts()}) == len(tile_facts())
