"""Zones of a Dominion state: how many of each card, four counts to a word (a part of `rules.py`).

s: int32[SIZE], a state; at: offset of a zone; card: number of a card; j: journal. Words are widened
to int64 before they are reckoned with. Compiled rules without a journal take most of this from
`lanes.py`, where all counts are looked at together.
"""

from numpy import int64, uint32

from games.dominion.state import *  # noqa: F403 - the layout's names are this file's vocabulary

ONES = int64(0x01010101)
TOPMOST = int64(0x80808080)
BELOW = int64(0x7F7F7F7F)
GATHER = int64(0x01020408)  # brings bits 0, 8, 16 and 24 to bits 24 to 27
IS_BY_LANES = hasattr(bits, "CACHE_FOLDER") and not JOURNAL
"""Whether these rules are compiled and keep no journal."""


@inlined_kernel
def natural(word):
    """A word that is never negative; compilers are told so, and leave out what indices below 0 would take."""
    return int64(uint32(word))


@inlined_kernel
def count(s, at, card):
    """Number of a card in a zone."""
    return (int64(s[at + (card >> 2)]) >> ((card & 3) << 3)) & 255


@inlined_kernel
def add_in_row(s, at, place, n, j):
    """Add n to the byte at a place of a row of words that may be longer than a zone."""
    journal.write(s, at + (place >> 2), int64(s[at + (place >> 2)]) + (int64(n) << ((place & 3) << 3)), j)


add = add_in_row
"""Put n of a card into a zone, or take them out."""


@inlined_kernel
def sum4(word):
    """Cards in one word."""
    return ((word * ONES) >> 24) & 255


@inlined_kernel
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
def nth_by_words(s, at, k):
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


@kernel
def total_of(s, at, cards_):
    """Number of cards of a set in a zone."""
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
        if s[at + w]:
            journal.write(s, to + w, int64(s[to + w]) + s[at + w], j)
            journal.write(s, at + w, 0, j)


@inlined_kernel
def pour_of(s, at, to, cards_, j):
    """Move all cards of a set from a zone into another one."""
    rest = present(s, at) & cards_
    while rest:
        card = bits.lowest_bit(rest)
        n = count(s, at, card)
        add(s, at, card, -n, j)
        add(s, to, card, n, j)
        rest &= rest - 1


@inlined_kernel
def clear(s, at, j):
    """Empty a zone."""
    for w in range(WORDS):
        if s[at + w]:
            journal.write(s, at + w, 0, j)


@inlined_kernel
def keep(s, at, j):
    """Note a zone in the journal: it may be changed directly afterwards."""
    for w in range(WORDS if JOURNAL else 0):
        journal.write(s, at + w, s[at + w], j)


@kernel
def draw_by_words(s, at, to, left, n, r):
    """Move n cards drawn from the `left` ones of a zone to another one, one after the other, noting nothing."""
    for drawn in range(n):
        card = nth_by_words(s, at, rng.below(r, left - drawn))
        word, one = card // PER_WORD, int64(1) << (8 * (card % PER_WORD))
        s[at + word] -= one
        s[to + word] += one


lanes = part("lanes") if IS_BY_LANES else None
if lanes:
    add, count, present, total, total_of = lanes.add, lanes.count, lanes.present, lanes.total, lanes.total_of
    pour, pour_of, clear = lanes.pour, lanes.pour_of, lanes.clear

    @inlined_kernel
    def nth(s, at, k, size):
        """As `nth_by_words`; size: cards in the zone."""
        return lanes.nth(s, at, k) if size <= lanes.MOST else nth_by_words(s, at, k)

    @inlined_kernel
    def draw(s, at, to, left, n, r):
        """As `draw_by_words`, a few at a time."""
        while n > 0 and left <= lanes.MOST:
            few = min(n, lanes.FEW)
            lanes.draw_few(s, at, to, left, few, r)
            n -= few
            left -= few
        draw_by_words(s, at, to, left, n, r)

else:

    @kernel
    def nth(s, at, k, size):
        """As `nth_by_words`."""
        return nth_by_words(s, at, k)

    draw = draw_by_words
