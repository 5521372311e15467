"""The panel beside the board in play: the tile in hand, meeples, the tiles left."""

from __future__ import annotations

from games.carcassonne import reading
from games.carcassonne import state as layout
from games.carcassonne.board import render
from games.carcassonne.board.picture import Tile
from games.carcassonne.board.small import small_svg
from games.panels import Panel, Stock, StockRow, Supply
from games.protocol import State

HELD_SIZE = 84
"""Pixels of the tile in hand."""


def build_panel(state: State, seat: int | None, prefix: str) -> Panel:
    """The panel of a position; nothing in Carcassonne is hidden, so it is the same for all."""
    drawn = int(state[layout.TILE])
    held, label = "", ""
    if drawn:
        letter = reading.TABLES.letters[drawn - 1]
        label = Tile(letter, 0, 0).description
        held = render.tile_svg(letter, size=HELD_SIZE, prefix=prefix)
    supplies = tuple(
        (Supply("Meeples in hand", int(state[layout.HAND + seat]), layout.MEEPLES_PER_SEAT),)
        for seat in range(int(state[layout.NUM_SEATS]))
    )
    return Panel(held, label, _note(state), supplies, (_stock(state),))


def _note(state: State) -> str:
    laid, left = int(state[layout.NUM_LAID]), int(state[layout.NUM_LEFT])
    discarded = int(state[layout.DISCARDED :][: layout.NUM_TYPES].sum())
    words = [_count(laid) + " on the board"]
    if not state[layout.OVER]:
        words.append(f"{left} to be drawn" if left else "none to be drawn")
    if discarded:
        words.append(f"{discarded} discarded")
    return ", ".join(words) + "."


def _count(tiles: int) -> str:
    return f"{tiles} tile{'' if tiles == 1 else 's'}"


def _stock(state: State) -> Stock:
    """The tiles to be drawn; the chance is that of the bag: a tile that fits nowhere may be drawn again."""
    left = state[layout.POOL :][: layout.NUM_TYPES].tolist()
    total = [int(n) for n in reading.TABLES.count]
    total[reading.TABLES.start] -= 1
    drawable = 0 if state[layout.OVER] else sum(left)
    rows = tuple(
        StockRow(Tile(letter, 0, 0).description, n, of, n / drawable if drawable else None, small_svg(letter))
        for letter, n, of in zip(reading.TABLES.letters, left, total, strict=True)
    )
    return Stock("Tiles left", sum(left), sum(total), rows)
