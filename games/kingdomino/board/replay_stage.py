"""Layout of a replay in two arrangements of the same pieces, as of a board in play (`stage`).

``wide``    kingdoms of one size round the draft, and the table of points;
``narrow``  for a phone, which shows little more than half its width in height: two kingdoms over the draft, more
            beside it. Points stand on the page there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.kingdomino.board import layout
from games.kingdomino.board.layout import DOMINO, Arrangement, Draft, Slot
from games.kingdomino.board.picture import Picture
from games.kingdomino.board.stage import Place, Stage, slot_of
from games.kingdomino.board.symbols import NUMBER_SIZE

HEAD = 24.0
"""Height of the plate above a small kingdom."""
TITLE_SIZE = 13.5
"""Size of the words over a row of the draft, on a phone."""
_NUMBER = 12.8
_WIDTH, _HEIGHT, _MARGIN = 366.0, 282.0, 4.0
_TITLE_ROOM, _GAP, _BESIDE, _ROWS = 18.0, 4.0, 8.0, 4


class _Grid(NamedTuple):
    """Places of a row of the draft: corner of its words, dominoes beside each other, width of a domino."""

    left: float
    top: float
    across: int
    width: float

    @property
    def places(self) -> list[tuple[float, float]]:
        step_x, step_y = self.width + _GAP, self.width / 2 + _GAP
        top = self.top + _TITLE_ROOM
        return [(self.left + step_x * (i % self.across), top + step_y * (i // self.across)) for i in range(_ROWS)]


def arrange(picture: Picture, first: int) -> Stage:
    """Lay out a match, the kingdom of seat `first` first."""
    wide = layout.for_all(picture, first)
    return Stage(wide, (_over if picture.num_seats == 2 else _beside)(picture, first))


def title(stage: Stage, row: int) -> Place:
    """Place of the words over a row, which are drawn in the size of the wide arrangement."""
    return Place((*stage.wide.draft.titles[row], 1), (*stage.narrow.draft.titles[row], TITLE_SIZE / layout.TITLE_SIZE))


def css(stage: Stage) -> str:
    """Style by which numbers of dominoes can be read on a phone, however small the dominoes are."""
    larger = _NUMBER / (NUMBER_SIZE * stage.narrow.draft.scale)
    return f".kd-plate{{transform-origin:194px 95px}}.is-narrow .kd-plate{{transform:scale({larger:.3g})}}"


def _over(picture: Picture, first: int) -> Arrangement:
    """Two kingdoms over the draft, its rows side by side."""
    half, side = (_WIDTH - _BESIDE) / 2, 160.0
    lefts = [left + (half - side) / 2 for left in (0.0, half + _BESIDE)]
    top = HEAD + side + _GAP
    width = _HEIGHT - top - _TITLE_ROOM - _GAP  # two rows of dominoes, half as high as wide
    slots = [slot_of(left, HEAD, side, picture.limit) for left in lefts]
    return _arranged(slots, [_Grid(left, top, 2, width) for left in lefts], first)


def _beside(picture: Picture, first: int) -> Arrangement:
    """Three or four kingdoms in two rows, the draft beside them."""
    side = 112.0  # leaves room for the words over the rows
    corners = [(x, y) for y in (HEAD, 2 * HEAD + side + _GAP) for x in (0.0, side + _BESIDE)]
    slots = [slot_of(x, y, side, picture.limit) for x, y in corners[: picture.num_seats]]
    left = 2 * (side + _BESIDE)
    width = (_WIDTH - left - _BESIDE) / 2
    return _arranged(slots, [_Grid(x, 0, 1, width) for x in (left, left + width + _BESIDE)], first)


def _arranged(slots: Sequence[Slot], grids: Sequence[_Grid], first: int) -> Arrangement:
    now, next_ = grids
    titles = ((now.left, now.top), (next_.left, next_.top))
    draft = Draft(now.places, next_.places, titles, now.width / DOMINO[0])
    by_seat = [slots[(seat - first) % len(slots)] for seat in range(len(slots))]
    box = (-_MARGIN, -_MARGIN, _WIDTH + 2 * _MARGIN, _HEIGHT + 2 * _MARGIN)
    return Arrangement(by_seat, draft, (0, 0, 0), None, box)
