"""Kingdoms by themselves, and layouts of plain dominoes, side by side on one page.

Squares are (column, row) from the upper left corner. What pictures refer to stands in one
document for all of them, so that sixty of them stay small.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from games.kingdomino.board import pieces
from games.kingdomino.board.layout import Slot, Window
from games.kingdomino.board.picture import Cell, Laid
from games.kingdomino.board.symbols import LINE, definitions
from games.svg import ID, Theme, number, tag, with_prefix

LYING, STANDING = ("#D9B06A", "#B98A45"), ("#8A5A34", "#6B4226")
"""Wood of plain dominoes, by the way they lie: body and seam."""
MARGIN = 6
SEAT = 0
"""Seat whose castle is drawn."""


@dataclass(frozen=True)
class Lone:
    """A board to be drawn.

    castle: its square, None without; slots: where plain dominoes lie; laid: dominoes of the
    game instead, number and squares of ends a and b; name: what is read out.
    """

    width: int
    height: int
    castle: Cell | None
    slots: Sequence[tuple[Cell, Cell]] = ()
    laid: Sequence[tuple[int, Cell, Cell]] = ()
    name: str = ""


@dataclass(frozen=True)
class DrawnBoards:
    """A document with what the pictures refer to, which takes no room, and the pictures."""

    symbols: str
    pictures: Sequence[str]


def draw_boards(boards: Sequence[Lone], *, prefix: str) -> DrawnBoards:
    """Draw boards for a page. prefix: of all ids. Raises ValueError where ids cannot begin with it."""
    bodies = [_body(board) for board in boards]
    symbols = tag(
        "svg",
        tag("defs", definitions("".join(bodies))),
        xmlns="http://www.w3.org/2000/svg",
        width=0,
        height=0,
        style="position:absolute",
        aria_hidden="true",
    )
    pictures = [
        _picture(board, body, f"{prefix}{i}-", prefix)
        for i, (board, body) in enumerate(zip(boards, bodies, strict=True))
    ]
    return DrawnBoards(with_prefix(symbols, prefix), pictures)


def _picture(board: Lone, body: str, own: str, shared: str) -> str:
    """One document; its own ids are told apart from those that all share."""
    svg = tag(
        "svg",
        body,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"{-MARGIN} {-MARGIN} {100 * board.width + 2 * MARGIN} {100 * board.height + 2 * MARGIN}",
        role="img",
        aria_label=board.name,
    )
    return with_prefix(re.sub(f' id="{ID}', f' id="{own}', svg), shared)


def _body(board: Lone) -> str:
    slot, window, theme = Slot(0, 0, 1, max(board.width, board.height)), Window(0, 0), Theme("page")
    squares = [(x, y) for y in range(board.height) for x in range(board.width) if (x, y) != board.castle]
    body = pieces.empty(squares, slot, window, theme)
    body += "".join(_plain(*ends) for ends in board.slots)
    body += "".join(pieces.laid(Laid(number_, SEAT, (a, b)), slot, window) for number_, a, b in board.laid)
    if board.castle is not None:
        x, y = board.castle
        body += pieces.castle(SEAT, slot, Window(-x, -y))
    return body


def _plain(a: Cell, b: Cell) -> str:
    """A domino without faces."""
    (ax, ay), (bx, by) = sorted((a, b))
    fill, seam = LYING if ay == by else STANDING
    outer = {"x": 100 * ax + 5, "y": 100 * ay + 5, "width": 100 * (bx - ax) + 90, "height": 100 * (by - ay) + 90}
    middle = f"M{number(50 * (ax + bx) + 50)} {number(50 * (ay + by) + 50)}"
    line = f"{middle}m0-34v68" if ay == by else f"{middle}m-34 0h68"
    dots = "".join(tag("circle", cx=100 * x + 50, cy=100 * y + 50, r=9, fill=seam) for x, y in (a, b))
    return (
        tag("rect", **outer, rx=16, fill=fill, stroke=LINE, stroke_width=4)
        + tag("path", d=line, stroke=seam, stroke_width=5, stroke_linecap="round")
        + dots
    )
