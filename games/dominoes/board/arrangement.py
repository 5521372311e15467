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
WRITING = 15.6
"""Size of the smallest writing in the wide arrangement."""


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
    """Measures on a plate, from its corner.

    own: width of the own one, whose name has `own_room` letters at most; lack: size of a number passed on, left of
    which the words of the second line stand where there is room, else above it (`lack_below`: how far down); back,
    open: width of a tile of a hand face down and open.
    """

    width: float
    own: float
    height: float
    chip: tuple[float, float, float]
    name: tuple[float, float, float]
    second: tuple[float, float, float]
    room: int
    own_room: int
    lack: float
    lack_below: float
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

    homes: corners of the plates of the seat that looks, the seat after it (right), the partner, the seat
    before (left); hands: likewise the corner of a hand, and its tiles in a row while it lies open; snake: the
    box of the row of tiles; limit: how far from its middle a tile may begin, in half tiles; largest: of half a
    tile; hand: top and width of the own hand; words, say, scores: the round in words, what one may say, points
    (words that a button covers share its box).
    """

    key: str
    size: tuple[float, float]
    homes: tuple[tuple[float, float], ...]
    hands: tuple[tuple[float, float, int], ...]
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


_ALL = 7
"""Tiles of a whole hand."""
WIDE = Form(
    key="wide",
    size=(960.0, 640.0),
    homes=((12.0, 566.0), (798.0, 216.0), (383.0, 8.0), (8.0, 216.0)),
    hands=((0.0, 0.0, _ALL), (802.0, 288.0, 4), (545.0, 12.0, _ALL), (8.0, 288.0, 4)),
    plate=PlateStyle(
        width=154.0,
        own=214.0,
        height=66.0,
        chip=(20.0, 20.0, 12.0),
        name=(38.0, 21.0, WRITING),
        second=(38.0, 40.0, WRITING),
        room=14,
        own_room=18,
        lack=21.0,
        lack_below=42.0,
        below=72.0,
        back=16.0,
        open=28.0,
    ),
    snake=Box(166.0, 84.0, 628.0, 420.0),
    limit=8.0,
    largest=46.0,
    hand=Box(245.0, 514.0, 470.0, 116.0),
    hand_unit=58.0,
    words=Box(10.0, 112.0, 150.0, 60.0),
    word_size=WRITING + 0.5,
    is_centred=False,
    say=Box(728.0, 574.0, 220.0, 50.0),
    call=(88.0, 34.0),
    scores=(Box(8.0, 8.0, 122.0, 46.0), Box(8.0, 60.0, 122.0, 46.0)),
    score_size=25.0,
    sheet=SheetStyle((182.0, 252.0, 364.0, 694.0, 776.0), 32.0, 28.0, 16.0, 10, 366.0, 14),
    corner=12.0,
)
NARROW = Form(
    key="narrow",
    size=(390.0, 506.0),
    homes=((6.0, 356.0), (262.0, 6.0), (134.0, 6.0), (6.0, 6.0)),
    hands=((0.0, 0.0, _ALL), (262.0, 47.0, _ALL), (134.0, 47.0, _ALL), (6.0, 47.0, _ALL)),
    plate=PlateStyle(
        width=122.0,
        own=122.0,
        height=38.0,
        chip=(14.0, 13.0, 9.0),
        name=(27.0, 17.0, 13.0),
        second=(8.0, 33.0, 12.6),
        room=11,
        own_room=12,
        lack=17.0,
        lack_below=20.0,
        below=41.0,
        back=13.0,
        open=14.0,
    ),
    snake=Box(6.0, 80.0, 378.0, 270.0),
    limit=7.4,
    largest=34.0,
    hand=Box(6.0, 402.0, 378.0, 94.0),
    hand_unit=47.0,
    words=Box(131.0, 354.0, 130.0, 42.0),
    word_size=13.2,
    is_centred=True,
    say=Box(132.0, 351.0, 126.0, 46.0),
    call=(64.0, 46.0),
    scores=(Box(264.0, 356.0, 58.0, 38.0), Box(326.0, 356.0, 58.0, 38.0)),
    score_size=18.0,
    sheet=SheetStyle((14.0, 58.0, 138.0, 318.0, 372.0), 20.0, 18.0, 12.6, 9, 232.0, 11),
    corner=8.0,
)
FORMS = (WIDE, NARROW)


def both(forms: Sequence[Form], draw: Callable[..., str], *args: object) -> str:
    """Draw ``draw(form, *args)`` on each arrangement, the one that is not asked for hidden."""
    if len(forms) == 1:
        return draw(forms[0], *args)
    return "".join(tag("g", draw(form, *args), class_=f"dm-{form.key}") for form in forms)
