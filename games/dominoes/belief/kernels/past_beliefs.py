"""What seats believed in a round that has ended (a part of the rules).

Arrays: s int32[SIZE], a scratch state; w int64[dealing.WORK]; chances float64[28, 4]; held float64[turns, 2], out.
"""

from math import log

from numpy import int64

from games.dominoes import tiles
from games.dominoes.state import *  # noqa: F403 - the layout's names are this file's vocabulary

dealing, paper_belief = part("dealing"), part("paper_belief")
ALL, HAND_SIZE = tiles.ALL, tiles.HAND_SIZE


@kernel
def begin(s):
    """Turn the last state of a round into the one after its deal: hands hold again what was laid."""
    for seat in range(MAX_SEATS):
        s[COUNT + seat] = HAND_SIZE
        s[LACKS + seat] = 0
    for turn in range(s[NUM_TURNS]):
        word = int64(s[LOG + turn])
        if word & 63 < PASS:
            s[HAND + (word >> LOG_SEAT & 3)] |= int64(1) << ((word & 63) >> 1)
    s[UNPLAYED] = ALL


@kernel
def repeat(s, word):
    """Let a turn of the round happen again, as far as beliefs need it."""
    action, seat = word & 63, word >> LOG_SEAT & 3
    left, right = (word >> LOG_LEFT & 7) - 1, (word >> LOG_RIGHT & 7) - 1
    if action < PASS:
        tile = int64(1) << (action >> 1)
        s[HAND + seat] &= ~tile
        s[COUNT + seat] -= 1
        s[UNPLAYED] &= ~tile
    elif action == PASS and left >= 0:
        s[LACKS + seat] |= int64(1) << left | int64(1) << right


@kernel
def log_product(s, chances):
    """Logarithm of the chances of all tiles to be where they are."""
    total = 0.0
    for seat in range(MAX_SEATS):
        left = int64(s[HAND + seat])
        while left:
            total += log(chances[bits.lowest_bit(left), seat])
            left &= left - 1
    return total


@kernel
def look_back(s, w, chances, held):
    """Before each turn of the round: logarithms of what the exact posterior and the paper's belief of the seat on turn
    gave the true deal. s: the state at the end of the round, overwritten.
    """
    begin(s)
    for turn in range(s[NUM_TURNS]):
        word = int64(s[LOG + turn])
        seat = word >> LOG_SEAT & 3
        held[turn, 0] = -log(float(dealing.count(s, seat, w)))
        paper_belief.paper(s, seat, chances)
        held[turn, 1] = log_product(s, chances)
        repeat(s, word)
