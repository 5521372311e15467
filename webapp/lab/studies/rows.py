"""The pieces of a study that have begun, a page at a time: rows with their plain fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet

from webapp.common.fields import format_plain
from webapp.common.formats import field_words, number, with_power
from webapp.records.models import Study, StudyPiece

PER_PAGE, GLIMPSE = 50, 10
"""Rows of a page of the list, and of its beginning on other pages."""
MAX_COLUMNS = 6
FINE = 1e6
"""Numbers from here on, or smaller than its inverse, are written with a power of ten."""
MAX_LETTERS = 60


@dataclass(frozen=True)
class Row:
    """One piece: its fields in the order of the columns."""

    index: int
    status: str
    cells: Sequence[tuple[str, str, bool]]
    failure: str
    cpu_s: float | None


@dataclass(frozen=True)
class RowPage:
    """A page of the list. columns: (label, whether it holds numbers); is_glimpse: the beginning only."""

    page: Page[StudyPiece]
    columns: Sequence[tuple[str, bool]]
    rows: Sequence[Row]
    only_failed: bool = False
    is_glimpse: bool = False


def glimpse(study: Study) -> RowPage:
    """The first rows."""
    page = Paginator(_begun_pieces(study), GLIMPSE).get_page(1)
    columns, rows = _table(page)
    return RowPage(page, columns, rows, is_glimpse=True)


def _begun_pieces(study: Study) -> QuerySet[StudyPiece]:
    return study.pieces.exclude(status=StudyPiece.Status.WAITING).order_by("index")


def row_page(study: Study, query: Mapping[str, str]) -> RowPage:
    """The page that an address asks for: ``?page=2``, ``?only=failed``."""
    only_failed = query.get("only") == "failed"
    pieces = _begun_pieces(study)
    if only_failed:
        pieces = pieces.filter(status=StudyPiece.Status.FAILED)
    page = Paginator(pieces, PER_PAGE).get_page(query.get("page"))
    columns, rows = _table(page)
    return RowPage(page, columns, rows, only_failed)


def _table(page: Page[StudyPiece]) -> tuple[list[tuple[str, bool]], list[Row]]:
    """Columns and rows of a page."""
    pieces = list(page.object_list)
    names = _names([piece.row for piece in pieces if isinstance(piece.row, dict)])
    columns = [(field_words(name), is_number) for name, is_number in names.items()]
    return columns, [_row(piece, names) for piece in pieces]


def _names(rows: Sequence[Mapping[str, Any]]) -> dict[str, bool]:
    """The first plain fields of the rows, and whether they hold numbers."""
    names: dict[str, bool] = {}
    for row in rows:
        for name, value in row.items():
            is_told = name == "cpu_s" or name in names  # the time of the piece has its column
            if isinstance(value, bool | int | float | str) and not is_told and len(names) < MAX_COLUMNS:
                names[name] = isinstance(value, int | float) and not isinstance(value, bool)
    return names


def _row(piece: StudyPiece, names: Mapping[str, bool]) -> Row:
    row = piece.row if isinstance(piece.row, dict) else {}
    cells = [(field_words(name), _cell(row.get(name)), is_number) for name, is_number in names.items()]
    return Row(piece.index, piece.status, cells, piece.failure, piece.cpu_s)


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return number(value, 0) if abs(value) < 1e15 else with_power(value)
    if isinstance(value, float):
        return with_power(value) if value and not 1 / FINE <= abs(value) < FINE else format_plain(round(value, 6))
    text = "" if value is None else value if isinstance(value, str) else "…"
    return text if len(text) <= MAX_LETTERS else f"{text[: MAX_LETTERS - 1]}…"
