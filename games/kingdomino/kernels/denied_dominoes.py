"""Dominoes denied to the next to choose in a draft of Kingdomino: a part of `measures.py` (rules in R)."""

import numpy as np
from numpy import int64

greedy = part("greedy")


@allocating_kernel
def denied(s, out):
    """Of each seat of a match that is over: dominoes that it took from the next to choose.

    A domino counts where the next to choose from the row, as its kingdom stood and with its own
    domino in hand, could have made more points with it than with any other that was left: the most
    points of areas and middle kingdom, the domino in hand placed and the chosen one, too. Ties do not
    count, nor does the last choice of a row. For matches in which a seat has one king: of two the
    fates do not say which chose first.

    out: int64[MAX_SEATS], zeros.
    """
    kings, rows = int64(s[R.NUM_KINGS]), int64(s[R.NUM_ROWS])
    length = kings + int64(s[R.SPARE])
    row, taken = np.zeros((rows + 1, R.MAX_KINGS), np.int64), np.zeros((rows + 1, R.MAX_KINGS), np.int64)
    for domino in range(R.NUM_DOMINOES):
        fate = s[R.FATE + domino]
        if fate:
            row[(fate >> R.FATE_ROUND) & 15, (fate >> R.FATE_PLACE) & 3] = domino
    for round_ in range(1, rows + 1):
        n = int64(0)
        for place in range(length):
            if s[R.FATE + row[round_, place]] & 1:
                taken[round_, n] = row[round_, place]
                n += 1
    past, unused = np.zeros(R.SIZE, np.int32), np.ones(R.SIZE * 2 if JOURNAL else 1, np.int32)
    buffer, r = np.zeros(R.MAX_ACTIONS, np.int32), np.ones(4, np.uint64)
    for i in range(R.NUM_SEATS, R.ORDER):
        past[i] = s[i]
    past[R.NUM_OFFERED] = length
    for round_ in range(1, rows + 1):
        for place in range(length):
            past[R.ROW + place], past[R.CLAIM + place] = row[round_, place] + 1, 0
        for turn in range(kings):
            seat = king(s, taken, round_, turn)
            if round_ > 1:
                domino = taken[round_ - 1, turn]
                R.resolve(past, seat, domino, R.placing.laid_as(int64(s[R.FATE + domino])), unused)
                journal.reset(unused)
            chosen = choice(s, row, round_, seat)
            past[R.CLAIM + chosen] = seat + 1
            if turn + 1 < kings:
                past[R.TURN], past[R.PLAYER] = turn + 1, king(s, taken, round_, turn + 1)
                past[R.LAST + turn + 1] = taken[round_ - 1, turn + 1] + 1 if round_ > 1 else 0
                out[seat] += is_denied(past, r, chosen, buffer)


@kernel
def king(s, taken, round_, turn):
    """Seat whose king chooses then. taken: dominoes chosen, by round and in their order."""
    if round_ == 1:
        return int64(s[R.ORDER + turn]) - 1
    return (int64(s[R.FATE + taken[round_ - 1, turn]]) >> R.FATE_SEAT) & 3


@kernel
def choice(s, row, round_, seat):
    """Place in the row of what a seat with one king chose."""
    for place in range(R.MAX_KINGS):
        fate = int64(s[R.FATE + row[round_, place]])
        if fate & 1 and (fate >> R.FATE_SEAT) & 3 == seat and (fate >> R.FATE_ROUND) & 15 == round_:
            return int64(place)
    return int64(R.NOTHING)


@kernel
def is_denied(s, r, chosen, buffer):
    """Whether the seat on turn could gain more with the domino at place `chosen`, just taken, than with any left."""
    for place in range(s[R.NUM_OFFERED]):
        s[R.CLAIM + place] += R.MAX_SEATS + 1
    s[R.CLAIM + chosen], mine = 0, s[R.CLAIM + chosen]
    taken = greedy.weigh(s, r, buffer, True, False, R.NONE, greedy.ENOUGH)[0]
    s[R.CLAIM + chosen] = mine
    for place in range(s[R.NUM_OFFERED]):
        s[R.CLAIM + place] -= R.MAX_SEATS + 1
    return int64(taken > greedy.weigh(s, r, buffer, True, False, R.NONE, taken)[0])
