"""A search in compiled code: makes every action, counts, and takes it back, without returning to Python between."""

import numba
import numpy as np

from engines.own import Budget, Decision, Position
from games import registry

GAME = registry.get("kingdomino")
RULES = GAME.kernels(journal=True)
apply, legal_actions, projected, undo = RULES.apply, RULES.legal_actions, RULES.projected, RULES.journal.undo


@numba.njit
def best_action(state, seat, num_seats, actions, points, journal):
    """The action after which the seat is furthest ahead, and twice its points less those of all."""
    best, most = -1, -(1 << 30)
    for k in range(legal_actions(state, actions)):
        apply(state, actions[k], journal)
        projected(state, points)
        undo(state, journal, 1)
        value = 2 * points[seat] - points[:num_seats].sum()
        if value > most:
            best, most = actions[k], value
    return best, most


class Engine:
    """Looks one ply ahead."""

    label = "One ply"
    summary = "Takes the action after which it is furthest ahead, if the match ended there."
    games = ("kingdomino",)
    needs_journal = True

    def __init__(self) -> None:
        self.actions, self.points = np.zeros(RULES.MAX_ACTIONS, np.int32), np.zeros(RULES.MAX_SEATS, np.int64)
        self.journal = np.ones(1 << 16, np.int32)
        best_action(GAME.initial_state(GAME.options(), 2), 0, 2, self.actions, self.points, self.journal)  # compiles

    def choose(self, position: Position, budget: Budget) -> Decision:
        """One call for all actions."""
        state = position.array.copy()
        where = (position.seat, position.num_seats, self.actions, self.points, self.journal)
        action, value = best_action(state, *where)
        return Decision(int(action), value=float(value))
