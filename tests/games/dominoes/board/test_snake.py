"""How rows of tiles lie: numbers meet, nothing overlaps, everything stays in its box."""

from __future__ import annotations

import random
from functools import cache

import pytest

from games.dominoes import house_rules, reading
from games.dominoes import state as layout
from games.dominoes.board import snake
from games.dominoes.board.arrangement import FORMS, NARROW, WIDE, Form
from games.dominoes.board.snake import Place
from games.dominoes.reading import Laid
from tests.games.dominoes import reference
from tests.games.dominoes.tables import GAME, Tables

_INNER = ((0.0, -0.5), (0.5, 0.0), (0.0, 0.5), (-0.5, 0.0))


@cache
def rows() -> list[list[Laid]]:
    """Rows at the end of random rounds."""
    rng, found = random.Random(1), []
    for _ in range(60):
        tables = Tables(dict(house_rules.ROUNDS), reference.random_hands(rng), rng.randrange(4))
        while tables.slow.playing:
            tables.play(rng.choice(tables.slow.legal()))
        found.append(reading.row(tables.state))
    return found


def halves(place: Place) -> tuple[tuple[float, float], tuple[float, float]]:
    """Centres of the halves with the inner and with the outer number; of a double both are its middle."""
    dx, dy = (0.0, 0.0) if place.inner == place.outer else _INNER[place.turn]
    return (place.x + dx, place.y + dy), (place.x - dx, place.y - dy)


def box(place: Place) -> tuple[float, float, float, float]:
    width, height = (1.0, 0.5) if place.is_flat else (0.5, 1.0)
    return place.x - width, place.y - height, place.x + width, place.y + height


def test_numbers_that_meet_are_equal_and_side_by_side() -> None:
    for row in rows():
        places, ends = snake.layout(row, NARROW.limit)
        left = sum(tile.turn > places[0].turn_laid for tile in row[: [t.turn for t in row].index(places[0].turn_laid)])
        arms = [places[1 : left + 1], places[left + 1 :]]
        opening = places[0]
        starts = [(opening.inner, halves(opening)[0]), (opening.outer, halves(opening)[1])]
        for arm, (number, centre), end in zip(arms, starts, ends, strict=True):
            for place in arm:
                inner, outer = halves(place)
                assert place.inner == number
                assert abs(inner[0] - centre[0]) + abs(inner[1] - centre[1]) == pytest.approx(1.0, abs=0.01)
                number, centre = place.outer, outer
            assert end.number == number


@pytest.mark.parametrize("form", FORMS, ids=["wide", "narrow"])
def test_no_two_tiles_overlap(form: Form) -> None:
    turned = 0
    for row in rows():
        boxes = [box(place) for place in snake.layout(row, form.limit)[0]]
        turned += max(bottom for *_, bottom in boxes) > 2
        for k, (left, top, right, bottom) in enumerate(boxes):
            for other_left, other_top, other_right, other_bottom in boxes[:k]:
                across = min(right, other_right) - max(left, other_left)
                along = min(bottom, other_bottom) - max(top, other_top)
                assert min(across, along) < 0.01
    assert turned > 40


@pytest.mark.parametrize(("form", "least"), [(WIDE, 28), (NARROW, 16)], ids=["wide", "narrow"])
def test_a_row_stays_in_its_box(form: Form, least: float) -> None:
    left, top, width, height = form.snake
    for row in rows():
        places, ends = snake.layout(row, form.limit)
        frame = snake.fit(places, ends, form.snake, form.largest)
        assert frame.unit > least, "pips can be read"
        for place in places:
            x1, y1, x2, y2 = box(place)
            (x1, y1), (x2, y2) = frame.at(x1, y1), frame.at(x2, y2)
            assert left <= x1 < x2 <= left + width
            assert top <= y1 < y2 <= top + height


def test_tiles_do_not_move_when_others_are_laid() -> None:
    row = rows()[0]
    whole = {place.turn_laid: place for place in snake.layout(row, NARROW.limit)[0]}
    for turn in sorted(whole):
        for place in snake.layout([tile for tile in row if tile.turn <= turn], NARROW.limit)[0]:
            assert place == whole[place.turn_laid]


def test_an_empty_row_has_no_ends() -> None:
    state = GAME.initial_state(GAME.options(), 4)
    assert snake.layout(reading.row(state), NARROW.limit) == ([], [])
    assert state[layout.LEFT] == layout.UNKNOWN
