"""Stocks still to come beside a board in play, their pictures and chances ready for the page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from games.protocol import Panel, Stock, StockRow
from webapp.common.formats import percent
from webapp.play import aids, wording
from webapp.table.live.table_seats import Table

TEMPLATE = "play/_stock.html"
WHOLE_SHARE = 0.1
KEPT = 4096
"""Lines that a process remembers: about a kilobyte each."""
KEPT_PANELS = 64
"""The same of all stocks together: about thirty kilobytes."""


@dataclass(frozen=True)
class StockLine:
    """One kind of a stock. has_counts: as its card; places: seats that may have it, by number, name and chance."""

    label: str
    left: int
    total: int
    picture: SafeString
    chance: str
    places: tuple[tuple[int, str, str], ...]
    has_counts: bool

    @property
    def html(self) -> SafeString:
        """Its line on the card."""
        return _drawn(self)


@lru_cache(maxsize=KEPT)
def _drawn(line: StockLine) -> SafeString:
    """A line is drawn once for all who see it: most of a stock stays as it is with a move."""
    return render_to_string("play/_stock_line.html", {"row": line})


@dataclass(frozen=True)
class StockCard:
    """A stock."""

    title: str
    left: int
    total: int
    rows: tuple[StockLine, ...]
    chances: str


@lru_cache(maxsize=KEPT_PANELS)
def draw(stocks: tuple[StockCard, ...]) -> SafeString:
    """All stocks on the page: drawn once for all who see the same."""
    return render_to_string(TEMPLATE, {"stocks": stocks})


def stocks_of(table: Table, panel: Panel) -> tuple[StockCard, ...]:
    """The stocks of a panel; chances where something may think for those who play."""
    has_chances = aids.may_think(table.match)
    return tuple(
        _card(table, stock, has_chances=has_chances) for stock in panel.stocks if stock.left or not table.match.is_over
    )


def _card(table: Table, stock: Stock, *, has_chances: bool) -> StockCard:
    has_counts = any(row.total > 1 for row in stock.rows)  # several of a kind are counted
    return StockCard(
        title=stock.title,
        left=stock.left,
        total=stock.total,
        rows=tuple(_line(table, row, has_chances=has_chances, has_counts=has_counts) for row in stock.rows),
        chances=stock.chances if has_chances else "",
    )


def _line(table: Table, row: StockRow, *, has_chances: bool, has_counts: bool) -> StockLine:
    return StockLine(
        label=row.label,
        left=row.left,
        total=row.total,
        picture=mark_safe(row.picture),
        chance=_chance(row.chance) if has_chances else "",
        places=tuple((seat, wording.name(table, seat), percent(share, 0)) for seat, share in row.places if has_chances),
        has_counts=has_counts,
    )


def _chance(share: float | None) -> str:
    return "" if share is None else percent(share, 0 if share >= WHOLE_SHARE or not share else 1)
