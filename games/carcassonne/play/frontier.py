"""Places on the board that matter to people: next to tiles, and those that nothing fits any more."""

from __future__ import annotations

from games.carcassonne import reading
from games.carcassonne import state as layout
from games.protocol import State

Cell = tuple[int, int]


def frontier_cells(state: State) -> list[Cell]:
    """The empty cells next to tiles, sorted; a tile can only be laid on one of these."""
    return sorted(reading.coordinates(state, cell) for cell in _frontier(state))


def dead_cells(state: State) -> list[Cell]:
    """The `frontier_cells` that no tile left fits, however it is turned; none once the match is over.

    Left are the tiles to be drawn and the one in hand; a discarded tile is not.
    """
    if state[layout.OVER]:
        return []
    left = int(state[layout.POOL_TYPES])
    if state[layout.TILE]:
        left |= 1 << (int(state[layout.TILE]) - 1)
    patterns = {cell: (int(state[layout.CELLS + cell]) >> 8) & 255 for cell in _frontier(state)}
    fits = reading.TABLES.types_fit
    return sorted(reading.coordinates(state, cell) for cell, wanted in patterns.items() if not int(fits[wanted]) & left)


def _frontier(state: State) -> list[int]:
    return [int(cell) for cell in state[layout.FRONTIER :][: state[layout.NUM_FRONTIER]]]
