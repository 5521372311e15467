"""Exact play where nothing is left to chance: max^n by depth first search (a template; R: rules).

Every seat takes the action that is best for itself, of equals the first (Luckhardt, Irani 1986);
with two seats and an antisymmetric utility that is minimax. Injected besides: `utility` of `utility.py`.
"""

import numpy as np
from numpy import int64

DEPTH = 64
"""Plies that can be searched."""
COUNT, NEXT, SEAT, TURN = range(4)
"""Columns of turns: legal actions, which comes next, whose they are."""
PLY, NODES, PROGRESS = range(3)
"""Words of progress: depth reached on the present path, actions made so far."""
SOLVED, PAUSED, UNSOLVABLE = range(3)
"""Answers of `solve`."""


@kernel
def enter(states, depth, actions, turns, values):
    """Begin a position: list its actions; nothing of it is known yet."""
    turns[depth, COUNT] = R.legal_actions(states[depth], actions[depth])
    turns[depth, NEXT] = 0
    turns[depth, SEAT] = R.current_player(states[depth])
    for seat in range(R.MAX_SEATS):
        values[depth, seat] = -np.inf


@kernel
def begin(start, stack, progress):
    """Set out from a position of a seat's turn; arrays as for `solve`."""
    journal.copy(start, stack[0][0])
    enter(stack[0], int64(0), stack[1], stack[2], stack[3])
    progress[PLY] = progress[NODES] = 0


@kernel
def solve(kind, total, pause, stack, progress, out):
    """Go on, after `begin`, until `pause` actions are made in all; write the root's values to out.

    stack: (states int32[DEPTH + 1, SIZE], actions int32[DEPTH + 1, MAX_ACTIONS], turns
    int64[DEPTH + 1, TURN], values float64[DEPTH + 1, MAX_SEATS]: of the best action so far, journal,
    points); progress: int64[PROGRESS]; out: float64[actions of the root], what each is worth to
    the seat on turn. PAUSED where more actions are to be made, UNSOLVABLE where chance has a say
    and beyond DEPTH plies, else SOLVED.
    """
    states, actions, turns, values, j, points = stack
    num_seats, depth = R.num_seats(states[0]), progress[PLY]
    while True:
        below = depth + 1
        if turns[depth, NEXT] < turns[depth, COUNT]:
            if progress[NODES] >= pause:
                progress[PLY] = depth
                return PAUSED
            journal.copy(states[depth], states[below])
            R.apply(states[below], int64(actions[depth, turns[depth, NEXT]]), j)
            journal.reset(j)
            turns[depth, NEXT] += 1
            progress[NODES] += 1
            player = R.current_player(states[below])
            if player == -1 or (below == DEPTH and player >= 0):
                return UNSOLVABLE
            if player >= 0:
                depth = below
                enter(states, depth, actions, turns, values)
                continue
            R.scores(states[below], points)
            for seat in range(num_seats):
                values[below, seat] = utility(kind, points, seat, num_seats, total)
        elif depth == 0:
            return SOLVED
        else:
            below, depth = depth, depth - 1
        seat = turns[depth, SEAT]
        if depth == 0:
            out[turns[0, NEXT] - 1] = values[below, seat]
        if values[below, seat] > values[depth, seat]:
            for other in range(num_seats):
                values[depth, other] = values[below, other]
