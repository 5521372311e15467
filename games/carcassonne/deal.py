"""The luck of one Carcassonne match: the order in which tiles are drawn."""

from __future__ import annotations

from types import ModuleType

from games import rng
from games.carcassonne import state as layout
from games.carcassonne import tiles
from games.protocol import Rng, State


class TileDeal:
    """A permutation of the pool, drawn whole at the start.

    Under `return` a tile that fits nowhere goes back to a random place among those not yet
    drawn; that place comes from the same stream, after the permutation.
    """

    def __init__(self, kernels: ModuleType, returns: bool, r: Rng) -> None:
        table = tiles.load()
        pool = [t for t in range(layout.NUM_TYPES) for _ in range(int(table.count[t]) - (t == table.start))]
        for i in range(len(pool) - 1, 0, -1):
            k = rng.below(r, i + 1)
            pool[i], pool[k] = pool[k], pool[i]
        self._undrawn = pool  # the next one is last
        self._kernels, self._returns, self._rng = kernels, returns, r

    def draw(self, state: State) -> int:
        """The type of the next tile. Raises IndexError when none is left."""
        t = self._undrawn.pop()
        if self._returns and not self._kernels.is_placeable(state, t):
            self._undrawn.insert(rng.below(self._rng, len(self._undrawn) + 1), t)
        return t
