"""Carcassonne as a learner sees it: 33 planes of 25 x 25 cells round the start tile, and numbers.

Cell (x, y), x east and y south of the start tile, lies at row y + 12, column x + 12. Boards hardly ever reach further
(about one tile of 5,000 in random matches); tiles beyond are counted in the block "course" and can be laid, too.

An action has two steps. A place: 4 x cell + rotation, where cell is the game's own number,
(x + `state.ROW` x y) mod `state.RING`. Then `MEEPLE` + segment + 1, or `MEEPLE` for no meeple; segments of a tile are
numbered cities, roads, monastery, fields.
"""

from __future__ import annotations

from pathlib import Path

from games.carcassonne import state as layout
from games.carcassonne import tiles
from games.encodings import Block, Blocks, Encoding

RADIUS = 12
SIDE = 2 * RADIUS + 1
MEEPLE = 4 * layout.RING
"""Number of the first action of the second step: no meeple."""
_EDGES = "edge north, east, south, west"
_BOARD = (
    ("tiles", 1, "1 where a tile lies"),
    ("roads", 4, f"1 where a road crosses the {_EDGES}"),
    ("cities", 4, f"1 where a city lies at the {_EDGES}"),
    ("joined", 6, "1 where one city or road of the tile is at both edges NE, NS, NW, ES, EW, SW"),
    ("monasteries", 1, "1 for a monastery"),
    ("pennants", 1, "pennants on the tile"),
    ("own meeples", 4, "1 for an own meeple in a city, road, monastery, field of the tile"),
    ("other meeples", 4, "likewise the seat of another's meeple, counted from the own one"),
    ("own features", 4, f"1 where the city or road at the {_EDGES} holds an own meeple"),
    ("other features", 4, "likewise a meeple of another seat"),
)
NUM_PLANES = sum(count for _, count, _ in _BOARD)


def planes(num_seats: int) -> Blocks:
    """Planes of the one board."""
    return tuple(Block(name, (count, SIDE, SIDE), meaning) for name, count, meaning in _BOARD)


def numbers(num_seats: int) -> Blocks:
    """Numbers after the planes."""
    types = layout.NUM_TYPES
    return (
        Block("course", (3,), "tiles laid, tiles still to be drawn, tiles laid beyond the planes"),
        Block("on turn", (num_seats,), "1 for the seat on turn"),
        Block("tile", (types,), "1 for the type of the tile in hand (the order of `tiles.load().letters`)"),
        Block("edges", (4, 2), f"of that tile, unturned or as it was turned: road, city at the {_EDGES}"),
        Block("chosen", (7,), "after the first step: 1, x and y of the place, 1 for one of four rotations"),
        Block("pool", (types,), "tiles of each type still to be drawn"),
        Block("points", (num_seats,), "points so far; at the end, all"),
        Block("meeples", (num_seats,), "meeples in hand"),
    )


ENCODING = Encoding(
    Path(__file__).parent,
    MEEPLE + tiles.SLOTS + 1,
    f"first 4 x cell + rotation (cell: x + {layout.ROW} y, modulo {layout.RING}; clockwise quarter turns), then "
    f"{MEEPLE} for no meeple or {MEEPLE + 1} + segment (cities, roads, monastery, fields, in that order).",
    planes,
    numbers,
    most_legal=4 * layout.MAX_FRONTIER,
)
