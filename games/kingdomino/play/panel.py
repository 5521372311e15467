"""The panel beside the board in play: the domino to place, squares filled, the dominoes left."""

from __future__ import annotations

from games.kingdomino import dominoes, reading
from games.kingdomino import state as layout
from games.kingdomino.board import small
from games.kingdomino.play import kingdoms
from games.kingdomino.play.spelling import domino_label, domino_words
from games.panels import Panel, Stock, StockRow, Supply
from games.protocol import State


def build_panel(state: State, seat: int | None, prefix: str) -> Panel:
    """The panel of a position; nothing in Kingdomino is hidden, so it is the same for all."""
    placed = reading.to_place(state)
    held, label = "", ""
    if placed is not None:
        held, label = small.held_svg(placed, prefix=prefix), f"Domino {domino_words(placed)}"
    seats, limit = int(state[layout.NUM_SEATS]), int(state[layout.LIMIT])
    filled = [len(kingdoms.kingdom(state, seat)) for seat in range(seats)]
    supplies = tuple((Supply("Squares filled", number, limit * limit - 1),) for number in filled)
    return Panel(held, label, _note(state), supplies, (_stock(state),))


def _note(state: State) -> str:
    rounds = int(state[layout.NUM_ROWS]) + 1
    to_come = _rows_to_come(state) * reading.row_length(state)
    words = f"Round {int(state[layout.ROUND])} of {rounds}"
    return words + (f", {to_come} dominoes in later rows." if to_come else ", no row comes after this one.")


def _rows_to_come(state: State) -> int:
    return max(0, int(state[layout.NUM_ROWS]) - int(state[layout.ROUND]))


def _chances(state: State, left: int) -> str:
    """Chance of a domino left to lie in the next row; empty where no row comes."""
    if not left or not _rows_to_come(state):
        return ""
    drawn = reading.row_length(state)
    return f"{drawn} of these {left} lie in the next row: each with {100 * drawn / left:.0f}\N{THIN SPACE}%."


def _stock(state: State) -> Stock:
    """The dominoes that have not been drawn, by number; with two seats half of them never are."""
    left = set(reading.undrawn_dominoes(state))
    rows = tuple(
        StockRow(domino_label(number), int(number in left), 1, None, small.small_svg(number))
        for number in range(1, dominoes.NUM_DOMINOES + 1)
    )
    return Stock("Dominoes left", len(left), dominoes.NUM_DOMINOES, rows, _chances(state, len(left)))
