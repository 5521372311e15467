"""Random paths down the game tree of Carcassonne that keep meeples for later, as most leaves do.

Uniform play wastes its meeples early, and what hangs below a position without meeples is a
small part of the tree. With h meeples in hand, r own plies left and s actions with a meeple for
each without, there are about V(h, r) = sum over i <= h of C(r, i) s^i ways to use them. Paths
claim with a probability that follows V, and populations prefer what V promises; every step is
counted by the chance it had, so the estimate stays without bias whatever V is worth.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from games import rng
from games.carcassonne import state as layout
from games.protocol import CHANCE, TERMINAL, Game, Rng, State
from worker.studies import boards

CLAIMS = 2.5
"""Actions with a meeple for each without, about, where none of the features is taken."""


def step(game: Game, state: State, r: Rng) -> tuple[float, State]:
    """One ply: a drawn tile (each kind alike), then an action, both counted by their chance."""
    factor = 1.0
    while (player := game.current_player(state)) == CHANCE:
        outcomes = game.chance_outcomes(state)[0]
        factor *= len(outcomes)
        state = game.apply(state, int(outcomes[rng.below(r, len(outcomes))]))
    if player == TERMINAL:
        return 0.0, state
    actions = game.legal_actions(state)
    is_claim = actions % layout.ACTION_ROTATION > 0
    claims = int(is_claim.sum())
    left = game.plies_left(state, player) - 1
    hand = int(state[layout.HAND + player])
    keep = (len(actions) - claims) * math.exp(_ways(hand, left))
    use = claims * math.exp(_ways(hand - 1, left)) if claims else 0.0
    share = use / (use + keep)
    chosen, part = (actions[is_claim], share) if rng.uniform(r) < share else (actions[~is_claim], 1 - share)
    action = int(chosen[rng.below(r, len(chosen))])
    return factor * len(chosen) / part, game.apply(state, action)


def promise(game: Game, state: State) -> float:
    """Natural logarithm of what may hang below: ways to use the meeples in hand, and room for tiles."""
    seats = range(game.num_seats(state))
    return boards.promise(state) + sum(
        _ways(int(state[layout.HAND + seat]), game.plies_left(state, seat)) for seat in seats
    )


@cache
def _ways(hand: int, plies: int) -> float:
    """Natural logarithm of V(h, r)."""
    return float(np.log(sum(math.comb(plies, i) * CLAIMS**i for i in range(min(hand, plies) + 1))))
