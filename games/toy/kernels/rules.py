"""The rules of cards: a template of `games.loader`, arrays as in `state.py`."""

import numpy as np
from numpy import int64

from games.toy.state import (
    CARD,
    CARDS,
    DEALT,
    LAST_CARD,
    LAST_SEAT,
    MAX_ACTIONS,
    MAX_CARDS,
    MAX_SEATS,
    NUM_CARDS,
    NUM_LEFT,
    NUM_SEATS,
    PLAYER,
    POOL,
    SCORE,
    SECRET,
    SIZE,
    UNKNOWN,
)

OVER_RULES = ("policies", "evaluation", "ordering", "promise")

__all__ = ["MAX_ACTIONS", "MAX_SEATS", "SIZE"]


@kernel
def init(s, num_seats, options):
    """Set up a match in a zeroed state. options: int32[2], number of cards, 1 with secrets."""
    s[NUM_SEATS] = num_seats
    s[NUM_CARDS] = options[0]
    s[NUM_LEFT] = options[0]
    s[DEALT] = 0 if options[1] else num_seats
    for card in range(options[0]):
        s[POOL + card] = 1


@kernel
def num_seats(s):
    return int64(s[NUM_SEATS])


@kernel
def current_player(s):
    if s[CARD]:
        return int64(s[PLAYER])
    return int64(-1) if s[NUM_LEFT] else int64(-2)


@kernel
def legal_actions(s, out):
    if s[CARD] == 0:
        return int64(0)
    if s[NUM_LEFT] == 0:  # the last card is kept
        out[0] = s[PLAYER]
        return int64(1)
    for seat in range(s[NUM_SEATS]):
        out[seat] = seat
    return int64(s[NUM_SEATS])


@kernel
def is_legal(s, action):
    if action < 0:
        return False
    if s[CARD]:
        return action < s[NUM_SEATS] and (s[NUM_LEFT] > 0 or action == s[PLAYER])
    return action > 0 and action <= s[NUM_CARDS] and s[POOL + action - 1] == 1


@kernel
def draw(s, card, j):
    """A card leaves the pool: the next secret card, or the one to be handed out."""
    journal.write(s, POOL + card - 1, 0, j)
    journal.write(s, NUM_LEFT, s[NUM_LEFT] - 1, j)
    if s[DEALT] < s[NUM_SEATS]:
        journal.write(s, SECRET + s[DEALT], card, j)
        journal.write(s, DEALT, s[DEALT] + 1, j)
    else:
        journal.write(s, CARD, card, j)


@kernel
def hand_out(s, seat, j):
    """The drawn card goes to a seat; after the last one the secret cards count."""
    journal.write(s, SCORE + seat, s[SCORE + seat] + s[CARD], j)
    journal.write(s, CARDS + seat, s[CARDS + seat] + 1, j)
    journal.write(s, LAST_CARD, s[CARD], j)
    journal.write(s, LAST_SEAT, seat, j)
    journal.write(s, CARD, 0, j)
    journal.write(s, PLAYER, (s[PLAYER] + 1) % s[NUM_SEATS], j)
    if s[NUM_LEFT] == 0:
        for other in range(s[NUM_SEATS]):
            journal.write(s, SCORE + other, s[SCORE + other] + s[SECRET + other], j)


@kernel
def apply(s, action, j):
    if s[CARD]:
        hand_out(s, int64(action), j)
    else:
        draw(s, int64(action), j)


@kernel
def chance_outcomes(s, out, probability):
    n = int64(0)
    for card in range(MAX_CARDS):
        if s[POOL + card]:
            out[n] = card + 1
            probability[n] = 1.0 / s[NUM_LEFT]
            n += 1
    return n


@kernel
def sample_chance(s, r):
    k = rng.below(r, int64(s[NUM_LEFT]))
    card = int64(0)
    while s[POOL + card] == 0 or k > 0:
        k -= s[POOL + card]
        card += 1
    return card + 1


@kernel
def scores(s, out):
    for seat in range(s[NUM_SEATS]):
        out[seat] = s[SCORE + seat]


@kernel
def projected(s, out):
    """As if the match ended now: with the secret cards that this state knows."""
    over = s[CARD] == 0 and s[NUM_LEFT] == 0
    for seat in range(s[NUM_SEATS]):
        out[seat] = s[SCORE + seat]
        if not over and s[SECRET + seat] > 0:
            out[seat] += s[SECRET + seat]


@kernel
def key(s):
    """Hash of the position; how many cards a seat got is a tally, not part of it."""
    h = np.uint64(s[NUM_SEATS] * 16 + s[NUM_CARDS])
    h = rng.mix2(h, np.uint64((s[PLAYER] * 16 + s[CARD]) * 16 + s[DEALT]))
    for seat in range(s[NUM_SEATS]):
        h = rng.mix2(h, np.uint64(s[SCORE + seat] * 16 + s[SECRET + seat] + 1))
    for card in range(MAX_CARDS):
        h = rng.mix2(h, np.uint64(s[POOL + card]))
    return h


@kernel
def determinize(s, seat, r):
    """The secret cards of other seats go back among those not seen, and are drawn anew; none at the end."""
    if s[CARD] == 0 and s[NUM_LEFT] == 0:
        return
    unseen = int64(s[NUM_LEFT])
    for other in range(s[NUM_SEATS]):
        if other != seat and s[SECRET + other] != 0:
            unseen += 1
            if s[SECRET + other] > 0:
                s[POOL + s[SECRET + other] - 1] = 1
                s[SECRET + other] = UNKNOWN
    for other in range(s[NUM_SEATS]):
        if s[SECRET + other] == UNKNOWN:
            k, card = rng.below(r, unseen), int64(0)
            while s[POOL + card] == 0 or k > 0:
                k -= s[POOL + card]
                card += 1
            s[POOL + card] = 0
            s[SECRET + other] = card + 1
            unseen -= 1
