"""Team dominoes as a learner sees it: the own hand, the table, and what each seat has laid and passed on.

Tiles go by their number (`tiles.TILES`: 0-0, 0-1, ..., 6-6). An action is the game's own number: 2 x tile + end
(0 left, 1 right), `state.PASS`, `state.CALL` + the seat accused, `state.HAND_OVER`. Here alone seats of actions are
those of the table, not counted from the own one.
"""

from __future__ import annotations

from pathlib import Path

from games.dominoes import state as layout
from games.dominoes import tiles
from games.encodings import Block, Blocks, Encoding

ENDS = tiles.NUM_NUMBERS + 1
"""Values of an end of the table: a number, or nothing lies there."""
COURSE = (layout.ROUND, layout.NUM_TURNS, layout.NUM_LAID, layout.PASSES, layout.MAY_HAND_OVER, layout.TARGET)


def planes(num_seats: int) -> Blocks:
    """None: there is no board of places."""
    return ()


def numbers(num_seats: int) -> Blocks:
    """All blocks."""
    return (
        Block("hand", (tiles.NUM_TILES,), "1 for a tile of the own hand"),
        Block("left end", (ENDS,), "1 for the number there; the last one: nothing lies"),
        Block("right end", (ENDS,), "1 for the number there; the last one: nothing lies"),
        Block("must open", (tiles.NUM_TILES,), "1 for the tile that the opener has to lay"),
        Block("course", (6,), "round, turns of it, tiles laid, passes since the last tile, may hand over, target"),
        Block("on turn", (num_seats,), "1 for the seat on turn"),
        Block("opener", (num_seats,), "1 for the seat that opens the round, or did"),
        Block("credit", (2,), "points in favour of the own team, of the other"),
        Block("laid", (num_seats, tiles.NUM_TILES), "1 for a tile that the seat has laid in this round"),
        Block("passed on", (num_seats, tiles.NUM_NUMBERS), "1 for a number that the seat has passed on in this round"),
        Block("tiles held", (num_seats,), "tiles in hand"),
        Block("passes", (num_seats, 2), "turn of the last pass in this round, up to which passes were called; 0: none"),
        Block("own seat", (num_seats,), "1 for the own seat at the table (calls name seats)"),
    )


ENCODING = Encoding(
    Path(__file__).parent,
    layout.NUM_ACTIONS,
    f"2 x tile + end (0 left, 1 right); {layout.PASS} passes, {layout.CALL} + seat of the table calls its pass, "
    f"{layout.HAND_OVER} lets the partner open.",
    planes,
    numbers,
)
