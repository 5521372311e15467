"""Dominoes tables as SVG.

Ids, all after the caller's prefix: ``seat-N`` plates, ``points``, ``row``, ``laid-T`` the tile laid
in turn T of the round, ``open-left`` and ``open-right``, ``tile-SEAT-I`` tile I in an open hand,
``last`` the ring round the tile of the last turn.
"""

from __future__ import annotations

from games.dominoes import reading
from games.dominoes.board import plates, sheet
from games.dominoes.board.symbols import definitions
from games.dominoes.board.table import Table
from games.protocol import State
from games.svg import Canvas, Theme, document

BOX = (0.0, 0.0, float(plates.WIDTH), float(plates.HEIGHT))
CSS = ".dm-off{display:none}"


def svg(view: State, *, seat: int | None, width: float, theme: str, prefix: str = "") -> str:
    """A position, from its view."""
    table = Table(view, seat)
    return whole(Canvas(BOX, width, Theme(theme), prefix), table.markup(), description(view))


def whole(canvas: Canvas, body: str, desc: str, css: str = "") -> str:
    """The document round what is drawn."""
    return document(canvas, body, title="Dominoes table", desc=desc, defs=definitions(body), css=CSS + css)


def description(view: State) -> str:
    """The position in words."""
    written = sheet.written(view)
    row = reading.row(view)
    words = f"{sheet.aim(view)}. Points {'against' if written.is_against else 'of'} the teams: "
    words += f"{written.points[0]} and {written.points[1]}."
    if row:
        words += f" {len(row)} tiles lie on the table, with {row[0].left} and {row[-1].right} at the ends."
    return words
