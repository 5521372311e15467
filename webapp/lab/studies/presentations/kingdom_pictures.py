"""Boards of rows as drawings in a gallery: kingdoms, and layouts of plain dominoes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.safestring import mark_safe

from games.kingdomino.board.lone import Lone, draw_boards
from webapp.lab.studies.presentations.section import Gallery, Picture


def lone_board(width: int, height: int, board: Mapping[str, Any], name: str) -> Lone:
    """A board as rows have it: castle, and slots or dominoes (number, squares of ends a and b)."""

    def place(cell: int) -> tuple[int, int]:
        return cell % width, cell // width

    laid = [(number, place(a), place(b)) for number, a, b in board.get("dominoes", ())]
    slots = [] if laid else [(place(a), place(b)) for a, b in board.get("slots", ())]
    castle = None if board["castle"] is None else place(board["castle"])
    return Lone(width, height, castle, slots, laid, name)


def order_words(board: Mapping[str, Any]) -> str:
    """The numbers of a kingdom's dominoes in an order in which they can be laid."""
    return ", ".join(str(number) for number, *_ in board["dominoes"])


def gallery(
    title: str, note: str, boards: Sequence[Lone], captions: Sequence[str], prefix: str, *, is_large: bool
) -> Gallery:
    """Drawings with words under them. prefix: of all ids, one for each gallery of a page."""
    found = draw_boards(boards, prefix=prefix)
    pictures = [Picture(mark_safe(svg), caption) for svg, caption in zip(found.pictures, captions, strict=True)]
    return Gallery(title, mark_safe(found.symbols), pictures, note, is_large)
