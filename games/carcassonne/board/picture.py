"""Pictures of boards as plain data, and the sentences that describe them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from games.carcassonne.board.geometry import tile_facts, tile_shape
from games.svg import SEAT_COLORS, SEAT_NAMES


@dataclass(frozen=True)
class Tile:
    """A laid tile. rotation: clockwise quarter turns; meeple: (segment id, seat) standing on it.

    Raises ValueError for a type, rotation, segment or seat that does not exist.
    """

    type: str
    x: int
    y: int
    rotation: int = 0
    meeple: tuple[str, int] | None = None

    def __post_init__(self) -> None:
        spots = tile_shape(self.type).spots
        if self.rotation not in range(4):
            raise ValueError(f"rotation must be 0, 1, 2 or 3, not {self.rotation!r}")
        if self.meeple and self.meeple[0] not in spots:
            raise ValueError(f"tile {self.type} has no segment {self.meeple[0]!r}; it has {', '.join(spots)}")
        if self.meeple and self.meeple[1] not in range(len(SEAT_COLORS)):
            raise ValueError(f"seat must be between 0 and {len(SEAT_COLORS) - 1}, not {self.meeple[1]!r}")

    @property
    def cell(self) -> tuple[int, int]:
        """Its place: column and row."""
        return self.x, self.y

    @property
    def description(self) -> str:
        """Description of the tile for people who do not see it."""
        words = re.sub(r"\s*\(.*?\)", "", tile_facts()[self.type]["description"])
        return words[0].upper() + words[1:]

    @property
    def sentence(self) -> str:
        """Sentence that says which tile lies where, and how it is turned."""
        turned = f", turned {90 * self.rotation} degrees" if self.rotation else ""
        return f"{self.description}, {where(self.x, self.y)}{turned}"


def where(x: int, y: int) -> str:
    """A cell in words, with true minus signs: screen readers pass over hyphens."""
    return f"column {x}, row {y}".replace("-", "\N{MINUS SIGN}")


def meeple_words(meeple: tuple[str, int]) -> str:
    """Words for a meeple: whose, and on what."""
    segment, seat = meeple
    return f"{SEAT_NAMES[seat]} meeple on {segment.rstrip('0123456789')}"


@dataclass(frozen=True)
class Picture:
    """Contents of a board.

    tiles: in the order of laying, each on a cell of its own. last: index of the last placement.
    legal: free cells that are offered; candidate: a tile that might be laid, with its meeple;
    seat: whose colour both have (None: ink). Raises ValueError.
    """

    tiles: Sequence[Tile]
    last: int | None = None
    legal: Sequence[tuple[int, int]] = ()
    candidate: Tile | None = None
    seat: int | None = None

    def __post_init__(self) -> None:
        check_cells(self.tiles)
        if self.last is not None and self.last not in range(len(self.tiles)):
            raise ValueError(f"last must be the index of a tile, not {self.last!r}")
        if self.seat is not None and self.seat not in range(len(SEAT_COLORS)):
            raise ValueError(f"seat must be between 0 and {len(SEAT_COLORS) - 1}, not {self.seat!r}")


def check_cells(tiles: Sequence[Tile]) -> None:
    """Raise ValueError where two tiles lie on one cell, or there is none."""
    if not tiles:
        raise ValueError("a board has at least one tile")
    taken: set[tuple[int, int]] = set()
    for tile in tiles:
        if tile.cell in taken:
            raise ValueError(f"two tiles at {tile.x}, {tile.y}")
        taken.add(tile.cell)
