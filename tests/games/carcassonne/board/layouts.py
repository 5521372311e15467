"""Boards to draw: those of stored matches, and a sheet of all tile types."""

import gzip
import json
from functools import cache
from pathlib import Path

from games.carcassonne.board.geometry import tile_facts
from games.carcassonne.board.render import Tile

TRACES = Path(__file__).parent.parent / "traces"


@cache
def matches() -> tuple[tuple[Tile, ...], ...]:
    """The tiles of the stored matches in the order of laying, with what each ply placed."""
    found = []
    for path in sorted(TRACES.glob("*.jsonl.gz")):
        for line in gzip.decompress(path.read_bytes()).splitlines()[:3]:
            match = json.loads(line)
            start = match["start"]
            tiles = [Tile(start["tile"], start["x"], start["y"], start["rot"])]
            for ply in match["plies"]:
                meeple = (ply["meeple"], ply["player"]) if ply["meeple"] else None
                tiles.append(Tile(ply["tile"], ply["x"], ply["y"], ply["rot"], meeple))
            found.append(tuple(tiles))
    return tuple(found)


def longest_match() -> tuple[Tile, ...]:
    return max(matches(), key=len)


def all_types() -> tuple[Tile, ...]:
    """One tile of each type, all rotations among them."""
    return tuple(Tile(letter, i % 6, i // 6, i % 4) for i, letter in enumerate(tile_facts()))
