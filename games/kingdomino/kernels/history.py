"""A match of Kingdomino looked back at, for metrics by round: a part of the rules (`rules.py`)."""

import numpy as np
from numpy import int64

from games.kingdomino.state import *  # noqa: F403 - the layout's names are this file's vocabulary

placing = part("placing")
count, scores = part("squares").count, part("scoring").scores
placements, resolve, laid_as, IS_EQUAL = placing.placements, placing.resolve, placing.laid_as, placing.IS_EQUAL


@kernel
def list_chosen(s, out):
    """Write the dominoes chosen in each round, in the order in which they are placed.

    out: int64[rounds + 1, MAX_KINGS], zeros.
    """
    for domino in range(NUM_DOMINOES):
        fate = int64(s[FATE + domino])
        if fate & 1:
            out[(fate >> FATE_ROUND) & 15, (fate >> FATE_PLACE) & 3] = domino + 1
    for round_ in range(1, s[NUM_ROWS] + 1):
        n = int64(0)
        for place_ in range(MAX_KINGS):
            if out[round_, place_]:
                out[round_, n] = out[round_, place_] - 1
                n += 1


@allocating_kernel
def look_back(s, out):
    """Of each round and seat of a match that is over: points after it, and what could be done in it.

    out: int64[rounds, MAX_SEATS, 4], zeros: points; legal actions of the seat's plies, summed; the
    same with dominoes of equal ends counted turned round, too; plies.
    """
    past, unused = np.zeros(SIZE, np.int32), np.ones(SIZE * 2 if JOURNAL else 1, np.int32)
    chosen, points = np.zeros((s[NUM_ROWS] + 1, MAX_KINGS), np.int64), np.zeros(MAX_SEATS, np.int64)
    list_chosen(s, chosen)
    for i in range(NUM_SEATS, ORDER):
        past[i] = s[i]
    for round_ in range(1, s[NUM_ROWS] + 2):
        for turn in range(s[NUM_KINGS]):
            choices_ = s[NUM_KINGS] + s[SPARE] - turn if round_ <= s[NUM_ROWS] else int64(1)
            seat, ways, doubled = int64(s[ORDER + turn]) - 1, int64(1), int64(1)
            if round_ > 1:
                domino = chosen[round_ - 1, turn]
                fate = int64(s[FATE + domino])
                seat = (fate >> FATE_SEAT) & 3
                right, down, left, up = placements(past, seat, domino)
                ways = count(right) + count(down) + count(left) + count(up)
                doubled = 2 * ways if IS_EQUAL[domino] else ways
                resolve(past, seat, domino, laid_as(fate), unused)
                journal.reset(unused)
            spare = int64(s[MUST_PLACE] == 0 and round_ > 1)
            out[round_ - 1, seat, 1] += max(ways + spare, 1) * choices_
            out[round_ - 1, seat, 2] += max(doubled + spare, 1) * choices_
            out[round_ - 1, seat, 3] += 1
        past[PLAYER] = -2 if round_ > s[NUM_ROWS] else -1
        scores(past, points)
        for seat in range(s[NUM_SEATS]):
            out[round_ - 1, seat, 0] = points[seat]
