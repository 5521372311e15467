"""Joins of drawn segments into features, and since when each holds.

For lighting up a feature under the pointer; the rules keep their own account in the kernels.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from games.carcassonne.board.geometry import EDGES, HALVES, tile_facts

Node = tuple[int, str]
"""A segment of a laid tile: (index of the tile, segment id)."""

_FIELD = 4  # ports 0 to 3 are edges with a city or road, 4 to 11 the halves of edges with fields
_STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))


@cache
def _ports(letter: str, rotation: int) -> Mapping[int, str]:
    """Segment behind each port of a tile as it lies."""
    facts = tile_facts()[letter]
    ports: dict[int, str] = {}
    for segment in (*facts["cities"], *facts["roads"]):
        ports |= {(EDGES.index(edge) + rotation) % 4: segment["id"] for edge in segment["edges"]}
    for segment in facts["fields"]:
        ports |= {_FIELD + (HALVES.index(half) + 2 * rotation) % 8: segment["id"] for half in segment["half_edges"]}
    return ports


def _touching(edge: int) -> tuple[tuple[int, int], ...]:
    """(own port, neighbour's port) pairs across an edge: the halves cross over."""
    far = (edge + 2) % 4
    halves = ((2 * edge, 2 * far + 1), (2 * edge + 1, 2 * far))
    return ((edge, far), *((_FIELD + mine, _FIELD + theirs) for mine, theirs in halves))


_TOUCHING = tuple(_touching(edge) for edge in range(4))


class Joins:
    """Union by size without path compression: a link keeps the time at which it was made.

    The feature of a segment after `time` tiles is found by climbing the links made up to then.
    """

    def __init__(self) -> None:
        self._tiles: dict[tuple[int, int], tuple[int, Mapping[int, str]]] = {}
        self.numbers: dict[Node, int] = {}
        """Number of each segment, in the order of laying."""
        self.parent: list[int] = []
        """Segment that each segment is linked to; itself at a root."""
        self.since: list[int] = []
        """Index of the tile that made the link; -1 at a root."""
        self._size: list[int] = []

    def lay(self, letter: str, x: int, y: int, rotation: int) -> None:
        """Add the next tile and link its segments to those that it touches."""
        index, ports = len(self._tiles), _ports(letter, rotation % 4)
        for segment in dict.fromkeys((*ports.values(), *(["monastery"] if tile_facts()[letter]["monastery"] else []))):
            self.numbers[index, segment] = len(self.parent)
            self.parent.append(len(self.parent))
            self.since.append(-1)
            self._size.append(1)
        self._tiles[x, y] = index, ports
        for edge, (dx, dy) in enumerate(_STEPS):
            other, theirs = self._tiles.get((x + dx, y + dy), (-1, {}))
            for mine, far in _TOUCHING[edge]:
                if mine in ports and far in theirs:
                    self._link(self.numbers[index, ports[mine]], self.numbers[other, theirs[far]], index)

    def _link(self, a: int, b: int, time: int) -> None:
        a, b = self.root(a), self.root(b)
        if a != b:
            big, small = (a, b) if self._size[a] >= self._size[b] else (b, a)
            self.parent[small], self.since[small] = big, time
            self._size[big] += self._size[small]

    def root(self, number: int, time: int | None = None) -> int:
        """The segment that stands for the whole feature, now or once tile `time` was laid."""
        while self.since[number] >= 0 and (time is None or self.since[number] <= time):
            number = self.parent[number]
        return number
