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
        legal = legal[legal <= layout.PASS]
        pips = [int(tiles.PIPS[action >> 1]) if action < layout.PASS else -1 for action in legal.tolist()]
        return legal[np.argsort(-np.array(pips), kind="stable")]

    def turns(self, state: State) -> int:
        """Turns of the present round, passes included."""
        return int(state[layout.NUM_TURNS])

    def is_first_tile(self, view: State) -> bool:
        """Whether the seat on turn has laid nothing yet."""
        return bool(view[layout.COUNT + int(view[layout.PLAYER])] == tiles.HAND_SIZE)
