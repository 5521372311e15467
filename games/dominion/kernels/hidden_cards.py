"""Hidden information of a Dominion match: what a seat may know (a part of `rules.py`).

Hidden are the hands of others, beyond what has been shown of them, and the order of decks, which no
state holds. Decks and discard piles are known as sets: everybody has seen what each seat gained.
"""

from numpy import int64

from games.dominion.state import *  # noqa: F403 - the layout's names are this file's vocabulary

zones, moves, effects, answers = part("zones"), part("moves"), part("effects"), part("answers")


@kernel
def asks_about_drawn_card(s, seat):
    """Whether somebody else is asked about a card just drawn (Library) that only they know."""
    is_asked = s[KIND] == SET_ASIDE and s[PLAYER] >= 0 and s[PLAYER] != seat
    return is_asked and effects.field(s, effects.top_frame(s), FRAME_COUNT, 8) == 0


@kernel
def hide(s, seat):
    """Hands of others go back among their decks, but for the cards that have been shown.

    seat: who looks, -1 for a spectator. Nothing is hidden when the match is over.
    """
    if s[PLAYER] == -2:
        return
    for other in range(s[NUM_SEATS]):
        if other != seat:
            p = moves.seat_at(other)
            for w in range(WORDS):
                s[p + DECK + w] += s[p + HAND + w] - s[p + SHOWN + w]
                s[p + HAND + w] = s[p + SHOWN + w]
    if asks_about_drawn_card(s, seat):
        f = effects.top_frame(s)
        s[f] -= effects.field(s, f, FRAME_CHOSEN, 6) << FRAME_CHOSEN


@kernel
def deal_hidden(s, p, n, allowed, r):
    """Move n cards of a set, drawn at random, from a deck to a hand; fewer where there are not so many."""
    left = zones.total_of(s, p + DECK, allowed)
    card = int64(-1)
    for _ in range(min(n, left)):
        card = zones.nth_of(s, p + DECK, allowed, rng.below(r, left))
        left -= 1
        word, one = card // PER_WORD, int64(1) << (8 * (card % PER_WORD))
        s[p + DECK + word] -= one
        s[p + HAND + word] += one
    return card


@kernel
def fill(s, r):
    """Draw the cards of hands that a view does not know: a state that its viewer may take for the true one.

    A seat that is asked for a card of its hand holds one that may be chosen; in the buy phase all
    Treasure cards that are played of themselves have been played.
    """
    for seat in range(s[NUM_SEATS]):
        p = moves.seat_at(seat)
        n = int64(s[p + HAND_SIZE]) - zones.total(s, p + HAND)
        if s[PLAYER] == seat:
            n -= deal_needed(s, p, n, r)
        if n > 0 and s[KIND] == BUY and s[BY_HAND] == 0 and seat == s[TURN]:
            deal_hidden(s, p, n, ~answers.TREASURES, r)
        elif n > 0:
            zones.draw(s, p + DECK, p + HAND, zones.total(s, p + DECK), n, r)


@kernel
def deal_needed(s, p, n, r):
    """Deal the card that the seat asked must hold, of n unknown ones; return how many were dealt (0 or 1)."""
    needed = answers.needed(s)
    f = effects.top_frame(s)
    is_open = s[KIND] == SET_ASIDE and effects.field(s, f, FRAME_CHOSEN, 6) == 0
    if n == 0 or needed == 0 or (not is_open and zones.present(s, p + HAND) & needed):
        return int64(0)
    card = deal_hidden(s, p, int64(1), needed, r)
    if is_open:
        s[f] += (card + 1) << FRAME_CHOSEN
    return int64(card >= 0)
