"""What stands beside the board in play: the round, tiles held, the tiles that a seat has not seen."""

from __future__ import annotations

from games.dominoes import reading, tiles
from games.dominoes import state as layout
from games.dominoes.board import sheet, small
from games.dominoes.play.spelling import tile_label
from games.protocol import Panel, State, Stock, StockRow, Supply


def of(view: State) -> Panel:
    """The panel of a position, from what somebody sees. Nothing in it has an id."""
    held = [int(view[layout.COUNT + other]) for other in reading.SEATS]
    supplies = tuple((Supply("Tiles", count, tiles.HAND_SIZE, is_figure=False),) for count in held)
    return Panel("", "", _note(view), supplies, (_stock(view),))


def _note(view: State) -> str:
    return f"Round {max(1, int(view[layout.ROUND]))}. {sheet.aim(view)}."


def _stock(view: State) -> Stock:
    """Tiles that are neither on the table nor in a hand that is seen."""
    unseen = set(tiles.listed(int(view[layout.UNPLAYED])))
    for other in reading.SEATS:
        unseen -= set(reading.hand(view, other) or ())
    rows = tuple(
        StockRow(tile_label(index), int(index in unseen), 1, None, small.small_svg(index))
        for index in range(tiles.NUM_TILES)
    )
    return Stock("Tiles not seen", len(unseen), tiles.NUM_TILES, rows)
