"""Play by weights that were learned by matches against themselves: a part of `policies.py` (rules in R).

What is gained, played and trashed is what appeals most: a weighted sum of a few facts of the position,
with weights for each card. A card that ends the match is bought where that wins, and never where it loses.
`games.dominion.learned_weights` names the facts; w: float64[NUM_CARDS, COLUMNS], its table.
"""

import numpy as np
from numpy import int64

from games.dominion import cards, learned_weights

sensible = part("sensible")
zones = R.zones

WEIGHTS = learned_weights.table()
PLAY_AT, KEEP_AT = learned_weights.PLAY_AT, learned_weights.KEEP_AT
FREE, SURE = 10.0, 1000.0
"""Appeal that a card has more where it gives an action back; of a card that wins the match."""
GIVES_ACTIONS, COST, NUMBER = R.effects.GIVES_ACTIONS, R.effects.COST, R.effects.NUMBER
POINTS = cards.tables().columns["vp"]
NEEDS = np.array([1 - actions for actions in GIVES_ACTIONS], np.int64)
"""Actions that an Action card takes, less those that it gives."""
TWENTY, TEN, FOUR = 1 / 20, 1 / 10, 1 / 4


@inlined_kernel
def left(s, card):
    """Share of a pile that is left."""
    return zones.count(s, R.SUPPLY, card) / R.PILES[s[R.SIZES], s[R.NUM_SEATS] - 1, card]


@inlined_kernel
def points(s, seat):
    """Worth of all cards of a seat."""
    p = R.moves.seat_at(seat)
    return int64(s[p + R.POINTS]) + int64(s[p + R.PER_TEN]) * (int64(s[p + R.OWNED]) // cards.PER)


@kernel
def lead(s, seat):
    """Points ahead of the best other seat; none where there is no other."""
    best, is_alone = int64(0), True
    for other in range(s[R.NUM_SEATS]):
        if other != seat:
            theirs = points(s, int64(other))
            best = theirs if is_alone else max(best, theirs)
            is_alone = False
    return int64(0) if is_alone else points(s, seat) - best


@kernel
def needs(s, seat):
    """Actions that a seat's Action cards take, less those that they give."""
    rest, n = R.kingdom(s) & R.ACTION_CARDS, int64(0)
    while rest:
        card = bits.lowest_bit(rest)
        n += sensible.owned(s, seat, card) * NEEDS[card]
        rest &= rest - 1
    return n


@kernel
def best_gain(s, w, given):
    """(card, appeal) of the most appealing of a set of cards to the seat whose turn it is; (END, 0): nothing is."""
    seat = int64(s[R.TURN])
    p = R.moves.seat_at(seat)
    gone, ahead = 1.0 - left(s, R.PROVINCE), lead(s, seat)
    late, curses = max(0.0, gone - 0.5), left(s, R.CURSE)
    close = min(1.0, max(-1.0, ahead * TEN)) * late
    gardens = 0.5 * s[p + R.PER_TEN]
    turns, size, short = s[p + R.TURNS] * TWENTY, s[p + R.OWNED] * TWENTY, needs(s, seat) * FOUR
    is_ending = s[R.NUM_EMPTY] >= 3 or gone == 1.0
    best, chosen = 0.0, int64(R.END)
    while given:
        card = bits.lowest_bit(given)
        given &= given - 1
        if is_ending:
            value = float(POINTS[card])
        elif zones.count(s, R.SUPPLY, card) == 1 and (card == R.PROVINCE or s[R.NUM_EMPTY] == 2):
            after = ahead + POINTS[card]
            value = SURE if after > 0 else (-SURE if after < 0 else 0.0)
        else:
            value = w[card, 0] + w[card, 1] * sensible.owned(s, seat, card) + w[card, 2] * gone + w[card, 3] * late
            value += w[card, 4] * turns + w[card, 5] * short + w[card, 6] * curses + w[card, 7] * size
            value += w[card, 8] * close + w[card, 9] * gardens
        if value > best:
            best, chosen = value, card
    return chosen, best


@kernel
def best_play(s, w, given):
    """The most appealing of a set of Action cards, or END: first those that give an action back."""
    gone, curses = 1.0 - left(s, R.PROVINCE), left(s, R.CURSE)
    best, chosen = 0.0, int64(R.END)
    while given:
        card = bits.lowest_bit(given)
        given &= given - 1
        value = w[card, PLAY_AT] + w[card, PLAY_AT + 1] * curses + w[card, PLAY_AT + 2] * gone
        if GIVES_ACTIONS[card]:
            value += FREE
        if value > best:
            best, chosen = value, card
    return chosen


@inlined_kernel
def worth(s, w, card):
    """What it is worth to keep a card."""
    return w[card, KEEP_AT] + w[card, KEEP_AT + 1] * (1.0 - left(s, R.PROVINCE))


@kernel
def least_worth(s, w, given):
    """The card of a set to be trashed, or END where each is worth keeping."""
    least, chosen = 0.0, int64(R.END)
    while given:
        card = bits.lowest_bit(given)
        given &= given - 1
        value = worth(s, w, card)
        if value < least:
            least, chosen = value, card
    return chosen


@kernel
def best_exchange(s, w, given):
    """The card of a set that is best trashed for one that may cost more (Remodel, Mine)."""
    by = R.effects.card_of(s, R.effects.top_frame(s))
    supply = R.moves.in_supply(s) & R.effects.ONLY[by] & R.NOT_CURSE
    best, chosen = -np.inf, bits.lowest_bit(given)
    while given:
        card = bits.lowest_bit(given)
        given &= given - 1
        _, value = best_gain(s, w, supply & R.effects.within(COST[card] + NUMBER[by]))
        value -= worth(s, w, card)
        if value > best:
            best, chosen = value, card
    return chosen


@kernel
def forced_gain(s, w, given, r):
    """A card to be gained where one must be: the most appealing, else one of the dearest, but no Curse."""
    given = given & R.NOT_CURSE if given & R.NOT_CURSE else given
    card, _ = best_gain(s, w, given)
    return sensible.dearest(given, int64(sensible.MOST_COST), r) if card == R.END else card


@kernel
def action(s, w, r):
    """Action of the seat on turn; what other cards ask is answered as all scripted players do."""
    kind, given = s[R.KIND], R.options(s) & ~R.END_BIT
    if kind == R.BUY:
        return best_gain(s, w, given & R.NOT_CURSE)[0]
    if kind == R.ACTION:
        return best_play(s, w, given)
    if kind == R.GAIN_ONE:
        return forced_gain(s, w, given, r)
    if kind == R.REPEAT:
        card = best_play(s, w, given)
        return bits.lowest_bit(given) if card == R.END else card
    if kind == R.TRASH_ONE:
        return best_exchange(s, w, given)
    return least_worth(s, w, given) if kind == R.TRASH_ANY else sensible.answer(s, r)
