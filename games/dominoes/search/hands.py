"""The searches of dominoes as engines ask for them."""

from __future__ import annotations

import numpy as np

from games.dominoes import state as layout
from games.dominoes import tiles
from games.dominoes.search import compilation, playout_policy
from games.dominoes.search.double_dummy import values as double_dummy_values
from games.dominoes.search.imperfect_minimax import values as imperfect_values
from games.dominoes.search.ismcts import OneTree
from games.dominoes.search.pimc import ManyWorlds
from games.protocol import Actions, State

_FEWER_PIPS = [*(-int(tiles.PIPS[action >> 1]) for action in range(layout.PASS)), 1]
"""By action, from the tile with the most pips to passing."""


class DominoHands:
    """See `games.hands.Hands`."""

    compile_searches = staticmethod(compilation.compile_searches)
    most_appealing = staticmethod(playout_policy.most_appealing)
    program = staticmethod(playout_policy.program)
    double_dummy = staticmethod(double_dummy_values)
    imperfect_minimax = staticmethod(imperfect_values)
    pimc = ManyWorlds
    ismcts = OneTree

    def sorted_actions(self, legal: Actions) -> Actions:
        """Actions with the most pips first, then in the order of the rules.

        Without calls and the opening left to the partner, which searches do not follow: there are always others.
        """
        listed = [action for action in legal.tolist() if action <= layout.PASS]
        return np.array(sorted(listed, key=_FEWER_PIPS.__getitem__), np.int32)

    def turns(self, state: State) -> int:
        """Turns of the present round, passes included."""
        return int(state[layout.NUM_TURNS])

    def is_first_tile(self, view: State) -> bool:
        """Whether the seat on turn has laid nothing yet."""
        return bool(view[layout.COUNT + int(view[layout.PLAYER])] == tiles.HAND_SIZE)
