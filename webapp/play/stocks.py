"""Stocks still to come beside a board in play, their pictures and chances ready for the page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from games.panels import Panel, Stock, StockRow
from webapp.common.formats import percent
from webapp.play import aids, panels, wording
from webapp.play.panels import Drawn
from webapp.table.live.table_seats import Table

WHOLE_SHARE = 0.1
KEPT = 4096
"""Lines that a process remembers: about a kilobyte each."""
_PICTURED = '<span class="stock-picture" data-tip="{0}" data-term="{0}">{1}</span> <span class="sr">{0}: </span>'
_CHANCE = '<span class="xs muted num" data-aid="chances"><span class="sr">, chance </span>{}</span>'
_PLACE = '<span class="seat" data-seat="{}"><span class="sr">, {} </span>{}</span>'
_GONE = ' class="is-gone"'
_STOP = ' tabindex="-1"'
"""A picture's word is shown where the keyboard stands."""
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
    """A line is drawn once for all who see it. No template: chances change with each move."""
    if line.picture:
        what = format_html(_PICTURED, line.label, line.picture)
    else:
        what = format_html('<span class="clip">{}</span>', line.label)
    if line.has_counts:
        left = f'<span class="num">{line.left}<span class="muted">/{line.total}</span></span>'
    else:
        left = f'<span class="sr">{"left" if line.left else "gone"}</span>'
    chance = format_html(_CHANCE, line.chance) if line.chance else ""
    places = "".join(format_html(_PLACE, *place) for place in line.places)
    if places:
        places = f'<span class="places xs num" data-aid="beliefs">{places}</span>'
    return SafeString(
        f"<li{'' if line.left else _GONE}{_STOP if line.picture else ''}>{what} {left} {chance} {places}</li>"
    )


@dataclass(frozen=True)
class StockCard:
    """A stock."""

    title: str
    left: int
    total: int
    rows: tuple[StockLine, ...]
    chances: str


@lru_cache(maxsize=KEPT_PANELS)
def draw(stocks: tuple[StockCard, ...]) -> Drawn:
    """All stocks on the page: drawn once for all who see the same."""
    return panels.drawn(render_to_string("play/_stock.html", {"stocks": stocks}))


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
