"""The metrics of a match of Kingdomino that is over, in one call: a part of `policies.py` (rules in R).

Columns are the rows of `games.kingdomino.metrics.TABLE`, in its order; what a seat has not is not a number.
"""

import numpy as np
from numpy import int64

denied = part("denied_dominoes").denied

MAX_ROUNDS = 13
POINTS, MIDDLE, HARMONY = 0, R.NUM_TERRAINS, R.NUM_TERRAINS + 1
SQUARES = HARMONY + 1
CROWNS, AREAS = SQUARES + R.NUM_TERRAINS, SQUARES + 2 * R.NUM_TERRAINS
LARGEST = SQUARES + 3 * R.NUM_TERRAINS
DISCARDED, HOLES, FIRST_CHOICES, MEAN_PLACE, MEAN_NUMBER, DENIED = range(LARGEST + 1, LARGEST + 7)
ORDER = DENIED + 1
SCORE_ORDER = ORDER + R.MAX_SEATS
SCORE_ROUND = SCORE_ORDER + R.MAX_SEATS
ACTIONS_ROUND, LISTED_ROUND = SCORE_ROUND + MAX_ROUNDS, SCORE_ROUND + 2 * MAX_ROUNDS
NUM_METRICS = LISTED_ROUND + MAX_ROUNDS


@allocating_kernel
def measure(s, out):
    """Write every metric of every seat. out: float64[MAX_SEATS, NUM_METRICS]."""
    rounds, seats = int64(s[R.NUM_ROWS]) + 1, int64(s[R.NUM_SEATS])
    out[:] = np.nan
    past = np.zeros((MAX_ROUNDS, R.MAX_SEATS, 4), np.int64)
    R.look_back(s, past)
    for seat in range(seats):
        lands = np.zeros((R.NUM_TERRAINS + 1, 4), np.int64)
        R.tally(s, seat, lands)
        measure_kingdom(s, seat, lands, out[seat])
        measure_rounds(past, seat, rounds, out[seat])
        measure_order(s, seat, past[rounds - 1, seat, 0], out[seat])
    measure_choices(s, np.zeros(rounds + 1, np.int64), np.zeros((seats, 3), np.int64), out)
    if s[R.NUM_KINGS] == seats:
        taken = np.zeros(R.MAX_SEATS, np.int64)
        denied(s, taken)
        for seat in range(seats):
            out[seat, DENIED] = taken[seat]


@kernel
def measure_kingdom(s, seat, lands, row):
    """What lies at the end. lands: as `tally` has it."""
    for t in range(R.NUM_TERRAINS):
        row[POINTS + t], row[SQUARES + t], row[CROWNS + t], row[AREAS + t] = (
            lands[t, 0],
            lands[t, 1],
            lands[t, 2],
            lands[t, 3],
        )
    rest = lands[R.NUM_TERRAINS]
    row[LARGEST], row[HOLES], row[MIDDLE], row[HARMONY] = rest[0], rest[1], rest[2], rest[3]
    row[DISCARDED] = s[R.KINGDOMS + R.KINGDOM * seat + R.DISCARDS]


@kernel
def measure_rounds(past, seat, rounds, row):
    """What `look_back` says of a seat, round by round."""
    for i in range(rounds):
        row[SCORE_ROUND + i] = past[i, seat, 0]
        plies = past[i, seat, 3]
        if plies:
            row[ACTIONS_ROUND + i], row[LISTED_ROUND + i] = past[i, seat, 1] / plies, past[i, seat, 2] / plies


@kernel
def measure_order(s, seat, score, row):
    """Place among the seats at which the seat's first king chose in round 1, and its score as of that choice alone."""
    before, own = int64(0), int64(-1)
    for turn in range(s[R.NUM_KINGS]):
        king = s[R.ORDER + turn]
        is_first = True
        for earlier in range(turn):
            is_first &= s[R.ORDER + earlier] != king
        if king == seat + 1 and own < 0:
            own = before
        before += is_first
    for place in range(s[R.NUM_SEATS]):
        row[ORDER + place] = place == own
    row[SCORE_ORDER + own] = score


@kernel
def measure_choices(s, aside, sums, out):
    """What the seats chose from the rows.

    aside: int64[rounds + 1], zeros, for places of the dominoes of each row that nobody took, as bits; sums:
    int64[seats, 3], zeros, for the dominoes of each seat, their places and their numbers.
    """
    seats = int64(s[R.NUM_SEATS])
    for domino in range(R.NUM_DOMINOES):
        fate = int64(s[R.FATE + domino])
        if fate and fate & 1 == 0:
            aside[(fate >> R.FATE_ROUND) & 15] |= int64(1) << ((fate >> R.FATE_PLACE) & 3)
    for seat in range(seats):
        out[seat, FIRST_CHOICES] = s[R.ORDER] == seat + 1
    for domino in range(R.NUM_DOMINOES):
        fate = int64(s[R.FATE + domino])
        if fate & 1:
            seat, round_, place = (fate >> R.FATE_SEAT) & 3, (fate >> R.FATE_ROUND) & 15, (fate >> R.FATE_PLACE) & 3
            sums[seat, 0] += 1
            sums[seat, 1] += place + 1
            sums[seat, 2] += domino + 1
            lower = (int64(1) << place) - 1
            if round_ < s[R.NUM_ROWS] and aside[round_] & lower == lower:
                out[seat, FIRST_CHOICES] += 1
    for seat in range(seats):
        number = max(sums[seat, 0], 1)
        out[seat, MEAN_PLACE], out[seat, MEAN_NUMBER] = sums[seat, 1] / number, sums[seat, 2] / number
