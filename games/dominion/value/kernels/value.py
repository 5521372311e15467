"""What a seat knows of its prospects at Dominion: a template of `games.values`, rules in R.

Of its own: points, turns, all cards that it owns by kind, what its hand and its turn hold; of the table: Provinces,
Curses and empty piles; of the best other seat: points, cards and what they are.
"""

from numpy import int64

from games.dominion import cards

zones, learned = R.zones, R.policies.learned
COINS = cards.tables().columns["value"] + cards.tables().columns["coins"]
CARDS = cards.tables().columns["cards"]
OWN, DECK = 10, 7
KINDS = 17
"""Cards that are counted one by one: those of the thesis, which are the first."""
NUM_FEATURES = OWN + 2 * DECK + KINDS
TENTH, EIGHTH = 0.1, 0.125


@inlined_kernel
def owned(s, p, card):
    """Copies of a card of a seat, apart from cards in play and on top of its deck."""
    n = zones.count(s, p + R.DISCARD, card) + zones.count(s, p + R.DECK, card)
    return n + zones.count(s, p + R.HAND, card)


@kernel
def write_deck(s, seat, is_on_turn, out, n):
    """What a seat's deck is made of, to out[n:]: points, cards, coins, cards drawn, Actions and needs, junk a card."""
    p = R.moves.seat_at(seat)
    coins, drawn, needs = int64(0), int64(0), int64(0)
    for card in range(R.NUM_CARDS):
        copies = owned(s, p, card)
        if is_on_turn:
            copies += zones.count(s, R.PLAYED, card)
        if copies:
            coins += copies * COINS[card]
            drawn += copies * CARDS[card]
            if R.ACTION_CARDS >> card & 1:
                needs += copies * learned.NEEDS[card]
    size = float(max(1, s[p + R.OWNED]))
    out[n], out[n + 1], out[n + 2] = learned.points(s, seat) * TENTH, size * TENTH, coins * TENTH
    out[n + 3], out[n + 4], out[n + 5] = 5.0 * coins / size, 5.0 * drawn / size, needs * TENTH
    out[n + 6] = s[p + R.TURNS] * TENTH
    return coins / size


@kernel
def features(s, seat, out):
    """See the module."""
    num_seats, turn = int64(s[R.NUM_SEATS]), int64(s[R.TURN])
    provinces, curses = learned.left(s, R.PROVINCE), learned.left(s, R.CURSE)
    is_on_turn = seat == turn and s[R.PLAYER] != -2
    density = write_deck(s, seat, is_on_turn, out, OWN)
    other = (seat + 1) % num_seats
    theirs = write_deck(s, other, other == turn, out, OWN + DECK) if num_seats > 1 else 0.0
    out[0], out[1], out[2] = provinces, curses, float(s[R.NUM_EMPTY])
    out[3] = max(0.0, 0.5 - provinces)
    out[4] = float(is_on_turn)
    out[5] = s[R.COINS] * EIGHTH if is_on_turn and s[R.KIND] == R.BUY else 0.0
    out[6], out[7] = 10.0 * density * provinces, 10.0 * theirs * provinces
    out[8] = (learned.points(s, seat) - learned.points(s, other)) * TENTH * (1.0 - provinces)
    out[9] = float(seat < turn)
    p, n = R.moves.seat_at(seat), OWN + 2 * DECK
    for card in range(KINDS):
        out[n + card] = owned(s, p, card) * 0.2
