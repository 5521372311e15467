"""The table as somebody at it sees it: hands, ends to choose, what may be said, the sheet."""

from __future__ import annotations

import itertools
import re
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from games import svg
from games.dominoes import state as layout
from games.dominoes.board import plates, sheet
from games.dominoes.board.arrangement import FORMS, NARROW, WIDE, WRITING, Box, Form
from games.protocol import State
from tests.games import walks
from tests.games.dominoes.tables import GAME, after, position

CALLS: dict[str, Any] = {"enforce_pass": False}


def targets(state: State) -> dict[str, tuple[str, str, str]]:
    root = ElementTree.fromstring(GAME.play_svg(state, seat=GAME.current_player(state)))
    return {
        node.attrib["id"]: (node.attrib["data-step"], node.attrib["data-value"], node.attrib["data-when"])
        for node in root.iter()
        if "data-step" in node.attrib
    }


def test_a_tile_that_fits_both_ends_asks_where() -> None:
    state = position([[(1, 2), (1, 6)], [(3, 4)], [(0, 3)], [(2, 6)]], (1, 2), 0)
    assert targets(state) == {
        "hand-1-2": ("tile", "1-2", ""),
        "end-left-1-2": ("end", "left", "1-2"),
        "end-right-1-2": ("end", "right", "1-2"),
        "hand-1-6": ("tile", "1-6", ""),
    }


def test_equal_ends_ask_nothing() -> None:
    state = position([[(1, 2)], [(3, 4)], [(0, 3)], [(2, 6)]], (2, 2), 0)
    assert targets(state) == {"hand-1-2": ("tile", "1-2", "")}


def test_passing_and_calling_are_buttons() -> None:
    state = position([[(1, 3), (3, 3)], [(1, 4)], [(5, 5)], [(6, 6)]], (1, 2), 0, **CALLS)
    state = after(state, "PASS")
    assert set(targets(state)) == {"hand-1-4", "pass", "call-0"}
    text = GAME.play_svg(state, seat=1)
    assert "Pass.</" not in text
    assert re.search(r'aria-label="Call the pass of blue\."', text)
    assert 'aria-label="blue disc: Pass"' in text, "who passed says so"


def test_hands_are_drawn_for_those_who_may_see_them() -> None:
    state = walks.turns("dominoes")[3]
    for seat in (None, 0, 1, 2, 3):
        text = GAME.svg(state, seat=seat)
        seen = {int(n) for n in re.findall(r'id="tile-(\d)-\d+"', text)}
        assert seen == ({seat} if seat is not None else set())
    end = walks.end("dominoes")
    text = GAME.svg(end, seat=None)
    left = {seat for seat in range(4) if end[layout.COUNT + seat]}
    assert {int(n) for n in re.findall(r'id="tile-(\d)-\d+"', text)} == left


def test_the_partner_sits_opposite() -> None:
    for form in FORMS:
        for seat in range(4):
            assert plates.home(form, (seat + 2) % 4, seat) == plates.home(form, 2, 0)
            assert plates.home(form, seat, seat) == plates.home(form, 0, 0)


def test_the_sheet_adds_up() -> None:
    end = walks.end("dominoes")
    root = ElementTree.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{sheet.svg_rows(WIDE, end)}</svg>')
    texts = [node.text for node in root.iter() if node.tag.endswith("text")]
    assert texts[-2:] == [str(abs(points)) for points in GAME.scores(end)[:2]]
    assert max(sheet.read_totals(end).points) == -min(GAME.scores(end))
    for form in FORMS:
        assert all(form.snake.x < x < form.snake.x + form.snake.width for x in form.sheet.columns)


def test_how_rounds_end_in_words() -> None:
    rules: dict[str, Any] = {"capicua": 25}
    state = after(position([[(1, 2)], [(3, 4)], [(0, 3)], [(2, 6)]], (1, 2), 0, **rules), ((1, 2), "L"))
    line = sheet.reading.sheet(state)[-1]
    told = [
        [re.sub("<.*?>", "", words) for words in sheet.how_it_ended(line, is_against)] for is_against in (True, False)
    ]
    assert told[0] == ["Blue went out: capicúa", "40 against", "Orange and Pink"]
    assert told[1] == ["Blue went out: capicúa", "40 for", "Blue and Green"]
    assert sheet.how_it_ended(line._replace(winner=None, kind="block"), True)[1] == "Nobody wins"
    assert sheet.aim(state) == "First to 100 loses"
    assert sheet.aim(np.where(np.arange(len(state)) == layout.DIRECTION, 1, state)) == "First to 100 wins"


def test_the_last_plies_have_rings() -> None:
    state = next(state for state in walks.turns("dominoes") if state[layout.NUM_LAID] >= 5 and not state[layout.PASSES])
    text = GAME.play_svg(state, seat=None, recent=4)
    assert text.count('id="last"') == 1
    rings = sum(1 for turn in sheet.reading.turns(state)[-4:] if turn.tile is not None)
    assert text.count("#1B1B1B") == rings * len(FORMS), "a ring is drawn in two colours"


def test_a_page_holds_both_arrangements_and_a_picture_one() -> None:
    state = walks.turns("dominoes")[30]
    page, picture = GAME.play_svg(state, seat=0), GAME.svg(state, width=400)
    assert f'data-narrow="0 0 {NARROW.size[0]:g} {NARROW.size[1]:g}"' in page
    assert f'viewBox="0 0 {WIDE.size[0]:g} {WIDE.size[1]:g}"' in page
    assert page.count('class="dm-wide"') == page.count('class="dm-narrow"') > 10
    assert f'viewBox="0 0 {NARROW.size[0]:g} {NARROW.size[1]:g}"' in picture
    assert "dm-wide" not in re.sub("<style>.*?</style>", "", picture)


def test_no_words_are_too_small_to_be_read() -> None:
    """12 pixels: the free part of a stage is 944 pixels wide in a window of 1280 x 800, a phone's 374."""
    for form, width in ((WIDE, 944), (NARROW, 374)):
        plate = form.plate
        passed_on = plate.lack * 86 / 115
        sizes = [plate.name[2], plate.second[2], passed_on, form.word_size - 0.5, form.score_size, form.sheet.size]
        assert min(sizes) * width / form.size[0] >= 12 - 0.05
        assert form is NARROW or min(sizes) >= WRITING


@pytest.mark.parametrize("form", FORMS, ids=["wide", "narrow"])
def test_nothing_lies_in_the_way_of_the_row_of_tiles(form: Form) -> None:
    """Plates, hands, however they lie, points and what may be said have places of their own."""
    places = [form.snake, form.hand, form.words if form.key == "wide" else form.say, *form.scores]
    for seat in range(4):
        plate = plates.frame_of(form, seat, 0)
        places.append(plate)
        if seat:
            unit = form.plate.open
            tiles = plates.open_places(form, 7, seat, 0)
            left, top = min(x for x, *_ in tiles) - unit / 2, min(y for _, y, _ in tiles) - unit
            right, bottom = max(x for x, *_ in tiles) + unit / 2, max(y for _, y, _ in tiles) + unit
            places.append(Box(left, top, right - left, bottom - top))
    for place in places:
        assert place.x >= 0
        assert place.y >= 0
        assert place.x + place.width <= form.size[0]
        assert place.y + place.height <= form.size[1]
    for one, other in itertools.combinations(places, 2):
        is_apart = one.x + one.width <= other.x or other.x + other.width <= one.x
        assert is_apart or one.y + one.height <= other.y or other.y + other.height <= one.y, (one, other)


def test_people_sit_left_across_and_right() -> None:
    homes = [plates.frame_of(WIDE, seat, 0) for seat in range(4)]
    middle = WIDE.snake.middle
    assert homes[3].middle < WIDE.snake.x < middle < WIDE.snake.x + WIDE.snake.width < homes[1].middle
    assert homes[2].y < WIDE.snake.y < homes[0].y
    assert abs(homes[2].middle - middle) < 60


def test_seats_are_called_by_their_names() -> None:
    state = walks.turns("dominoes")[30]
    text = svg.put_names(
        GAME.play_svg(state, seat=0), ["You", "Random (left)", "Anna <b>", "A very long name of somebody"]
    )
    assert ">You</tspan>" in text
    assert ">Random (left)</tspan>" in text
    assert ">Random</tspan>" in text, "where there is less room"
    assert ">Anna &lt;b&gt;</tspan>" in text
    assert ">A very lon…</tspan>" in text
    assert ">Pink</tspan>" not in text


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.key)
def test_what_somebody_says_covers_no_name(form: Form) -> None:
    for seat, word in itertools.product(range(4), ("Pass", "Wrong pass")):
        root = ElementTree.fromstring(f"<g>{plates.bubble(form, word, seat, 0)}</g>")
        left, top, width, height = (float(root[0].attrib[key]) for key in ("x", "y", "width", "height"))
        frame, (name_x, name_y, size) = plates.frame_of(form, seat, 0), form.plate.name
        room = form.plate.own_room if seat == 0 else form.plate.room
        name = Box(frame.x + name_x, frame.y + name_y - 0.75 * size, 0.55 * size * room, size)
        assert left >= 0, f"seat {seat}"
        assert top >= 0, f"seat {seat}"
        is_over = left < name.x + name.width and name.x < left + width and top < name.y + name.height
        assert not (is_over and name.y < top + height), f"seat {seat}: {word}"
