"""Denial in the draft of Kingdomino: a part of `policies.py` (a template of `games.loader`, rules in R).

The choice takes a domino from the next seat to choose. What it loses is what the best domino on
offer is worth to it (`informed.choice_worth`, as its kingdom stands) less the second best, where
the best is taken; SHARE of it, split over the other seats, counts for the seat that takes it.
"""

import numpy as np
from numpy import int64

informed = part("informed")
SHARE = 0.8
"""Of 0.2, 0.4 and 0.8 with two seats, and 0.6, 1.2 and 2.4 with four, the last and the first won most."""


@kernel
def next_seat(s):
    """The seat that chooses after the one on turn, -1 where none does, or it is the same."""
    turn = s[R.TURN] + 1
    if s[R.NUM_OFFERED] == 0 or turn >= s[R.NUM_KINGS]:
        return int64(-1)
    following = int64(s[R.ORDER + turn] if s[R.ROUND] == 1 else s[R.OWNER + turn]) - 1
    return following if following != s[R.PLAYER] else int64(-1)


@kernel
def wanted(s, w, buffer):
    """(Place of the domino that the next seat wants most, what it loses without it); place -1 where it loses nothing.

    w: `worth.table`; buffer: int32[MAX_ACTIONS], overwritten.
    """
    seat, place_wanted = next_seat(s), int64(-1)
    best = second = informed.NOT_FOUND
    if seat < 0:
        return place_wanted, int64(0)
    k = R.KINGDOMS + R.KINGDOM * seat
    informed.worth.prospect(s, w, buffer)
    kingdom = informed.look(s, w, buffer, k, informed.keeps_to_middle(s, k))
    nothing = (informed.greedy.ALONE, informed.NONE, informed.NONE)
    for place in range(s[R.NUM_OFFERED]):
        if s[R.CLAIM + place] == 0:
            value = informed.choice_worth(s, w, buffer, k, nothing, int64(place), kingdom)
            if value > best:
                best, second, place_wanted = value, best, int64(place)
            elif value > second:
                second = value
    return (place_wanted, best - second) if second > informed.NOT_FOUND else (int64(-1), int64(0))


@allocating_kernel
def action(s, r, buffer, w):
    """The action that promises most, what it denies the next seat included; equals by lot."""
    place_wanted, lost = wanted(s, w, buffer)
    actions = np.empty(R.MAX_ACTIONS, np.int32)
    n = R.legal_actions(s, actions)
    promised = np.empty(n)
    informed.promises(s, actions[:n], buffer, w, promised)
    best = (informed.NOT_FOUND, int64(-1), int64(0))
    for i in range(n):
        value = int64(promised[i] * informed.worth.POINT)
        if int64(actions[i]) % R.CHOICES == place_wanted:
            value += int64(SHARE * lost / (s[R.NUM_SEATS] - 1))
        best = informed.greedy.better(r, best, value, int64(actions[i]))
    return best[1]
