"""Boards of squares with or without a start cell, and how they can be turned and mirrored.

Squares are numbered row by row from 0; (column, row) begin at 0 here and at 1 where people read them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Slot = tuple[int, int]
"""Two neighbouring squares, the lower number first: where a domino lies."""


@dataclass(frozen=True)
class Board:
    """`width` x `height` squares; castle: the square that is taken from the start, None without."""

    width: int
    height: int
    castle: int | None = None

    @property
    def size(self) -> int:
        """Number of squares."""
        return self.width * self.height

    def place(self, cell: int) -> tuple[int, int]:
        """Column and row of a square."""
        return cell % self.width, cell // self.width

    def neighbours(self, cell: int) -> list[int]:
        """Squares beside it, lower numbers first."""
        column, row = self.place(cell)
        found = [cell - self.width] if row else []
        found += [cell - 1] if column else []
        found += [cell + 1] if column + 1 < self.width else []
        return found + ([cell + self.width] if row + 1 < self.height else [])

    def pairs(self) -> list[Slot]:
        """All pairs of neighbouring squares."""
        return [(cell, other) for cell in range(self.size) for other in self.neighbours(cell) if other > cell]

    def is_odd(self, cell: int) -> bool:
        """Whether the square has the colour of which an odd board has one square fewer."""
        return sum(self.place(cell)) % 2 == 1


@dataclass(frozen=True)
class StartClass:
    """Start cells that a symmetry carries into each other: the first of them, and how many they are."""

    cell: int
    weight: int


def rotation_maps(width: int, height: int) -> list[Callable[[int, int], tuple[int, int]]]:
    """(column, row) -> (column, row) under the rotations of the board: four, or two where the sides differ."""
    half = [lambda x, y: (x, y), lambda x, y: (width - 1 - x, height - 1 - y)]
    if width != height:
        return half
    return [*half, lambda x, y: (height - 1 - y, x), lambda x, y: (y, width - 1 - x)]


def symmetry_maps(width: int, height: int) -> list[Callable[[int, int], tuple[int, int]]]:
    """The same for rotations and reflections together."""
    rotations = rotation_maps(width, height)
    return [*rotations, *(lambda x, y, turn=turn: turn(width - 1 - x, y) for turn in rotations)]


def start_classes(width: int, height: int, *, reflect: bool = True) -> list[StartClass]:
    """The squares of a board by symmetry; without `reflect` by rotations alone."""
    images = symmetry_maps(width, height) if reflect else rotation_maps(width, height)
    orbits: dict[int, int] = {}
    for cell in range(width * height):
        first = min(y * width + x for x, y in (image(cell % width, cell // width) for image in images))
        orbits[first] = orbits.get(first, 0) + 1
    return [StartClass(cell, orbits[cell]) for cell in sorted(orbits)]
