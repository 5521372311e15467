"""Dominion written as numbers (a template over the rules, R; `games.encodings` lists the kernels).

s: int32[SIZE], a state; seat: who looks; out: the array written to; n: where in it; whole numbers are int64.
"""

from numpy import int64

from games.dominion import cards
from games.dominion.state import *  # noqa: F403 - the layout's names are this file's vocabulary

effects, hidden_cards = R.effects, R.hidden_cards


@kernel
def write_zone(s, at, out, n):
    """Counts of every card of a zone; return where the next block begins."""
    for card in range(NUM_CARDS):
        out[n + card] = (int64(s[at + card // PER_WORD]) >> (8 * (card % PER_WORD))) & 255
    return n + NUM_CARDS


@kernel
def write_effect(s, seat, out, n):
    """The effect that asks or is carried out, where zeros stand; return where the next block begins."""
    if s[DEPTH] > 0:
        f = effects.top_frame(s)
        out[n + effects.card_of(s, f)] = 1
        is_known = not hidden_cards.asks_about_drawn_card(s, seat)
        about = effects.field(s, f, FRAME_CHOSEN, 6) - 1
        if is_known and 0 <= about < NUM_CARDS:
            out[n + NUM_CARDS + about] = 1
        out[n + 2 * NUM_CARDS] = effects.field(s, f, FRAME_COUNT, 8)
    return n + 2 * NUM_CARDS + 1


@kernel
def points_of(s, p):
    """Points of all cards that the seat at p owns."""
    return int64(s[p + POINTS]) + int64(s[p + PER_TEN]) * (int64(s[p + OWNED]) // cards.PER)


@kernel
def write_seat(s, p, is_own, out, n):
    """Zones of the seat at p, where zeros stand; return where the next block begins."""
    deck = n + NUM_CARDS
    n = write_zone(s, p + (HAND if is_own else SHOWN), out, n)
    n = write_zone(s, p + DECK, out, n)
    if not is_own:
        for card in range(NUM_CARDS):
            word, shift = card // PER_WORD, 8 * (card % PER_WORD)
            out[deck + card] += (int64(s[p + HAND + word]) >> shift & 255) - (int64(s[p + SHOWN + word]) >> shift & 255)
    n = write_zone(s, p + DISCARD, out, n)
    for i in range(s[p + NUM_TOP]):
        card = ((int64(s[p + TOP + i // PER_WORD]) >> (8 * (i % PER_WORD))) & 255) - 1
        out[n + card] += 1
        if i + 1 == s[p + NUM_TOP]:
            out[n + NUM_CARDS + card] = 1
    n += 2 * NUM_CARDS
    out[n], out[n + 1], out[n + 2] = s[p + HAND_SIZE], s[p + DECK_SIZE], s[p + OWNED]
    out[n + 3], out[n + 4] = points_of(s, p), s[p + TURNS]
    return n + 5


@kernel
def observe(s, seat, chosen, out):
    """The whole observation of a seat."""
    out[:] = 0
    seats, n = int64(s[NUM_SEATS]), int64(NUM_KINDS)
    out[s[KIND]] = 1
    if s[PLAYER] >= 0:
        out[n + (s[PLAYER] - seat + seats) % seats] = 1
    out[n + seats + (s[TURN] - seat + seats) % seats] = 1
    n += 2 * seats
    out[n], out[n + 1], out[n + 2] = s[ACTIONS], s[BUYS], s[COINS]
    out[n + 3], out[n + 4], out[n + 5] = s[NUM_EMPTY], s[BY_HAND], s[TURN_LIMIT]
    n = write_effect(s, seat, out, n + 6)
    for zone in (SUPPLY, TRASH, PLAYED, ASIDE, LOOT):
        n = write_zone(s, int64(zone), out, n)
    for i in range(seats):
        n = write_seat(s, SEATS + SEAT * ((seat + i) % seats), i == 0, out, n)


@kernel
def standing(s, seat):
    """Points; of equal ones, fewer turns."""
    p = SEATS + SEAT * seat
    return points_of(s, p) * (1 << 16) - int64(s[p + TURNS])
