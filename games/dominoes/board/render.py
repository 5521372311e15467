"""Dominoes tables as SVG.

Ids, all after the caller's prefix: ``seat-N`` plates, ``points``, ``row``, ``laid-T`` the tile laid
in turn T of the round, ``open-left`` and ``open-right``, ``tile-SEAT-I`` tile I in an open hand,
``last`` the ring round the tile of the last turn.
"""

from __future__ import annotations

from types import ModuleType

from games.dominoes import reading
from games.dominoes.board import arrangement, sheet
from games.dominoes.board.arrangement import NARROW, WIDE, WRITING
from games.dominoes.board.symbols import definitions
from games.dominoes.board.table import Table
from games.protocol import State
from games.svg import Canvas, Theme, document, number

SMALL = 600
"""Pixels below which a picture is drawn as on a phone."""
CSS = ".dm-off{display:none}" + arrangement.CSS
_PLACES = 6
"""Height of the board in places: nothing on it has to be zoomed in on."""


def svg(kernels: ModuleType, view: State, *, seat: int | None, width: float, theme: str, prefix: str = "") -> str:
    """A position, from its view."""
    form = NARROW if width < SMALL else WIDE
    table = Table(view, seat, forms=(form,))
    return whole(Canvas(form.box, width, Theme(theme), prefix), table.markup(), description(view))


def on_page(body: str, desc: str, *, theme: str, prefix: str, css: str = "") -> str:
    """The document round what is drawn in both arrangements."""
    canvas = Canvas(WIDE.box, WIDE.box.width, Theme(theme), prefix, unit=WIDE.box.height / _PLACES, writing=WRITING)
    text = whole(canvas, body, desc, css)
    window = " ".join(number(side) for side in NARROW.box)
    return text.replace(' role="group"', f' data-narrow="{window}" role="group"', 1)


def whole(canvas: Canvas, body: str, desc: str, css: str = "") -> str:
    """The document round what is drawn."""
    return document(canvas, body, title="Dominoes table", desc=desc, defs=definitions(body), css=CSS + css)


def description(view: State) -> str:
    """The position in words."""
    written = sheet.read_totals(view)
    row = reading.row(view)
    words = f"{sheet.aim(view)}. Points {'against' if written.is_against else 'of'} the teams: "
    words += f"{written.points[0]} and {written.points[1]}."
    if row:
        words += f" {len(row)} tiles lie on the table, with {row[0].left} and {row[-1].right} at the ends."
    return words
