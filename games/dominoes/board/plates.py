"""Surroundings of the row: plates of seats, hands, points, words; each on an arrangement of the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.dominoes import tiles
from games.dominoes.board.arrangement import Box, Form
from games.dominoes.board.symbols import (
    FELT,
    FELT_DARK,
    GOLD,
    INK,
    IVORY,
    ON_FELT,
    ON_FELT_SOFT,
    PAPER,
    RED,
    WOOD,
    back,
    box,
    chip,
    text,
    tile,
)
from games.svg import number, seat_name, tag

_STEP = 1.14
"""Step from tile to tile of a hand, as a part of their width."""
_FULL_SIZE = 3
"""Figures of points, a minus among them, that have room beside the chips in full size."""


def relative(seat: int, looking: int) -> int:
    """Number of seats after the one that looks: 2 sits opposite."""
    return (seat - looking) % 4


def home(form: Form, seat: int, looking: int) -> tuple[float, float]:
    """Corner of a seat's plate."""
    return form.homes[relative(seat, looking)]


def frame_of(form: Form, seat: int, looking: int) -> Box:
    """A seat's plate."""
    width = form.plate.own if seat == looking else form.plate.width
    return Box(*home(form, seat, looking), width, form.plate.height)


def team_names(team: int, room: int = 7) -> str:
    """Markup of both names of a team."""
    return f"{seat_name(team, room)} and {seat_name(team + 2, room)}"


def felt(form: Form, *, has_rim: bool = True) -> str:
    """The table. has_rim: false where it goes on beyond the drawing."""
    width, height = form.size
    if form.key == "narrow" or not has_rim:
        return tag("rect", width=width, height=height, fill=FELT)
    rim = box(3, 3, width - 6, height - 6, 24, fill=WOOD, stroke=INK, stroke_width=2)
    return rim + box(10, 10, width - 20, height - 20, 18, fill=FELT, stroke=INK, stroke_width=1.5)


def glow(form: Form, seat: int, looking: int) -> str:
    """The frame of the plate of the seat on turn."""
    return box(*frame_of(form, seat, looking), form.corner, fill="none", stroke=GOLD, stroke_width=3.5)


def plate(form: Form, seat: int, looking: int) -> str:
    """Mark and name of a seat, with room below the name for words and numbers passed on.

    data-speaker: pages put beside it what the player of that seat says.
    """
    x, y, width, height = frame_of(form, seat, looking)
    style = form.plate
    look = {"fill": FELT_DARK, "stroke": ON_FELT_SOFT, "stroke_opacity": ".5"}
    body = box(x, y, width, height, form.corner, data_speaker=seat, **look)
    chip_x, chip_y, radius = style.chip
    name_x, name_y, size = style.name
    body += chip(seat, x + chip_x, y + chip_y, radius)
    room = style.own_room if seat == looking else style.room
    return body + text(seat_name(seat, room), x + name_x, y + name_y, size, font_weight=700)


def second_line(form: Form, words: str, seat: int, looking: int) -> str:
    """Words under the name of a seat."""
    x, y = home(form, seat, looking)
    right, down, size = form.plate.second
    return text(words, x + right, y + down, size, fill=ON_FELT_SOFT)


def passed_number(form: Form, n: int, place: int, seat: int, looking: int) -> str:
    """A number that a seat has passed on, crossed out; place: the how-manieth from the right."""
    frame, size = frame_of(form, seat, looking), form.plate.lack
    left = frame.x + frame.width - size * 1.2 - (size + 2) * place
    top = frame.y + form.plate.lack_below
    face = box(0, 0, 100, 100, 18, fill=IVORY)
    face += text(n, 47, 79, 86, text_anchor="middle", fill=INK, font_weight=700)
    cross = tag("circle", cx=94, cy=8, r=30, fill=RED, stroke=FELT_DARK, stroke_width=8)
    cross += tag("path", d="M83-3 105 19M105-3 83 19", stroke="#fff", stroke_width=9)
    return tag("g", face + cross, transform=f"translate({number(left)} {number(top)}) scale({size / 115:.3f})")


def bubble(form: Form, word: str, seat: int, looking: int) -> str:
    """Speech bubble of a seat, never over its name: on the upper rim of its plate, beside that where nothing is free
    above, on a phone over the backs of others.
    """
    frame, size = frame_of(form, seat, looking), form.plate.second[2] + 1
    width, height = size * (1.2 + 0.58 * len(word)), size * 1.75
    left, top = frame.x + frame.width - width - 4, frame.y + 5 - height
    if form.key == "narrow" and seat != looking:
        left, top = frame.x + 3, frame.y + form.plate.below + 2
    elif top < 0:
        left, top = frame.x - width + 5, frame.y + 5
    body = box(left, top, width, height, height / 2, fill=PAPER, stroke=INK, stroke_width=2)
    middle = {"text_anchor": "middle", "fill": INK, "font_weight": 700}
    return body + text(word, left + width / 2, top + height * 0.68, size, **middle)


def hand_places(form: Form, count: int) -> Iterator[tuple[float, float]]:
    """Centres of the tiles of the hand that lies before the seat that looks."""
    step = min(form.hand_unit * _STEP, form.hand.width / max(count, 1))
    for k in range(count):
        yield form.hand.middle + (k - (count - 1) / 2) * step, form.hand.y + form.hand_unit


def open_places(form: Form, count: int, seat: int, looking: int) -> list[tuple[float, float, float]]:
    """Centre and unit of each tile of a hand lying open: large before who looks, smaller beside other plates."""
    if seat == looking:
        return [(x, y, form.hand_unit) for x, y in hand_places(form, count)]
    x, y, in_row = form.hands[relative(seat, looking)]
    unit = form.plate.open
    return [
        (x + unit * (0.62 + 1.18 * (k % in_row)), y + unit * (1 + 2.15 * (k // in_row)), unit) for k in range(count)
    ]


def open_tile(form: Form, index: int, k: int, count: int, seat: int, looking: int) -> str:
    """The k-th tile of `count` of a hand that lies open."""
    return tile(*tiles.TILES[index], *open_places(form, count, seat, looking)[k])


def closed_hand(form: Form, count: int, seat: int, looking: int) -> str:
    """Tiles of a hand face down."""
    if seat == looking:
        unit = form.hand_unit
        return "".join(back(x - unit / 2, y - unit, unit) for x, y in hand_places(form, count))
    x, y, _ = form.hands[relative(seat, looking)]
    unit = form.plate.back
    return "".join(back(x + unit * (0.15 + 1.22 * k), y, unit) for k in range(count))


def score(form: Form, team: int, points: str) -> str:
    """A team's points; smaller where they would reach the chips beside them."""
    x, y, width, height = form.scores[team]
    place = {"text_anchor": "end", "font_weight": 700}
    size = form.score_size * (1.0 if len(points) <= _FULL_SIZE else 0.75)
    return text(points, x + width - 0.16 * height, y + height * 0.68, size, **place)


def score_board(form: Form) -> str:
    """Score board of both teams; seats 0 and 2 play together."""
    body = ""
    for team, (x, y, width, height) in enumerate(form.scores):
        radius = height * 0.16
        body += box(x, y, width, height, form.corner, fill=FELT_DARK, stroke=ON_FELT_SOFT, stroke_opacity=".5")
        body += chip(team, x + 2.1 * radius, y + height * 0.28, radius)
        body += chip(team + 2, x + 2.1 * radius, y + height * 0.72, radius)
    return body


def words(form: Form, lines: Sequence[str]) -> str:
    """Up to three short lines of markup."""
    x, y, _, height = form.words
    size = form.word_size
    step = height / 3
    first = y + step * (0.75 + (3 - len(lines)) / 2)
    place = {"text_anchor": "middle"} if form.is_centred else {}
    return "".join(
        text(
            line,
            form.words.middle if form.is_centred else x,
            first + step * k,
            size if k == 0 else size - 0.5,
            fill=ON_FELT if k == 0 else ON_FELT_SOFT,
            **place,
        )
        for k, line in enumerate(lines)
    )


def end_sign(n: int, x: float, y: float, unit: float, least: float) -> str:
    """The number of an open end in a dashed ring. least: size of the number."""
    ring = {"fill": FELT_DARK, "stroke": ON_FELT_SOFT, "stroke_width": 1.6, "stroke_dasharray": "4 3"}
    size = max(unit * 0.56, least)
    body = tag("circle", cx=x, cy=y, r=size * 0.75, **ring)
    return body + text(n, x, y + size / 2.8, size, text_anchor="middle", font_weight=700)
