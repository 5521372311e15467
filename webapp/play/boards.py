"""The board of a match in play as one reader sees it: an SVG with the names of those who sit there.

A drawing is remembered by all that it depends on, so that a look that brings nothing new for the board (an offer, a
hint, a page loaded again, another spectator) draws nothing. Its reader's seat is part of that: what it hides stays so.
"""

from __future__ import annotations

from collections.abc import Hashable

from django.utils.safestring import mark_safe

from games import svg
from webapp.common import naming
from webapp.play import panels, wording
from webapp.play.panels import Drawn
from webapp.table.live.memory import Memory
from webapp.table.live.position_cache import Position
from webapp.table.live.table_seats import Table

PREFIX = "board-"
"""Begins every id of the board on the page."""
KEPT = 48
"""Drawings that a process remembers: about a hundred kilobytes each."""

_kept: Memory[Hashable, Drawn] = Memory(KEPT)


def draw_board(table: Table, position: Position, viewer: int | None, recent: int) -> Drawn:
    """The board's SVG. viewer: the seat through whose eyes its reader looks; recent: moves that are marked as new."""
    inner = tuple(wording.inner_names(table))
    names = tuple(wording.name(table, row.seat) for row in table.rows)
    key = (table.match.pk, position.ply, position.digest, viewer, recent, inner, names)
    kept = _kept.get(key)
    if kept is None:
        board = position.game.play_svg(position.state, seat=viewer, theme="page", prefix=PREFIX, recent=recent)
        kept = panels.drawn(mark_safe(svg.put_names(naming.label_seats(_plain(board), inner), names)))
        _kept.put(key, kept)
    return kept


def _plain(drawing: str) -> str:
    """The drawing in ASCII: one minus sign makes every letter take two bytes, and a search four times as long."""
    return drawing.encode("ascii", "xmlcharrefreplace").decode("ascii")
