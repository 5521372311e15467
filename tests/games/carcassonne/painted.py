"""The painted tiles of the reference: segments found by flood fill inside each picture.

`reference_tiles.json` holds one picture per tile type, 7 x 7 pixels. Everything else about a
tile, which edges match, what its segments are and which cities a field lies beside, is read
off its picture. A segment is named by its kind and a number, counted clockwise from the
north-west corner (``city0``, ``field1``); the monastery has no number.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

SIZE = 7
INNER = range(1, SIZE - 1)
TERRAIN = {"c": "city", "P": "city", "r": "road", ".": "field", "m": "monastery"}


def _turned(grid: tuple) -> tuple:
    """A square grid after a clockwise quarter turn."""
    return tuple(zip(*grid[::-1], strict=True))


def _around(row: int, column: int) -> list[tuple[int, int]]:
    near = [(row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)]
    return [(r, c) for r, c in near if 0 <= r < SIZE and 0 <= c < SIZE]


def _same_colour(picture: tuple, start: tuple[int, int]) -> set[tuple[int, int]]:
    """Flood fill: the pixels joined to `start` by pixels of the same terrain."""
    terrain = TERRAIN[picture[start[0]][start[1]]]
    found, waiting = {start}, [start]
    while waiting:
        for row, column in _around(*waiting.pop()):
            if (row, column) not in found and TERRAIN.get(picture[row][column]) == terrain:
                found.add((row, column))
                waiting.append((row, column))
    return found


def _clockwise() -> list[tuple[int, int]]:
    """All pixels: the border clockwise from the north-west, then the inside."""
    last = SIZE - 1
    border = [(0, i) for i in INNER] + [(i, last) for i in INNER]
    border += [(last, SIZE - 1 - i) for i in INNER] + [(SIZE - 1 - i, 0) for i in INNER]
    return border + [(row, column) for row in INNER for column in INNER]


def _named_segments(picture: tuple) -> dict[str, set[tuple[int, int]]]:
    """Regions of a picture by name, numbered per kind in the clockwise order of the border."""
    segments: dict[str, set[tuple[int, int]]] = {}
    counts: Counter[str] = Counter()
    seen: set[tuple[int, int]] = set()
    for row, column in _clockwise():
        if (row, column) in seen or picture[row][column] not in TERRAIN:
            continue
        kind = TERRAIN[picture[row][column]]
        name = kind if kind == "monastery" else f"{kind}{counts[kind]}"
        segments[name] = _same_colour(picture, (row, column))
        counts[kind] += 1
        seen |= segments[name]
    return segments


@dataclass(frozen=True)
class Tile:
    """A tile type in one rotation.

    segments: names of the regions; ports: per side the segment name at each of the five inner
    border pixels, read west to east or north to south; terrain: the same with terrain letters;
    pennants: names of the cities that carry one; touching: field name -> names of the cities
    it lies beside.
    """

    segments: tuple[str, ...]
    ports: dict[str, tuple[str | None, ...]]
    terrain: dict[str, tuple[str, ...]]
    pennants: frozenset[str]
    touching: dict[str, frozenset[str]]


def _border(grid: tuple) -> dict[str, tuple]:
    last = SIZE - 1
    return {
        "N": tuple(grid[0][i] for i in INNER),
        "E": tuple(grid[i][last] for i in INNER),
        "S": tuple(grid[last][i] for i in INNER),
        "W": tuple(grid[i][0] for i in INNER),
    }


def _rotations(picture: tuple) -> tuple[Tile, ...]:
    """The tile in each rotation that looks different from the earlier ones."""
    segments = _named_segments(picture)
    name_at = {pixel: name for name, pixels in segments.items() for pixel in pixels}
    names = tuple(tuple(name_at.get((row, column)) for column in range(SIZE)) for row in range(SIZE))
    touching = {
        name: frozenset(
            near for pixel in pixels for spot in _around(*pixel) if (near := name_at.get(spot, "")).startswith("city")
        )
        for name, pixels in segments.items()
        if name.startswith("field")
    }
    pennants = frozenset(
        name for name, pixels in segments.items() if any(picture[row][column] == "P" for row, column in pixels)
    )
    tiles, looks = [], []
    for _ in range(4):
        if picture not in looks:
            looks.append(picture)
            tiles.append(Tile(tuple(segments), _border(names), _border(picture), pennants, touching))
        picture, names = _turned(picture), _turned(names)
    return tuple(tiles)


_BOX = json.loads((Path(__file__).parent / "reference_tiles.json").read_text())
TILES: dict[str, tuple[Tile, ...]] = {
    letter: _rotations(tuple(tuple(row) for row in entry["picture"])) for letter, entry in _BOX["tiles"].items()
}
"""Tile type -> its distinct rotations; rotation 0 first."""
COUNTS: dict[str, int] = {letter: entry["count"] for letter, entry in _BOX["tiles"].items()}
START: str = _BOX["start"]


def kind_of(segment: str) -> str:
    """Kind of a segment by its name: ``city1`` is a city."""
    return segment.rstrip("0123456789")
