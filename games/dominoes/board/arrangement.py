"""Arrangements of a table: for a wide page, and for a phone. All measures are drawing units.

A table on a page holds both arrangements; the wide one is shown until a script gives the root the
class ``is-narrow`` and its ``data-narrow`` as its window. Seats are counted from the one that looks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.svg import tag

CSS = ".dm-narrow,.is-narrow .dm-wide{display:none}.is-narrow .dm-narrow{display:inline}"


class Box(NamedTuple):
    """A rectangle by its corner and sides."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """Half way across."""
        return self.x + self.width / 2


@dataclass(frozen=True)
class PlateStyle:
    """Measures on a plate, from its corner; own: width of the own one, whose name has `own_room` letters at most."""

    width: float
    own: float
    height: float
    chip: tuple[float, float, float]
    name: tuple[float, float, float]
    second: tuple[float, float, float]
    room: int
    own_room: int
    lack: float
    below: float
    back: float
    open: float


@dataclass(frozen=True)
class SheetStyle:
    """The score sheet: places of its five columns, the last two by their right edge, and its lines."""

    columns: tuple[float, float, float, float, float]
    first: float
    step: float
    size: float
    lines: int
    hands: float
    room: int


@dataclass(frozen=True)
class Form:
    """An arrangement.

    homes: corners of the plates of the seat that looks, the seat after it, the partner, the seat
    before; snake: the box of the row of tiles; limit: how far from its middle a tile may begin, in
    half tiles; largest: of half a tile; hand: top and width of the own hand; words, say, scores:
    the round in words, what one may say, points (words that a button covers share its box).
    """

    key: str
    size: tuple[float, float]
    homes: tuple[tuple[float, float], ...]
    plate: PlateStyle
    snake: Box
    limit: float
    largest: float
    hand: Box
    hand_unit: float
    words: Box
    word_size: float
    is_centred: bool
    say: Box
    call: tuple[float, float]
    scores: tuple[Box, Box]
    score_size: float
    sheet: SheetStyle
    corner: float

    @property
    def box(self) -> Box:
        """All of it."""
        return Box(0.0, 0.0, *self.size)


WIDE = Form(
    key="wide",
    size=(1000.0, 590.0),
    homes=((20.0, 462.0), (676.0, 18.0), (348.0, 18.0), (20.0, 18.0)),
    plate=PlateStyle(
        width=304.0,
        own=236.0,
        height=50.0,
        chip=(26.0, 25.0, 14.0),
        name=(49.0, 20.0, 19.0),
        second=(49.0, 41.0, 15.0),
        room=20,
        own_room=14,
        lack=20.0,
        below=55.0,
        back=20.0,
        open=23.0,
    ),
    snake=Box(22.0, 122.0, 956.0, 328.0),
    limit=13.5,
    largest=46.0,
    hand=Box(266.0, 459.0, 470.0, 116.0),
    hand_unit=58.0,
    words=Box(24.0, 518.0, 236.0, 58.0),
    word_size=16.0,
    is_centred=False,
    say=Box(748.0, 522.0, 232.0, 50.0),
    call=(88.0, 34.0),
    scores=(Box(748.0, 462.0, 112.0, 50.0), Box(868.0, 462.0, 112.0, 50.0)),
    score_size=26.0,
    sheet=SheetStyle((64.0, 160.0, 340.0, 800.0, 920.0), 30.0, 25.0, 16.0, 8, 288.0, 14),
    corner=12.0,
)
NARROW = Form(
    key="narrow",
    size=(390.0, 460.0),
    homes=((6.0, 312.0), (262.0, 6.0), (134.0, 6.0), (6.0, 6.0)),
    plate=PlateStyle(
        width=122.0,
        own=122.0,
        height=38.0,
        chip=(14.0, 13.0, 9.0),
        name=(27.0, 17.0, 13.0),
        second=(8.0, 33.0, 12.0),
        room=11,
        own_room=12,
        lack=14.0,
        below=41.0,
        back=13.0,
        open=14.0,
    ),
    snake=Box(6.0, 80.0, 378.0, 228.0),
    limit=8.0,
    largest=34.0,
    hand=Box(6.0, 358.0, 378.0, 94.0),
    hand_unit=47.0,
    words=Box(131.0, 312.0, 130.0, 38.0),
    word_size=12.0,
    is_centred=True,
    say=Box(132.0, 312.0, 126.0, 38.0),
    call=(58.0, 28.0),
    scores=(Box(264.0, 312.0, 58.0, 38.0), Box(326.0, 312.0, 58.0, 38.0)),
    score_size=18.0,
    sheet=SheetStyle((14.0, 58.0, 138.0, 318.0, 372.0), 20.0, 18.0, 12.0, 8, 196.0, 11),
    corner=8.0,
)
FORMS = (WIDE, NARROW)


def both(forms: Sequence[Form], draw: Callable[..., str], *args: object) -> str:
    """Draw ``draw(form, *args)`` on each arrangement, the one that is not asked for hidden."""
    if len(forms) == 1:
        return draw(forms[0], *args)
    return "".join(tag("g", draw(form, *args), class_=f"dm-{form.key}") for form in forms)
