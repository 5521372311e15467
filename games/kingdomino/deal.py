"""The luck of one Kingdomino match: the order of the kings in round 1, and of the dominoes."""

from __future__ import annotations

from games import rng
from games.kingdomino import state as layout
from games.protocol import Rng, State


class DominoDeal:
    """Two permutations, drawn whole at the start: first the kings, then all 48 dominoes."""

    def __init__(self, num_seats: int, r: Rng) -> None:
        num_kings = 3 if num_seats == 3 else 4
        kings = [layout.KING + seat for seat in range(num_seats) for _ in range(num_kings // num_seats)]
        self._undrawn = _shuffled(list(range(layout.NUM_DOMINOES)), r) + _shuffled(kings, r)

    def draw(self, state: State) -> int:
        """The next king (`layout.KING` + seat) or domino. Raises IndexError when none is left."""
        return self._undrawn.pop()


def _shuffled(items: list[int], r: Rng) -> list[int]:
    for i in range(len(items) - 1, 0, -1):
        k = rng.below(r, i + 1)
        items[i], items[k] = items[k], items[i]
    return items
