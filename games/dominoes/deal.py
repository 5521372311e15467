"""The luck of one dominoes match: who opens first where lots decide, and the hands of every round."""

from __future__ import annotations

from games import rng
from games.dominoes import state as layout
from games.dominoes import tiles
from games.protocol import Rng, State


class HandsDeal:
    """One deal for each (match, round), and for each new deal of a round that was void.

    So the same hands meet all arms in round k, however the rounds before went.
    """

    def __init__(self, r: Rng) -> None:
        self._seed = rng.next_u64(r)

    def draw(self, state: State) -> int:
        """The seat that opens, or the tiles that the next seat is dealt."""
        if state[layout.TO_DRAW]:
            return rng.below(rng.new_stream(self._seed, rng.DEAL), layout.MAX_SEATS)
        redeals, dealt = int(state[layout.REDEALS]), int(state[layout.NUM_DEALT])
        number = int(state[layout.ROUND]) + (dealt == 0 and redeals == 0)
        order = _shuffled(rng.new_stream(self._seed, rng.DEAL, number, redeals))
        return sum(1 << tile for tile in order[tiles.HAND_SIZE * dealt : tiles.HAND_SIZE * (dealt + 1)])


def _shuffled(r: Rng) -> list[int]:
    order = list(range(tiles.NUM_TILES))
    for i in range(tiles.NUM_TILES - 1, 0, -1):
        k = rng.below(r, i + 1)
        order[i], order[k] = order[k], order[i]
    return order
