"""One SVG of a whole match that a script steps through without the server.

With n plies played, elements with ``data-from="p"`` and perhaps ``data-to="q"`` are shown while
p <= n < q; all else has class ``dm-off``. The hand of the seat on turn lies open: the match is over.
Rings mark what ply n has played, and the piles that it took from.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import ModuleType

from games.dominion.board import layered_table, render
from games.dominion.board.layered_table import LayeredTable, Marks
from games.dominion.board.layout import Arrangement
from games.dominion.board.picture import Picture, build_picture
from games.protocol import State
from games.svg import Canvas, Theme, tag


@dataclass(frozen=True)
class Span:
    """Span of plies in which a thing is shown: from `start` on, before `end` (None: to the end of the match)."""

    start: int
    end: int | None

    def marks(self, shown: int) -> Marks:
        """Attributes that say so, `shown` plies being played at first."""
        is_on = self.start <= shown and (self.end is None or shown < self.end)
        return {"data_from": self.start, "data_to": self.end, "class_": None if is_on else layered_table.OFF}


def svg(
    kernels: ModuleType, states: Sequence[State], *, seat: int | None, ply: int | None, theme: str, prefix: str
) -> str:
    """The match of which these are the states after 0, 1, ... plies.

    seat: all see the same; ply: number of plies shown at first (None: all). Raises ValueError where it is
    not in the match.
    """
    shown = len(states) - 1 if ply is None else ply
    if shown not in range(len(states)):
        raise ValueError(f"ply must be between 0 and {len(states) - 1}, not {ply}")
    match = _Match([build_picture(kernels, state, None, is_open=True) for state in states], shown, Theme(theme))
    canvas = Canvas(match.forms[0].box, render.WIDTH, match.theme, prefix)
    words = f"A match of {len(states) - 1} plies, stepped through by a script."
    return render.whole(canvas, match.markup(), match.pictures[-1], layered_table.CSS, words, narrow=match.forms[1].box)


class _Match(LayeredTable):
    """A whole match; pictures: after 0, 1, ... plies."""

    def __init__(self, pictures: Sequence[Picture], shown: int, theme: Theme) -> None:
        super().__init__(pictures[-1], theme)
        self.pictures, self.shown = pictures, shown

    def values(self, key: Callable[[Picture], Hashable]) -> Iterator[tuple[Picture, Marks]]:
        """Each value with the plies between which something has it."""
        keys = [key(picture) for picture in self.pictures]
        starts = [0, *(n for n in range(1, len(keys)) if keys[n] != keys[n - 1])]
        for start, end in zip(starts, [*starts[1:], None], strict=True):
            yield self.pictures[start], Span(start, end).marks(self.shown)

    def rings_of(self, form: Arrangement) -> str:
        """Rings of each ply, until the next one."""
        body = ""
        for n, (before, after) in enumerate(pairwise(self.pictures), start=1):
            marks = Span(n, n + 1 if n + 1 < len(self.pictures) else None).marks(self.shown)
            if spots := self.touched(before, after, form):
                body += tag("g", "".join(self.ring(spot) for spot in spots), **marks)
        return body
