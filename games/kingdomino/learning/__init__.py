"""Kingdomino as a learner sees it: 9 planes of 8 x 8 squares a seat, and the draft as numbers.

Square (x, y), x east and y south of the castle, lies at row y mod 8, column x mod 8 of a plane: ends of the board
meet, and no kingdom of up to 7 x 7 meets itself. The castle is at [0, 0]; ``numpy.roll(planes, 4, (1, 2))`` puts it
in the middle. An action is the game's own number (`state.NOWHERE`, `state.CHOICES`).
"""

from __future__ import annotations

from pathlib import Path

from games.encodings import Block, Blocks, Encoding
from games.kingdomino import state as layout
from games.kingdomino.dominoes import MAX_CROWNS, TERRAINS

SIDE = 8
DOMINO = 1 + 2 * (layout.NUM_TERRAINS + 1)
"""Numbers that describe a domino: its number (0: none), and of each end terrain (one of six is 1) and crowns."""
_DOMINO = "a domino: number, or 0; of either end terrain (one of six is 1), crowns"


def planes(num_seats: int) -> Blocks:
    """Planes of every kingdom, the own one first."""
    meaning = f"1 where a square of the kingdom is {', '.join(TERRAINS)}; has at least 1, 2, 3 crowns"
    return tuple(
        Block(f"kingdom {seat}", (layout.NUM_TERRAINS + MAX_CROWNS, SIDE, SIDE), meaning) for seat in range(num_seats)
    )


def numbers(num_seats: int) -> Blocks:
    """Numbers after the planes."""
    kings = layout.MAX_KINGS
    return (
        Block(
            "course", (5,), "round, rounds in all, plies of this round so far, most rows, whether a fit must be laid"
        ),
        Block("on turn", (num_seats,), "1 for the seat on turn"),
        Block("placing", (DOMINO,), f"what the seat on turn has to lay now: {_DOMINO}"),
        Block("row", (kings, DOMINO), f"on offer, lowest number first: {_DOMINO}"),
        Block("claims", (kings, num_seats), "1 for the seat that has chosen that domino of the row"),
        Block("last row", (kings, DOMINO), f"chosen a round ago, laid in this order: {_DOMINO}"),
        Block("owners", (kings, num_seats), "1 for the seat that lays it, or whose king chooses then in round 1"),
        Block("pool", (layout.NUM_DOMINOES,), "1 where the domino with this number is still to come"),
        Block("points", (num_seats,), "points as the kingdom stands"),
        Block("discards", (num_seats,), "dominoes discarded"),
        Block("bounds", (num_seats, 4), "how far the kingdom reaches west, east, north, south of the castle"),
    )


ENCODING = Encoding(
    Path(__file__).parent,
    (layout.NOWHERE + 1) * layout.CHOICES,
    "(4 x square + direction) x 5 + choice. square: 8 x (y mod 8) + (x mod 8) of the end that is named first in "
    "the domino's data; direction to the other end: right, down, left, up; 4 x square + direction is 256 where nothing "
    "is laid. choice: place in the row on offer, 4 where nothing is chosen.",
    planes,
    numbers,
)
