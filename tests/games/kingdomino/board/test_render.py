import re
import xml.etree.ElementTree as ET

import pytest

from games.kingdomino import reading
from games.svg import THEMES
from tests.games import walks
from tests.games.kingdomino.matches import GAME, check_references, numbers, turns, walk

SIZE_LIMIT = 80_000


@pytest.mark.parametrize("theme", THEMES)
def test_a_board_refers_to_nothing_outside_and_runs_nothing(theme):
    for state in (*walks.some(turns(4), 4), walk(4)[-1][0], walk(4)[0][0]):
        for seat in (None, 2):
            svg = GAME.svg(state, seat=seat, theme=theme)
            check_references(svg)
            text = svg.replace('xmlns="http://www.w3.org/2000/svg"', "")
            assert "//" not in text
            assert not re.search(r"<(script|image|foreignObject|a)\b|\son\w+=|@import|javascript:", text)
            assert ("var(" in text) == (theme in ("page", "auto"))


@pytest.mark.parametrize(("seats", "size"), [(2, "5"), (2, "7"), (3, "5"), (4, "5")])
def test_every_domino_lies_where_it_is(seats, size):
    for state in walks.some(turns(seats, size=size), 6):
        svg = GAME.svg(state)
        assert numbers(svg, "domino") == {fate.domino for fate in reading.fates(state) if fate.squares}
        assert numbers(svg, "offer") == set(reading.offered_dominoes(state))
        waiting = {
            fate.domino for fate in reading.fates(state) if fate.round == GAME.observation(state, 0)["round"] - 1
        }
        assert numbers(svg, "place") == waiting
        assert len(svg.encode()) < SIZE_LIMIT


def test_the_last_placement_is_ringed_and_said():
    state = turns(4)[20]
    last = [fate for fate in reading.fates(state) if fate.squares][-1]
    root = ET.fromstring(GAME.svg(state))
    ring = next(node for node in root.iter() if node.get("id") == "last")
    domino = next(node for node in root.iter() if node.get("id") == f"domino-{last.domino}")
    frame = next(node for node in domino if node.get("href") == "#frame")
    assert ring.get("transform") == frame.get("transform")
    desc = next(node for node in root.iter() if node.get("id") == "desc")
    assert f"Last placed: domino {last.domino} by " in desc.text


def test_a_discard_leaves_nothing_to_ring():
    found = 0
    for state, _ in walk(2, seed=2):
        settled = [fate for fate in reading.fates(state) if fate.status]
        if settled and settled[-1].squares is None:
            assert 'id="last"' not in GAME.svg(state)
            found += 1
    assert found


def test_in_round_1_kings_stand_in_order():
    state = turns(4)[1]
    svg = GAME.svg(state)
    labels = re.findall(r'aria-label="King of ([a-z ]+)(, has chosen)?"', svg)
    assert len(labels) == 4
    assert [bool(done) for _, done in labels] == [True, False, False, False]


def test_points_by_kind_add_up():
    for state, _ in (walk(3)[-1], walk(2, size="7", harmony="nodiscard")[-1]):
        rows = re.search(r'aria-label="Points by kind">(.*)</g>', GAME.svg(state)).group(1)
        words = re.findall(r">([^<>]+)</text>", rows)
        seats = GAME.num_seats(state)
        table = {words[i]: words[i + 1 : i + 1 + seats] for i in range(0, len(words), seats + 1)}
        assert tuple(map(int, table["Total"])) == GAME.scores(state)
        values = [[0 if cell == "\N{EN DASH}" else int(cell) for cell in row] for row in table.values()]
        assert [sum(column) for column in zip(*values[:-1], strict=True)] == values[-1]


def test_bonuses_that_are_not_played_are_not_listed():
    state = turns(2, middle="off", harmony="off")[0]
    assert "Middle" not in GAME.svg(state)
    assert "Harmony" not in GAME.svg(state)


def test_the_kingdom_of_who_looks_comes_first():
    state = turns(4)[9]
    for seat in range(4):
        text = GAME.svg(state, seat=seat)
        assert re.search(r'id="kingdom-(\d)"', text).group(1) == str(seat)
        assert text.count("Your kingdom") == 1
