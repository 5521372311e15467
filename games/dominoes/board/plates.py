"""What stands round the row: plates of seats, hands, points, words. All measures are drawing units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.dominoes import tiles
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
    spots,
    text,
    tile,
)
from games.svg import ID, SEAT_NAMES, number, tag

WIDTH, HEIGHT = 760, 812
PLATE = (232.0, 56.0)
SNAKE = (26.0, 132.0, 708.0, 434.0)
"""The box that the row of tiles has."""
HAND_UNIT = 68.0
HAND_TOP = 660.0
MIDDLE = (262.0, 586.0, 236.0, 56.0)
"""Between the own plate and the points: words, or what one may say."""
SCORES = (510.0, 586.0)
_HOMES = ((18.0, 586.0), (510.0, 18.0), (264.0, 18.0), (18.0, 18.0))
"""Plates of the seat that looks, the seat after it, the partner, the seat before."""
_OPEN_UNIT, _BACK_UNIT = 26.0, 15.0


def relative(seat: int, looking: int) -> int:
    """How many seats after the one that looks: 2 sits opposite."""
    return (seat - looking) % 4


def home(seat: int, looking: int) -> tuple[float, float]:
    """Corner of a seat's plate."""
    return _HOMES[relative(seat, looking)]


def name_of(seat: int) -> str:
    """``Blue``: as the mark shows the shape."""
    return SEAT_NAMES[seat].split()[0].capitalize()


def felt() -> str:
    """The table."""
    rim = box(3, 3, WIDTH - 6, HEIGHT - 6, 24, fill=WOOD, stroke=INK, stroke_width=2)
    return rim + box(10, 10, WIDTH - 20, HEIGHT - 20, 18, fill=FELT, stroke=INK, stroke_width=1.5)


def glow(seat: int, looking: int, **marks: object) -> str:
    """The frame of the plate of the seat on turn."""
    x, y = home(seat, looking)
    return box(x, y, *PLATE, 12, fill="none", stroke=GOLD, stroke_width=3.5, **marks)


def plate(seat: int, looking: int, below: str, label: str) -> str:
    """Mark and name of a seat; below: markup of the second line."""
    x, y = home(seat, looking)
    body = box(x, y, *PLATE, 12, fill=FELT_DARK, stroke=ON_FELT_SOFT, stroke_opacity=".5")
    body += chip(seat, x + 27, y + 28, 15) + text(name_of(seat), x + 52, y + 24, 17, font_weight=700)
    return tag("g", tag("title", label) + body + below, id=f"{ID}seat-{seat}", role="img", aria_label=label)


def second_line(words: str, seat: int, looking: int, **marks: object) -> str:
    """Words under the name of a seat."""
    x, y = home(seat, looking)
    return text(words, x + 52, y + 44, 14, **({"fill": ON_FELT_SOFT} | marks))


def lacking(n: int, place: int, seat: int, looking: int, **marks: object) -> str:
    """A number that a seat has passed on, crossed out; place: the how-manieth from the right."""
    x, y = home(seat, looking)
    left, top = x + PLATE[0] - 26 - 25 * place, y + 31
    face = box(0, 0, 100, 100, 18, fill=IVORY) + tag("g", spots(n) or "<g/>", fill=INK)
    cross = tag("circle", cx=94, cy=8, r=30, fill=RED, stroke=FELT_DARK, stroke_width=8)
    cross += tag("path", d="M83-3 105 19M105-3 83 19", stroke="#fff", stroke_width=9)
    at = f"translate({number(left)} {number(top)}) scale(.19)"
    return tag("g", face + cross, transform=at, **marks)


def bubble(word: str, seat: int, looking: int, **marks: object) -> str:
    """What a seat says: over the upper right corner of its plate."""
    x, y = home(seat, looking)
    width = 20 + 9.5 * len(word)
    left = x + PLATE[0] - width - 8
    body = box(left, y - 9, width, 30, 15, fill=PAPER, stroke=INK, stroke_width=2)
    body += text(word, left + width / 2, y + 11.5, 16, text_anchor="middle", fill=INK, font_weight=700)
    return tag("g", body, role="img", aria_label=f"{name_of(seat)}: {word}", **marks)


def hand_places(count: int) -> Iterator[tuple[float, float]]:
    """Centres of the tiles of the hand that lies before the seat that looks."""
    step = min(HAND_UNIT * 1.2, 700 / max(count, 1))
    for k in range(count):
        yield WIDTH / 2 + (k - (count - 1) / 2) * step, HAND_TOP + HAND_UNIT


def open_places(count: int, seat: int, looking: int) -> list[tuple[float, float, float]]:
    """Centre and unit of each tile of a hand lying open: large before who looks, small under other plates."""
    if seat == looking:
        return [(x, y, HAND_UNIT) for x, y in hand_places(count)]
    x, y = home(seat, looking)
    return [(x + 16 + 32 * k, y + PLATE[1] + 5 + _OPEN_UNIT, _OPEN_UNIT) for k in range(count)]


def open_tile(index: int, place: tuple[float, float, float], **marks: object) -> str:
    """A tile of a hand, face up."""
    a, b = tiles.TILES[index]
    return tag("g", tag("title", tiles.name(index)) + tile(a, b, *place), **marks)


def closed_hand(count: int, seat: int, looking: int) -> str:
    """Tiles of a hand face down."""
    if seat == looking:
        return "".join(back(x - HAND_UNIT / 2, y - HAND_UNIT, HAND_UNIT) for x, y in hand_places(count))
    x, y = home(seat, looking)
    return "".join(back(x + 8 + (_BACK_UNIT + 4) * k, y + PLATE[1] + 6, _BACK_UNIT) for k in range(count))


def score(team: int, points: object, **marks: object) -> str:
    """The number of a team's points."""
    x, y = SCORES
    return text(points, x + 116 * (team + 1) - 14, y + 38, 27, text_anchor="end", font_weight=700, **marks)


def score_board(numbers: str, label: str) -> str:
    """Points of both teams; seats 0 and 2 play together."""
    x, y = SCORES
    body = ""
    for team in (0, 1):
        left = x + 116 * team
        body += box(left, y, 110, 56, 12, fill=FELT_DARK, stroke=ON_FELT_SOFT, stroke_opacity=".5")
        body += chip(team, left + 19, y + 17, 9) + chip(team + 2, left + 19, y + 39, 9)
    return tag("g", tag("title", label) + body + numbers, id=f"{ID}points", role="img", aria_label=label)


def words(lines: Sequence[str], **marks: object) -> str:
    """Up to three short lines between the own plate and the points."""
    x, y, width, _ = MIDDLE
    rows = (
        text(
            line,
            x + width / 2,
            y + 18 + 18 * k,
            15 if k == 0 else 14,
            text_anchor="middle",
            fill=ON_FELT if k == 0 else ON_FELT_SOFT,
        )
        for k, line in enumerate(lines)
    )
    return tag("g", "".join(rows), **marks)


def end_sign(n: int, x: float, y: float, unit: float, /, **marks: object) -> str:
    """The number of an open end in a dashed ring."""
    ring = {"fill": FELT_DARK, "stroke": ON_FELT_SOFT, "stroke_width": 1.6, "stroke_dasharray": "4 3"}
    body = tag("circle", cx=x, cy=y, r=unit * 0.42, **ring)
    body += text(n, x, y + unit * 0.2, unit * 0.56, text_anchor="middle", font_weight=700)
    return tag("g", body, role="img", aria_label=f"Open end {n}", **marks)
