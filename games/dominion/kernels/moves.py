"""Moves of cards in Dominion: gaining, trashing, drawing, shuffling (a part of `rules.py`).

Arguments as in `zones.py`; seat: a seat's number; p: offset of a seat's words.
"""

import numpy as np
from numpy import int64

from games.dominion import cards
from games.dominion.state import *  # noqa: F403 - the layout's names are this file's vocabulary

zones = part("zones")

T = cards.tables().columns
VP, IS_PER_TEN = T["vp"], (T["vp_per_cards"] > 0).astype(np.int64)
ONE_OF_KIND = np.array(
    [1 << KIND_BITS * KINDS.index(next(kind for kind in card.types if kind in KINDS)) for card in cards.table()],
    np.int64,
)
"""Addend of a card in OWNED_KINDS."""
IN_DISCARD, IN_HAND, ON_DECK = 0, 1, 2
"""Destinations of a gained card, by `cards.DESTINATIONS`."""
PERIOD_OF = np.array([sum(turn > last for last in PERIODS) for turn in range(PERIODS[-1] + 2)], np.int64)
"""Own turn, no more than one after the last one of PERIODS -> period."""


@inlined_kernel
def seat_at(seat):
    """Offset of a seat's words."""
    return SEATS + SEAT * zones.natural(seat)


@inlined_kernel
def change(s, at, by, j):
    """Add to a word."""
    journal.write(s, at, int64(s[at]) + by, j)


# ---------------------------------------------------------------- owning
@inlined_kernel
def own(s, p, card, n, j):
    """A seat owns n more of a card, or fewer."""
    change(s, p + OWNED, n, j)
    change(s, p + OWNED_KINDS, n * ONE_OF_KIND[card], j)
    change(s, p + POINTS, n * VP[card], j)
    change(s, p + PER_TEN, n * IS_PER_TEN[card], j)


@inlined_kernel
def gain(s, seat, card, to, j):
    """A seat gains a card, which has been taken from wherever it lay."""
    p = seat_at(seat)
    own(s, p, card, int64(1), j)
    period = PERIOD_OF[min(zones.natural(s[p + TURNS]), len(PERIOD_OF) - 1)]
    zones.add(s, p + GAINS + WORDS * period, card, 1, j)
    if to == IN_DISCARD:
        zones.add(s, p + DISCARD, card, 1, j)
    elif to == IN_HAND:
        zones.add(s, p + HAND, card, 1, j)
        zones.add(s, p + SHOWN, card, 1, j)
        change(s, p + HAND_SIZE, 1, j)
    else:
        put_on_deck(s, p, card, j)


@kernel
def gain_from_supply(s, seat, card, to, j):
    """A seat gains a card of a pile that is not empty."""
    zones.add(s, SUPPLY, card, -1, j)
    if zones.count(s, SUPPLY, card) == 0:
        change(s, NUM_EMPTY, 1, j)
        change(s, IN_SUPPLY + card // BITS, -(1 << (card % BITS)), j)
    gain(s, seat, card, to, j)


@inlined_kernel
def in_supply(s):
    """The cards whose pile is not empty, as bits."""
    return int64(s[IN_SUPPLY]) | (int64(s[IN_SUPPLY + 1]) << BITS)


# ---------------------------------------------------------------- hands
@inlined_kernel
def leave_hand(s, p, card, n, j):
    """n of a card leave a hand; of those that everybody knew to be there, they may be the ones."""
    zones.add(s, p + HAND, card, -n, j)
    change(s, p + HAND_SIZE, -n, j)
    known = min(zones.count(s, p + SHOWN, card), n)
    if known:
        zones.add(s, p + SHOWN, card, -known, j)


@kernel
def discard(s, p, card, j):
    """A card of a hand is discarded."""
    leave_hand(s, p, card, int64(1), j)
    zones.add(s, p + DISCARD, card, 1, j)


@kernel
def trash(s, p, card, j):
    """A card of a hand is trashed by its owner."""
    leave_hand(s, p, card, int64(1), j)
    zones.add(s, TRASH, card, 1, j)
    own(s, p, card, int64(-1), j)
    change(s, p + TRASHED, 1, j)


@kernel
def show_hand(s, p, j):
    """Show a hand to everybody."""
    for w in range(WORDS):
        if s[p + SHOWN + w] != s[p + HAND + w]:
            journal.write(s, p + SHOWN + w, s[p + HAND + w], j)


# ---------------------------------------------------------------- decks
@kernel
def put_on_deck(s, p, card, j):
    """A card that everybody knows is laid on a deck."""
    zones.add_in_row(s, p + TOP, zones.natural(s[p + NUM_TOP]), card + 1, j)
    change(s, p + NUM_TOP, 1, j)


@kernel
def top_card(s, p):
    """The known card on top of a deck that has one."""
    return zones.count(s, p + TOP, int64(s[p + NUM_TOP]) - 1) - 1


@inlined_kernel
def take_top(s, p, j):
    """Take the known card off the top of a deck that has one."""
    card = top_card(s, p)
    change(s, p + NUM_TOP, -1, j)
    zones.add_in_row(s, p + TOP, zones.natural(s[p + NUM_TOP]), -card - 1, j)
    return card


@kernel
def has_cards(s, p):
    """Whether a card can be drawn, after a shuffle if need be."""
    return s[p + DECK_SIZE] > 0 or s[p + NUM_TOP] > 0 or zones.total(s, p + DISCARD) > 0


@inlined_kernel
def shuffle(s, p, j):
    """The discard pile becomes a deck; return whether there is one."""
    n = zones.total(s, p + DISCARD)
    if n == 0:
        return False
    zones.pour(s, p + DISCARD, p + DECK, j)
    journal.write(s, p + DECK_SIZE, n, j)
    change(s, p + SHUFFLES, 1, j)
    return True


@kernel
def discard_deck(s, p, j):
    """The whole deck goes to the discard pile."""
    zones.pour(s, p + DECK, p + DISCARD, j)
    journal.write(s, p + DECK_SIZE, 0, j)
    while s[p + NUM_TOP]:
        zones.add(s, p + DISCARD, take_top(s, p, j), 1, j)


# ---------------------------------------------------------------- drawing
@inlined_kernel
def ask_draws(s, n, seat, to, j):
    """n cards are to be drawn from a seat's deck."""
    journal.write(s, DRAWS, n, j)
    journal.write(s, DRAWER, seat, j)
    journal.write(s, DRAW_TO, to, j)


@inlined_kernel
def arrive(s, p, card, is_known, j):
    """A card from the deck arrives where it was drawn for."""
    change(s, DRAWS, -1, j)
    to = s[DRAW_TO]
    if to == TO_ASIDE:
        zones.add(s, ASIDE, card, 1, j)
    elif to == ONTO_TOP:
        put_on_deck(s, p, card, j)
    else:
        zones.add(s, p + HAND, card, 1, j)
        change(s, p + HAND_SIZE, 1, j)
        if is_known:
            zones.add(s, p + SHOWN, card, 1, j)
        if to == TO_HAND_NOTED:
            noted = ((card + 1) << FRAME_CHOSEN) | (int64(is_known) << FRAME_COUNT)
            change(s, STACK + int64(s[DEPTH]) - 1, noted, j)


@kernel
def draw(s, card, j):
    """Chance draws a card from the rest of a deck."""
    p = seat_at(s[DRAWER])
    zones.add(s, p + DECK, card, -1, j)
    change(s, p + DECK_SIZE, -1, j)
    arrive(s, p, card, False, j)


@inlined_kernel
def draw_hand(s, r, j):
    """Draw cards for a hand, as many as are to be drawn and the rest of the deck has."""
    p = seat_at(s[DRAWER])
    left, n = int64(s[p + DECK_SIZE]), int64(s[DRAWS])
    if n >= left:
        n = left
        zones.pour(s, p + DECK, p + HAND, j)
    else:
        zones.keep(s, p + DECK, j)
        zones.keep(s, p + HAND, j)
        zones.draw(s, p + DECK, p + HAND, left, n, r)
    journal.write(s, p + DECK_SIZE, left - n, j)
    change(s, p + HAND_SIZE, n, j)
    change(s, DRAWS, -n, j)


@inlined_kernel
def draw_known(s, j):
    """Draw what is known, shuffle where a deck is empty; return whether chance has to draw next."""
    p = seat_at(s[DRAWER])
    while s[DRAWS] > 0:
        if s[p + NUM_TOP]:
            arrive(s, p, take_top(s, p, j), True, j)
        elif s[p + DECK_SIZE] > 0 or shuffle(s, p, j):
            return True
        else:
            journal.write(s, DRAWS, 0, j)
    return False
