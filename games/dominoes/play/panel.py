"""The panel beside the board in play: the round, tiles held, the tiles that a seat has not seen."""

from __future__ import annotations

from games.dominoes import reading, tiles
from games.dominoes import state as layout
from games.dominoes.board import sheet, small
from games.dominoes.play import belief_views
from games.dominoes.play.spelling import tile_label
from games.panels import Panel, Stock, StockRow, Supply
from games.protocol import State


def build_panel(view: State, seat: int | None, prefix: str) -> Panel:
    """The panel of a position, from what somebody sees. Nothing in it has an id."""
    held = [int(view[layout.COUNT + other]) for other in reading.SEATS]
    supplies = tuple((Supply("Tiles", count, tiles.HAND_SIZE, is_figure=False),) for count in held)
    return Panel("", "", _note(view), supplies, (_stock(view),))


def _note(view: State) -> str:
    return f"Round {max(1, int(view[layout.ROUND]))}. {sheet.aim(view)}."


def _places(view: State) -> list[tuple[tuple[int, float], ...]]:
    """Chances by tile: the other seats and how likely each has it, as the one seat reckons whose hand is seen."""
    seen = [seat for seat in reading.SEATS if reading.hand(view, seat) is not None]
    if len(seen) != 1:
        return [()] * tiles.NUM_TILES
    chances = belief_views.exact(view, seen[0])
    others = [seat for seat in reading.SEATS if seat != seen[0]]
    return [tuple((seat, float(chances[index, seat])) for seat in others) for index in range(tiles.NUM_TILES)]


def _stock(view: State) -> Stock:
    """Tiles that are neither on the table nor in a hand that is seen."""
    unseen = set(tiles.tile_indices(int(view[layout.UNPLAYED])))
    for other in reading.SEATS:
        unseen -= set(reading.hand(view, other) or ())
    places = _places(view)
    rows = []
    for index in range(tiles.NUM_TILES):
        is_left = index in unseen
        where = places[index] if is_left else ()
        rows.append(StockRow(tile_label(index), int(is_left), 1, None, small.small_svg(index), where))
    return Stock("Tiles not seen", len(unseen), tiles.NUM_TILES, tuple(rows))
