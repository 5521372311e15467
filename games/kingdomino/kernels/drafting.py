"""The draft of Kingdomino: what is drawn, offered and chosen, a part of the rules (`rules.py`).

Arguments as in `rules.py`. An outcome is a king of round 1 or a domino (see `state.py`).
"""

from numpy import int64, uint64

from games.kingdomino.state import *  # noqa: F403 - the layout's names are this file's vocabulary

board = part("squares")
count, nth = board.count, board.nth


@kernel
def is_possible(s, outcome):
    """Whether chance may do this now."""
    if s[NUM_ORDERED] < s[NUM_KINGS]:
        return KING <= outcome < KING + s[NUM_SEATS] and kings_left(s, outcome - KING) > 0
    return outcome < NUM_DOMINOES and (s[POOL + outcome // 24] >> (outcome % 24)) & 1 == 1


@kernel
def kings_left(s, seat):
    """Kings of a seat that have not been drawn for the order of round 1."""
    left = s[NUM_KINGS] // s[NUM_SEATS]
    for i in range(s[NUM_ORDERED]):
        left -= s[ORDER + i] == seat + 1
    return left


@kernel
def chance_outcomes(s, out, prob):
    """Write what may be drawn and how probable it is; return how many."""
    n = int64(0)
    if s[NUM_ORDERED] < s[NUM_KINGS]:
        total = s[NUM_KINGS] - s[NUM_ORDERED]
        for seat in range(s[NUM_SEATS]):
            left = kings_left(s, seat)
            if left > 0:
                out[n], prob[n] = KING + seat, left / total
                n += 1
        return n
    for domino in range(NUM_DOMINOES):
        if (s[POOL + domino // 24] >> (domino % 24)) & 1:
            out[n] = domino
            n += 1
    for i in range(n):
        prob[i] = 1.0 / n
    return n


@kernel
def pool(s):
    """The dominoes not yet drawn, as bits of a set."""
    return uint64(s[POOL]) | (uint64(s[POOL + 1]) << uint64(24))


@kernel
def sample_chance(s, r):
    """Draw a king, or a domino."""
    if s[NUM_ORDERED] < s[NUM_KINGS]:
        k = rng.below(r, int64(s[NUM_KINGS] - s[NUM_ORDERED]))
        for seat in range(s[NUM_SEATS]):
            k -= kings_left(s, seat)
            if k < 0:
                return int64(KING + seat)
    left = pool(s)
    return int64(nth(left, rng.below(r, count(left))))


@kernel
def draw(s, outcome, j):
    """A king or a domino is drawn; with the last one a seat is on turn."""
    if s[NUM_ORDERED] < s[NUM_KINGS]:
        journal.write(s, ORDER + s[NUM_ORDERED], outcome - KING + 1, j)
        journal.write(s, NUM_ORDERED, s[NUM_ORDERED] + 1, j)
        return
    half = POOL + outcome // 24
    journal.write(s, half, s[half] & ~(1 << (outcome % 24)), j)
    i = int64(s[NUM_OFFERED])
    while i > 0 and s[ROW + i - 1] > outcome + 1:
        journal.write(s, ROW + i, s[ROW + i - 1], j)
        i -= 1
    journal.write(s, ROW + i, outcome + 1, j)
    journal.write(s, NUM_OFFERED, s[NUM_OFFERED] + 1, j)
    if s[NUM_OFFERED] == s[NUM_KINGS] + s[SPARE]:
        first = s[ORDER] if s[ROUND] == 1 else s[OWNER]
        journal.write(s, PLAYER, first - 1, j)


@kernel
def num_free(s):
    """Dominoes on offer that nobody has chosen; none in the last round."""
    return int64(s[NUM_OFFERED] - s[TURN]) if s[NUM_OFFERED] else int64(0)


@kernel
def nth_free(s, n):
    """Place in the row of the n-th domino that is free."""
    for place_ in range(MAX_KINGS):
        if s[ROW + place_] and s[CLAIM + place_] == 0:
            if n == 0:
                return int64(place_)
            n -= 1
    return int64(NOTHING)


@kernel
def choices(s, out, base, n):
    """Write the actions of one placement from out[n] on; return the new number of actions."""
    if s[NUM_OFFERED] == 0:
        out[n] = base + NOTHING
        return n + 1
    for place_ in range(s[NUM_OFFERED]):
        if s[CLAIM + place_] == 0:
            out[n] = base + place_
            n += 1
    return n
