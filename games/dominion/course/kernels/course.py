"""Luck and notation of a match of Dominion (a template; R: its rules; `games.courses` says what is asked)."""

from numpy import int64, uint64

from games.courses import PROGRAM
from games.dominion.state import *  # noqa: F403 - the layout's names are this file's vocabulary
from games.dominion.strategies import form

SEED, DECKS = 0, 1
"""Places in the memory: the seed of all shuffles, and a deck of each seat."""
NUMBER, LEFT, UNDRAWN = 0, 1, 2
"""Within a deck: number of its shuffle, how many cards are not drawn yet, and these, the next one last."""
MOST = 400
"""Cards of a deck: all that a game has."""
DECK_WORDS = UNDRAWN + MOST
PLACES = DECKS + MAX_SEATS * DECK_WORDS
"""Where cards get their places in a shuffle."""
LUCK = PLACES + MOST
NOTES = 0
WORK = form.MAX_RULES * len(form.LISTS)
OF_KINGDOM, OF_DECK = uint64(1), uint64(2)


@inlined_kernel
def mixed(h, value):
    """`games.rng.mix` of one more number."""
    return rng.finalise((h ^ uint64(value)) + rng._GOLDEN)


@kernel
def deal(s, luck, r):
    """The seed of all shuffles, as `ShuffleDeal` draws it."""
    luck[SEED] = int64(rng.next_u64(r))
    for seat in range(MAX_SEATS):
        luck[DECKS + DECK_WORDS * seat + NUMBER] = 0


@kernel
def next_of_kingdom(s, luck):
    """The card of the pool with the lowest place of those that have no pile yet."""
    h = mixed(mixed(uint64(0), luck[SEED]), OF_KINGDOM)
    pool = R.POOLS[s[EDITION] - 1] & ~(int64(s[KINGDOM]) | (int64(s[KINGDOM + 1]) << BITS))
    chosen, lowest = int64(-1), uint64(0)
    for card in range(NUM_CARDS):
        if (pool >> card) & 1:
            place = mixed(h, card)
            if chosen < 0 or place < lowest:
                chosen, lowest = int64(card), place
    return chosen


@kernel
def shuffle(s, luck, seat, deck, number):
    """Put the cards of a seat's deck in the order of their places, the first one last."""
    h = mixed(mixed(mixed(mixed(uint64(0), luck[SEED]), OF_DECK), seat), number)
    n, zone = int64(0), R.moves.seat_at(seat) + DECK
    for card in range(NUM_CARDS):
        of_card = mixed(h, card)
        for copy in range(R.zones.count(s, zone, int64(card))):
            place, i = mixed(of_card, copy), n
            while i > 0 and uint64(luck[PLACES + i - 1]) < place:
                luck[PLACES + i] = luck[PLACES + i - 1]
                luck[deck + UNDRAWN + i] = luck[deck + UNDRAWN + i - 1]
                i -= 1
            luck[PLACES + i] = int64(place)
            luck[deck + UNDRAWN + i] = card
            n += 1
    luck[deck + NUMBER], luck[deck + LEFT] = number, n


@kernel
def draw(s, luck, r):
    """The next card of the kingdom, or of the deck that is drawn from."""
    if s[KIND] == DRAW_KINGDOM:
        return next_of_kingdom(s, luck)
    seat = int64(s[DRAWER])
    deck, number = DECKS + DECK_WORDS * seat, int64(s[R.moves.seat_at(seat) + SHUFFLES])
    if luck[deck + NUMBER] != number:
        shuffle(s, luck, seat, deck, number)
    luck[deck + LEFT] -= 1
    return luck[deck + UNDRAWN + luck[deck + LEFT]]


@kernel
def spelling(s, action):
    """The kind of decision, and the action."""
    return int64(s[KIND]) * MAX_ACTIONS + action


@kernel
def note(s, points, out):
    """Nothing."""


@kernel
def choose(policy, program, s, r, buffer, j, work):
    """The action of a policy, or of a strategy: a program is its code (`strategies.kernels`)."""
    if policy != PROGRAM:
        return int64(R.policies.choose(policy, s, r, buffer, j))
    return int64(strategy.decide(program, s, work, r))
