"""The metrics of a match of Dominion that is over, in one call: a part of `policies.py` (rules in R).

Columns are those of `games.dominion.metrics.COLUMNS`, in its order; what a seat has not is not a number.
"""

import numpy as np
from numpy import int64

from games.dominion import cards

SCORING = np.array([card.number for card in cards.table() if card.gives.get("vp") or card.gives.get("vp_per_cards")])
VALUE = np.array([card.gives.get("vp", 0) for card in cards.table()])
IS_PER_CARDS = np.array([bool(card.gives.get("vp_per_cards")) for card in cards.table()])
PER, NUM_KINDS = cards.PER, len(R.KINDS)
STARTS, ENDS = np.array((0, *R.PERIODS)), np.array((*R.PERIODS, 1 << 30))

OWNED, TRASHED, SHUFFLES, TURNS, COINS, PLAYS, BUYS, COLLISIONS, CURSES, POINTS = range(10)
DECK = POINTS + len(SCORING)
BY_TURN = DECK + R.NUM_CARDS
OF_TURN = 4 + NUM_KINDS
"""Numbers of each turn: coins, points, Action cards, lead, cards of each kind."""
TURNS_OF_PERIOD = BY_TURN + OF_TURN * R.MAX_TURNS
GAINED = TURNS_OF_PERIOD + R.NUM_PERIODS
END_PROVINCES = GAINED + R.NUM_PERIODS * R.NUM_CARDS
EMPTY = END_PROVINCES + 3
NUM_METRICS = EMPTY + R.NUM_CARDS


@allocating_kernel
def measure(s, out):
    """Write every metric of every seat. out: float64[MAX_SEATS, NUM_METRICS]."""
    out[:] = np.nan
    piles, deck, common = R.kingdom(s), np.zeros(R.NUM_CARDS, np.int64), int64(R.MAX_TURNS)
    for seat in range(s[R.NUM_SEATS]):
        common = min(common, int64(s[R.moves.seat_at(seat) + R.TURNS]))
    for seat in range(s[R.NUM_SEATS]):
        count_deck(s, seat, deck)
        measure_seat(s, seat, piles, deck, out[seat])
        measure_turns(s, seat, common, out[seat])
        measure_periods(s, seat, piles, out[seat])
        measure_end(s, piles, out[seat])


@kernel
def count_deck(s, seat, deck):
    """Count all cards that a seat owns, by their number."""
    p = R.moves.seat_at(seat)
    is_acting, has_aside = s[R.TURN] == seat, s[R.DEPTH] > 0 and s[R.DRAWER] == seat
    for card in range(R.NUM_CARDS):
        n = R.zones.count(s, p + R.DECK, card) + R.zones.count(s, p + R.HAND, card)
        n += R.zones.count(s, p + R.DISCARD, card)
        if is_acting:
            n += R.zones.count(s, R.PLAYED, card)
        if has_aside:
            n += R.zones.count(s, R.ASIDE, card)
        deck[card] = n
    for place in range(s[p + R.NUM_TOP]):
        deck[R.zones.count(s, p + R.TOP, place) - 1] += 1


@kernel
def measure_seat(s, seat, piles, deck, row):
    """Numbers of the whole match. piles: the cards that have one, as bits; deck: as `count_deck` has it."""
    p = R.moves.seat_at(seat)
    turns, size = int64(s[p + R.TURNS]), int64(s[p + R.OWNED])
    row[OWNED], row[TRASHED], row[SHUFFLES], row[TURNS] = size, s[p + R.TRASHED], s[p + R.SHUFFLES], turns
    row[COLLISIONS], row[CURSES] = s[p + R.COLLISIONS], s[p + R.CURSES_DEALT]
    coins = plays = buys = int64(0)
    counted = min(turns, int64(R.MAX_TURNS))
    for turn in range(counted):
        word = int64(s[p + R.BY_TURN + turn])
        coins += word >> R.TURN_COINS & 255
        plays += word >> R.TURN_PLAYS & 127
        buys += word >> R.TURN_BUYS & 63
    counted = max(counted, int64(1))
    row[COINS], row[PLAYS], row[BUYS] = coins / counted, plays / counted, buys / counted
    for i in range(len(SCORING)):
        card = SCORING[i]
        if piles >> card & 1:
            row[POINTS + i] = (VALUE[card] + (size // PER if IS_PER_CARDS[card] else 0)) * deck[card]
    for card in range(R.NUM_CARDS):
        if piles >> card & 1:
            row[DECK + card] = deck[card]


@kernel
def points_after(s, seat, turn):
    """Points of a seat after its turn, counted from 0."""
    return (int64(s[R.moves.seat_at(seat) + R.BY_TURN + turn]) >> R.TURN_POINTS & 1023) - R.POINTS_OFFSET


@kernel
def measure_turns(s, seat, common, row):
    """Numbers of each turn that every seat had. common: how many these are."""
    p = R.moves.seat_at(seat)
    for turn in range(common):
        at, word, kinds = BY_TURN + OF_TURN * turn, int64(s[p + R.BY_TURN + turn]), int64(s[p + R.KINDS_BY_TURN + turn])
        own, best = points_after(s, seat, turn), int64(-R.POINTS_OFFSET)
        row[at], row[at + 1], row[at + 2] = word >> R.TURN_COINS & 255, own, word >> R.TURN_PLAYS & 127
        for other in range(s[R.NUM_SEATS]):
            if other != seat:
                best = max(best, points_after(s, other, turn))
        if s[R.NUM_SEATS] > 1:
            row[at + 3] = own - best
        for k in range(NUM_KINDS):
            row[at + 4 + k] = kinds >> R.KIND_BITS * k & 255


@kernel
def measure_periods(s, seat, piles, row):
    """Turns had and cards gained, turns 1 to 2, 3 to 4, ..."""
    p = R.moves.seat_at(seat)
    for k in range(R.NUM_PERIODS):
        row[TURNS_OF_PERIOD + k] = max(min(int64(s[p + R.TURNS]), ENDS[k]) - STARTS[k], 0)
        for card in range(R.NUM_CARDS):
            if piles >> card & 1:
                row[GAINED + k * R.NUM_CARDS + card] = R.zones.count(s, p + R.GAINS + R.WORDS * k, card)


@kernel
def measure_end(s, piles, row):
    """What is the same for every seat."""
    provinces = R.zones.count(s, R.SUPPLY, R.PROVINCE) == 0
    by_piles = not provinces and s[R.NUM_EMPTY] >= 3
    row[END_PROVINCES], row[END_PROVINCES + 1] = provinces, by_piles
    row[END_PROVINCES + 2] = not (provinces or by_piles)
    for card in range(R.NUM_CARDS):
        if piles >> card & 1:
            row[EMPTY + card] = R.zones.count(s, R.SUPPLY, card) == 0
