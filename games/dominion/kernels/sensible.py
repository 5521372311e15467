"""The common part of every scripted player in Dominion (a part of `policies.py`, rules in R)."""

import numpy as np
from numpy import int64

from games.dominion import cards

NUMBERS = tuple(
    cards.by_name()[name].number
    for name in ("Copper", "Silver", "Gold", "Estate", "Duchy", "Province", "Curse", "Gardens", "Witch")
)
COPPER, CURSE, ESTATE = (cards.by_name()[name].number for name in ("Copper", "Curse", "Estate"))
COST = cards.tables().columns["cost"]
COSTING = np.array(
    [sum(1 << c for c in range(cards.NUM_CARDS) if COST[c] == cost) for cost in range(int(COST.max()) + 1)], np.int64
)
"""Cost -> the cards that cost just that."""
MOST_COST = len(COSTING) - 1
NEXT_COST = np.array([max(int(c) for c in COST if c <= most) for most in range(MOST_COST + 1)], np.int64)
"""Coins -> the greatest cost of a card that they reach for."""
DEAREST_ACTION = max(card.cost for card in cards.table() if "Action" in card.types)
GIVING_ACTIONS = np.int64(
    sum(1 << c.number for c in cards.table() if "Action" in c.types and c.gives.get("actions", 0) > 0)
)
TYPES = cards.tables().of_type
ONLY_POINTS = np.int64((TYPES["Victory"] | TYPES["Curse"]) & ~(TYPES["Action"] | TYPES["Treasure"]))
"""Cards that do nothing in a hand."""
JUNK = np.int64(1 << CURSE | 1 << ESTATE)
COPPERS = np.int64(1 << COPPER)


@inlined_kernel
def random_bit(set_, r):
    """One of the bits of a set that is not empty, all alike."""
    n = bits.popcount(set_)
    return nth_bit(set_, rng.below(r, n)) if n > 1 else bits.lowest_bit(set_)


@inlined_kernel
def nth_by_halves(set_, k):
    """The k-th lowest bit of a set, counted from 0, without a branch."""
    place = int64(0)
    for width in (32, 16, 8, 4, 2, 1):
        low = bits.popcount((set_ >> place) & ((int64(1) << width) - 1))
        is_above = int64(k >= low)
        k -= is_above * low
        place += is_above * width
    return place


HAS_DEPOSIT = bool(R.zones.lanes) and R.zones.lanes.HAS_DEPOSIT
nth_bit = R.zones.lanes.nth_bit if HAS_DEPOSIT else nth_by_halves


@inlined_kernel
def dearest(set_, most, r):
    """One of the dearest cards of a set that is not empty, none of which costs more than `most`."""
    cost = NEXT_COST[min(R.zones.natural(most), MOST_COST)]
    while set_ & COSTING[cost] == 0:
        cost -= 1
    return random_bit(set_ & COSTING[cost], r)


@kernel
def cheapest(set_, r):
    """One of the cheapest cards of a set that is not empty."""
    cost = int64(0)
    while set_ & COSTING[cost] == 0:
        cost += 1
    return random_bit(set_ & COSTING[cost], r)


@kernel
def owned(s, seat, card):
    """Number of a card that a seat owns whose turn it is."""
    p = R.moves.seat_at(seat)
    n = R.zones.count(s, R.PLAYED, card) + R.zones.count(s, p + R.DISCARD, card)
    n += R.zones.count(s, p + R.DECK, card) + R.zones.count(s, p + R.HAND, card)
    for i in range(s[p + R.NUM_TOP]):
        n += R.zones.count(s, p + R.TOP, int64(i)) == card + 1
    return n


@kernel
def useless_first(set_, r):
    """A card to part with: one that does nothing in a hand, else one of the cheapest."""
    return random_bit(set_ & ONLY_POINTS, r) if set_ & ONLY_POINTS else cheapest(set_, r)


@kernel
def answer(s, r):
    """Answer where a card asks, or Treasures are played one by one.

    Remodel and Mine: any card is trashed, one of the dearest gained, but no Curse. Cellar discards
    what does nothing in a hand, Chapel trashes Curses and Estates. A Moat is always shown.
    """
    kind = s[R.KIND]
    given = R.options(s)
    rest = given & ~R.END_BIT
    if kind == R.TREASURE:
        return int64(R.ALL) if given & R.ALL_BIT else random_bit(rest, r)
    if kind == R.TRASH_ONE:
        return random_bit(rest, r)
    if kind == R.GAIN_ONE:
        return dearest(rest & R.NOT_CURSE if rest & R.NOT_CURSE else rest, int64(MOST_COST), r)
    if kind == R.DISCARD_ANY:
        return random_bit(rest & ONLY_POINTS, r) if rest & ONLY_POINTS else int64(R.END)
    if kind == R.TRASH_ANY:
        return random_bit(rest & JUNK, r) if rest & JUNK else int64(R.END)
    if kind == R.ONTO_DECK or kind == R.DISCARD_DOWN:
        return useless_first(rest, r)
    return answer_in_play(s, kind, rest, r)


@kernel
def answer_in_play(s, kind, rest, r):
    """The same for cards that lie shown, and for cards of one's own that others do not meet."""
    if kind == R.JUDGE:
        is_bad = (rest & (ONLY_POINTS | COPPERS)) != 0
        is_own = R.effects.field(s, R.effects.top_frame(s), R.FRAME_SEATS, 3) == 0
        return bits.lowest_bit(rest) if is_bad == is_own else int64(R.END)
    if kind == R.GAIN_LOOT:
        return dearest(rest & ~COPPERS, int64(MOST_COST), r) if rest & ~COPPERS else int64(R.END)
    if kind == R.SET_ASIDE:
        return int64(R.END) if s[R.ACTIONS] > 0 else bits.lowest_bit(rest)
    return dearest(rest, int64(MOST_COST), r)
