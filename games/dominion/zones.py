"""Zones of a Dominion state: how many of each card, four counts to a word (a part of `kernels.py`).

s: int32[SIZE], a state; at: offset of a zone; card: number of a card; j: journal. Words are widened
to int64 before they are reckoned with.
"""

from numpy import int64

from games.dominion.state import *  # noqa: F403 - the layout's names are this file's vocabulary

ONES = int64(0x01010101)
TOPMOST = int64(0x80808080)
BELOW = int64(0x7F7F7F7F)
MOST = 127  # cards in a zone, where bytes are added up and compared all at once
IS_SHORT = WORDS <= 8  # a byte for each word but the last goes into one number
NUM_SUMS = min(WORDS, 8) - 1
ALL_BYTES = int64((1 << (8 * NUM_SUMS)) - 1)
ONE_IN_EACH = int64(sum(1 << (8 * w) for w in range(NUM_SUMS)))
TOP_OF_EACH = ONE_IN_EACH << 7
GATHER = int64(0x01020408)  # brings bits 0, 8, 16 and 24 to bits 24 to 27


@inlined_kernel
def count(s, at, card):
    """How many of a card lie in a zone."""
    return (int64(s[at + (card >> 2)]) >> ((card & 3) << 3)) & 255


@inlined_kernel
def add(s, at, card, n, j):
    """Put n of a card into a zone, or take them out."""
    journal.write(s, at + (card >> 2), int64(s[at + (card >> 2)]) + (int64(n) << ((card & 3) << 3)), j)


@inlined_kernel
def sum4(word):
    """Cards in one word."""
    return ((word * ONES) >> 24) & 255


@kernel
def total(s, at):
    """Cards in a zone."""
    n = int64(0)
    for w in range(WORDS):
        n += sum4(int64(s[at + w]))
    return n


@inlined_kernel
def present(s, at):
    """The cards of a zone as a set of bits."""
    found = int64(0)
    for w in range(WORDS):
        found |= ((((((int64(s[at + w]) + BELOW) & TOPMOST) >> 7) * GATHER) >> 24) & 15) << (4 * w)
    return found


@inlined_kernel
def nth(s, at, k):
    """The card that holds place k, counted from 0, among the cards of a zone in order."""
    w = int64(at)
    n = sum4(int64(s[w]))
    while k >= n:
        k -= n
        w += 1
        n = sum4(int64(s[w]))
    prefix = int64(s[w]) * ONES
    place = int64(k >= (prefix & 255)) + int64(k >= ((prefix >> 8) & 255)) + int64(k >= ((prefix >> 16) & 255))
    return 4 * (w - at) + place


@inlined_kernel
def within(word, k):
    """Which of a word's four counts place k falls into, without a branch; for at most MOST cards."""
    reached = ((word * ONES) & 0xFFFFFF) + (MOST - k) * 0x010101
    return 3 - bits.popcount(reached & 0x808080)


@inlined_kernel
def sums(s, at):
    """The cards of each word of a zone, but the last one, a byte each; where IS_SHORT, for at most MOST cards."""
    packed = int64(0)
    for w in range(NUM_SUMS):
        packed |= sum4(int64(s[at + w])) << (8 * w)
    return packed


@inlined_kernel
def nth_by_sums(s, at, packed, k):
    """As `nth`, with the `sums` of the zone at hand: quicker for several cards."""
    prefix = packed + (packed << 8)
    prefix += prefix << 16
    prefix = (prefix + (prefix << 32)) & ALL_BYTES
    w = NUM_SUMS - bits.popcount((prefix + (MOST - k) * ONE_IN_EACH) & TOP_OF_EACH)
    k -= ((prefix << 8) >> (8 * w)) & 255
    return 4 * w + within(int64(s[at + w]), k)


@kernel
def total_of(s, at, cards_):
    """How many cards of a set lie in a zone."""
    n = int64(0)
    rest = present(s, at) & cards_
    while rest:
        n += count(s, at, bits.lowest_bit(rest))
        rest &= rest - 1
    return n


@kernel
def nth_of(s, at, cards_, k):
    """As `nth`, among the cards of a set alone."""
    rest = present(s, at) & cards_
    while True:
        card = bits.lowest_bit(rest)
        n = count(s, at, card)
        if k < n:
            return card
        k -= n
        rest &= rest - 1


@inlined_kernel
def pour(s, at, to, j):
    """Move all cards of a zone into another one."""
    for w in range(WORDS):
        if JOURNAL and s[at + w] == 0:
            continue
        journal.write(s, to + w, int64(s[to + w]) + s[at + w], j)
        journal.write(s, at + w, 0, j)


@inlined_kernel
def clear(s, at, j):
    """Empty a zone."""
    for w in range(WORDS):
        if JOURNAL and s[at + w] == 0:
            continue
        journal.write(s, at + w, 0, j)
