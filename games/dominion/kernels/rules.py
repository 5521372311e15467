"""The rules of Dominion, once: a template of `games.loader` over the layout of `state.py`.

Injected: `kernel`, `rng`, `bits`, `journal`, JOURNAL, `part`. Arrays: s int32[SIZE] (a state,
mutated where a journal is asked for), j int32[:] (journal), r uint64[4] (generator), out int32[:].
Nothing here checks its arguments: faces and engines pass legal actions only.

Parts: `zones` (counts of cards), `moves` (gaining, drawing, shuffling), `effects` and `answers`
(what Action cards do and ask), `hidden_cards` (what seats may know). This file holds the course of turns.
"""

import numpy as np
from numpy import int64, uint64

from games.dominion import cards
from games.dominion.state import *  # noqa: F403 - the layout's names are this file's vocabulary

OVER_RULES = ("policies",)

zones, moves, effects, answers, hidden_cards = (
    part("zones"),
    part("moves"),
    part("effects"),
    part("answers"),
    part("hidden_cards"),
)

TABLES = cards.tables()
T = TABLES.columns
VALUE = T["value"]
TREASURES, ACTION_CARDS = int64(TABLES.of_type["Treasure"]), int64(TABLES.of_type["Action"])
CURSE, PROVINCE = (cards.by_name()[name].number for name in ("Curse", "Province"))
NOT_CURSE = ~(int64(1) << CURSE)
START = np.array([cards.start_deck().get(c, 0) for c in range(NUM_CARDS)], np.int64)
PILES = np.stack([cards.pile_sizes("official"), cards.pile_sizes("thesis")])
BASIC = sum(1 << card.number for card in cards.table() if not card.is_kingdom)
POOLS = np.array([cards.pool(edition) for edition in (1, 2)], np.int64)
HAND_CARDS = 5
END_BIT, ALL_BIT = int64(1) << END, int64(1) << ALL
LOW_BITS = (1 << BITS) - 1
TREASURE_CARDS = tuple(card.number for card in cards.table() if "Treasure" in card.types)
COPPER = cards.by_name()["Copper"].number


# ---------------------------------------------------------------- setting up
@allocating_kernel
def init(s, num_seats, options):
    """Set up a match in a zeroed state.

    options: int32[9]: two words of bits of the kingdom's cards, cards to be drawn for it, sizes,
    edition, Treasures by hand, Curses may be bought, coins of a Woodcutter, turn limit.
    """
    j = np.ones(1024, np.int32)
    s[NUM_SEATS] = num_seats
    s[KINGDOM] = options[0] | (BASIC & LOW_BITS)
    s[KINGDOM + 1] = options[1] | (BASIC >> BITS)
    s[TO_CHOOSE] = options[2]
    s[SIZES], s[EDITION], s[BY_HAND] = options[3], options[4], options[5]
    s[CURSE_BUYS], s[WOODCUTTER], s[TURN_LIMIT] = options[6], options[7], options[8]
    for seat in range(num_seats):
        p = moves.seat_at(seat)
        n = int64(0)
        for card in range(NUM_CARDS):
            if START[card]:
                moves.own(s, p, card, START[card], j)
                zones.add(s, p + DECK, card, START[card], j)
                n += START[card]
        s[p + DECK_SIZE], s[p + SHUFFLES] = n, 1
    s[PLAYER], s[KIND] = -1, DRAW_KINGDOM
    if s[TO_CHOOSE] == 0:
        lay_piles(s, j)


@kernel
def kingdom(s):
    """The cards that have a pile, as bits."""
    return int64(s[KINGDOM]) | (int64(s[KINGDOM + 1]) << BITS)


@kernel
def lay_piles(s, j):
    """The kingdom is known: lay out the supply and deal the first hand."""
    chosen = kingdom(s)
    for card in range(NUM_CARDS):
        if (chosen >> card) & 1:
            zones.add(s, SUPPLY, card, PILES[s[SIZES], s[NUM_SEATS] - 1, card], j)
    journal.write(s, IN_SUPPLY, s[KINGDOM], j)
    journal.write(s, IN_SUPPLY + 1, s[KINGDOM + 1], j)
    journal.write(s, KIND, DEAL, j)
    moves.ask_draws(s, int64(HAND_CARDS), int64(0), TO_HAND, j)


# ---------------------------------------------------------------- the course of a turn
# Phases return whether somebody is asked (or all is over); if not, cards are to be drawn.
@inlined_kernel
def begin_turn(s, seat, j):
    """A seat's turn begins."""
    p = moves.seat_at(seat)
    journal.write(s, TURN, seat, j)
    moves.change(s, p + TURNS, 1, j)
    journal.write(s, ACTIONS, 1, j)
    journal.write(s, BUYS, 1, j)
    journal.write(s, COINS, 0, j)
    journal.write(s, SPENT, 0, j)
    journal.write(s, PLAYS, 0, j)
    return action_phase(s, j)


@inlined_kernel
def decide(s, kind, j):
    """The seat whose turn it is decides."""
    journal.write(s, KIND, kind, j)
    journal.write(s, PLAYER, s[TURN], j)
    return True


@inlined_kernel
def action_phase(s, j):
    """Another Action card may be played, where there is one and an action left."""
    if s[ACTIONS] > 0 and zones.present(s, moves.seat_at(s[TURN]) + HAND) & ACTION_CARDS:
        return decide(s, ACTION, j)
    return treasure_phase(s, j)


@inlined_kernel
def treasure_phase(s, j):
    """All Treasure cards are played at once, or one by one while there are some."""
    if s[BY_HAND] == 0:
        play_treasures(s, j)
    elif zones.present(s, moves.seat_at(s[TURN]) + HAND) & TREASURES:
        return decide(s, TREASURE, j)
    return buy_phase(s, j)


@inlined_kernel
def play_treasure(s, card, j):
    """A Treasure card is played."""
    moves.leave_hand(s, moves.seat_at(s[TURN]), card, int64(1), j)
    zones.add(s, PLAYED, card, 1, j)
    moves.change(s, COINS, VALUE[card], j)


@inlined_kernel
def play_treasures(s, j):
    """All Treasure cards of the hand are played."""
    p = moves.seat_at(s[TURN])
    n, coins = int64(0), int64(0)
    for card in TREASURE_CARDS:
        copies = zones.count(s, p + HAND, card)
        n += copies
        coins += copies * VALUE[card]
    if n == 0:
        return
    zones.pour_of(s, p + HAND, PLAYED, TREASURES, j)
    for card in TREASURE_CARDS:
        known = zones.count(s, p + SHOWN, card)
        if known:
            zones.add(s, p + SHOWN, card, -known, j)
    moves.change(s, p + HAND_SIZE, -n, j)
    moves.change(s, COINS, coins, j)


@inlined_kernel
def buy_phase(s, j):
    """A card may be bought, while there is a buy and a card that the coins reach for; else the turn ends."""
    if s[BUYS] > 0 and (zones.count(s, SUPPLY, COPPER) > 0 or for_sale(s)):
        return decide(s, BUY, j)
    return clean_up(s, j)


@inlined_kernel
def for_sale(s):
    """The cards that may be bought, as bits."""
    found = moves.in_supply(s) & effects.within(zones.natural(s[COINS]))
    return found if s[CURSE_BUYS] else found & NOT_CURSE


@inlined_kernel
def play(s, card, j):
    """An Action card is played from the hand."""
    moves.change(s, ACTIONS, -1, j)
    moves.leave_hand(s, moves.seat_at(s[TURN]), card, int64(1), j)
    zones.add(s, PLAYED, card, 1, j)
    effects.start(s, card, j)
    return False


@inlined_kernel
def buy(s, card, j):
    """A card is bought; without a buy left the turn ends."""
    cost = effects.COST[card]
    moves.change(s, COINS, -cost, j)
    moves.change(s, SPENT, cost, j)
    moves.change(s, BUYS, -1, j)
    moves.gain_from_supply(s, int64(s[TURN]), card, moves.IN_DISCARD, j)
    return buy_phase(s, j)


@inlined_kernel
def tally(s, p, j):
    """Note what dashboards count of the turn that ends."""
    if s[ACTIONS] == 0:
        left = zones.total_of(s, p + HAND, ACTION_CARDS)
        if left:
            moves.change(s, p + COLLISIONS, left, j)
    turn = zones.natural(s[p + TURNS])
    if turn <= MAX_TURNS:
        points = int64(s[p + POINTS]) + s[p + PER_TEN] * (zones.natural(s[p + OWNED]) // cards.PER) + POINTS_OFFSET
        coins = min(int64(s[COINS]) + s[SPENT], 255)
        plays, unused = min(int64(s[PLAYS]), 127), min(int64(s[BUYS]), 63)
        word = (coins << TURN_COINS) | (plays << TURN_PLAYS) | (unused << TURN_BUYS) | (points << TURN_POINTS)
        journal.write(s, p + BY_TURN + turn - 1, word, j)
        journal.write(s, p + KINDS_BY_TURN + turn - 1, s[p + OWNED_KINDS], j)


@inlined_kernel
def clean_up(s, j):
    """Hand and cards in play are discarded, the next hand is drawn."""
    p = moves.seat_at(s[TURN])
    tally(s, p, j)
    zones.pour(s, p + HAND, p + DISCARD, j)
    zones.pour(s, PLAYED, p + DISCARD, j)
    zones.clear(s, p + SHOWN, j)
    journal.write(s, p + HAND_SIZE, 0, j)
    journal.write(s, KIND, CLEAN_UP, j)
    moves.ask_draws(s, int64(HAND_CARDS), int64(s[TURN]), TO_HAND, j)
    return False


@inlined_kernel
def end_turn(s, j):
    """The match ends with the Province pile, with any third empty pile, or at the limit; else the next turn begins."""
    following = int64(s[TURN]) + 1 if s[TURN] + 1 < s[NUM_SEATS] else int64(0)
    is_over = s[NUM_EMPTY] >= 3 or zones.count(s, SUPPLY, PROVINCE) == 0
    if is_over or s[moves.seat_at(following) + TURNS] >= s[TURN_LIMIT]:
        journal.write(s, PLAYER, -2, j)
        return True
    return begin_turn(s, following, j)


@inlined_kernel
def drawn(s, j):
    """All cards have been drawn and no effect waits."""
    kind = s[KIND]
    if kind == CLEAN_UP:
        return end_turn(s, j)
    if kind != DEAL:
        return action_phase(s, j)
    if s[DRAWER] + 1 < s[NUM_SEATS]:
        moves.ask_draws(s, int64(HAND_CARDS), int64(s[DRAWER]) + 1, TO_HAND, j)
        return False
    return begin_turn(s, int64(0), j)


@inlined_kernel
def proceed(s, j):
    """Go on until chance draws, a seat decides, or the match is over."""
    while True:
        if s[DRAWS] > 0 and moves.draw_known(s, j):
            journal.write(s, PLAYER, -1, j)
            return
        if s[DEPTH] == 0:
            if drawn(s, j):
                return
        elif effects.step(s, j):
            return


# ---------------------------------------------------------------- the verbs
@kernel
def num_seats(s):
    return int64(s[NUM_SEATS])


@kernel
def current_player(s):
    """Seat to act, -1 (a card must be drawn) or -2 (the match is over)."""
    return int64(s[PLAYER])


@kernel
def decision(s):
    """Kind of decision of the seat to act: a card may be played, bought or chosen, and these are different moves."""
    return int64(s[KIND])


@inlined_kernel
def options(s):
    """Choices of the seat to act, as bits: cards, ALL, END."""
    kind = s[KIND]
    if kind == BUY:
        return for_sale(s) | END_BIT
    p = moves.seat_at(s[PLAYER])
    if kind == ACTION:
        return (zones.present(s, p + HAND) & ACTION_CARDS) | END_BIT
    if kind == TREASURE:
        found = (zones.present(s, p + HAND) & TREASURES) | END_BIT
        return found | ALL_BIT if zones.total_of(s, p + HAND, TREASURES) > 1 else found
    return answers.options(s)


@kernel
def legal_actions(s, out):
    """Write the actions of the seat on turn to `out`: cards by their number, then ALL and END."""
    n = int64(0)
    if s[PLAYER] < 0:
        return n
    rest = options(s)
    while rest:
        out[n] = bits.lowest_bit(rest)
        n += 1
        rest &= rest - 1
    return n


@kernel
def is_legal(s, action):
    """Whether an action, or at a chance node an outcome (any number that is not negative), is possible."""
    if s[PLAYER] == -2 or action > END:
        return False
    if s[PLAYER] == -1:
        if action >= NUM_CARDS:
            return False
        if s[KIND] == DRAW_KINGDOM:
            return (unchosen(s) >> action) & 1 == 1
        return zones.count(s, moves.seat_at(s[DRAWER]) + DECK, action) > 0
    return (options(s) >> action) & 1 == 1


@kernel
def unchosen(s):
    """Kingdom cards that chance may still choose, as bits."""
    return POOLS[s[EDITION] - 1] & ~kingdom(s)


@kernel
def chance_outcomes(s, out, prob):
    """Write the cards that may be drawn and how probable each is; return how many."""
    n = int64(0)
    if s[KIND] == DRAW_KINGDOM:
        rest = unchosen(s)
        total = bits.popcount(rest)
    else:
        p = moves.seat_at(s[DRAWER])
        rest = zones.present(s, p + DECK)
        total = int64(s[p + DECK_SIZE])
    while rest:
        card = bits.lowest_bit(rest)
        copies = int64(1) if s[KIND] == DRAW_KINGDOM else zones.count(s, p + DECK, card)
        out[n], prob[n] = card, copies / total
        n += 1
        rest &= rest - 1
    return n


@inlined_kernel
def sample_chance(s, r):
    """Draw a card: for the kingdom, or from the deck that is drawn from."""
    if s[KIND] == DRAW_KINGDOM:
        rest = unchosen(s)
        for _ in range(rng.below(r, bits.popcount(rest))):
            rest &= rest - 1
        return bits.lowest_bit(rest)
    p = moves.seat_at(s[DRAWER])
    size = int64(s[p + DECK_SIZE])
    return zones.nth(s, p + DECK, rng.below(r, size), size)


@kernel
def choose_pile(s, card, j):
    """Chance chooses a card for the kingdom; with the last one the match begins."""
    word = KINGDOM + card // BITS
    journal.write(s, word, s[word] | (1 << (card % BITS)), j)
    moves.change(s, TO_CHOOSE, -1, j)
    if s[TO_CHOOSE] == 0:
        lay_piles(s, j)


@kernel
def happen(s, card, j):
    """Chance: a card is drawn; where it was the last one that was to be, the match goes on."""
    if s[KIND] == DRAW_KINGDOM:
        choose_pile(s, card, j)
        return
    moves.draw(s, card, j)
    if s[DRAWS] == 0 or s[moves.seat_at(s[DRAWER]) + DECK_SIZE] == 0:
        proceed(s, j)


@inlined_kernel
def act(s, action, j):
    """The seat on turn decides; return whether somebody is asked next."""
    kind = int64(s[KIND])
    action &= MAX_ACTIONS - 1  # tells compilers that no table is read from its end
    if kind == BUY:
        return clean_up(s, j) if action == END else buy(s, action, j)
    if kind == ACTION:
        return treasure_phase(s, j) if action == END else play(s, action, j)
    if kind != TREASURE:
        answers.decided(s, action, j)
        return False
    if action == END:
        return buy_phase(s, j)
    if action == ALL:
        play_treasures(s, j)
    else:
        play_treasure(s, action, j)
    return treasure_phase(s, j)


@inlined_kernel
def apply(s, action, j):
    """Play an action, or at a chance node an outcome; decision number MAX_PLIES is the last one."""
    if s[PLAYER] == -1:
        happen(s, action, j)
        return
    moves.change(s, PLIES, 1, j)
    if not act(s, action, j):
        proceed(s, j)
    if s[PLIES] == MAX_PLIES:
        journal.write(s, PLAYER, -2, j)


@inlined_kernel
def settle(s, r, j):
    """Draw all cards that are to be drawn before a seat decides again or the match is over."""
    while s[PLAYER] == -1:
        if s[DRAW_TO] == TO_HAND and s[KIND] != DRAW_KINGDOM:
            moves.draw_hand(s, r, j)
            proceed(s, j)
        else:
            happen(s, sample_chance(s, r), j)


@kernel
def scores(s, out):
    """Points of all cards that each seat owns."""
    for seat in range(s[NUM_SEATS]):
        p = moves.seat_at(seat)
        out[seat] = int64(s[p + POINTS]) + int64(s[p + PER_TEN]) * (int64(s[p + OWNED]) // cards.PER)


@kernel
def projected(s, out):
    """Points per seat if the match ended here."""
    scores(s, out)


@kernel
def key(s):
    """Hash of the position: zones, phase, what waits; not how it came about."""
    h = uint64(s[NUM_SEATS])
    is_resolving = s[DEPTH] > 0 or s[DRAWS] > 0
    for i in range(SEATS):
        is_passing = i in (DRAWER, DRAW_TO, IMMUNE)
        if i not in (SPENT, PLAYS, PLIES) and (is_resolving or not is_passing):
            h = rng.mix2(h, uint64(s[i]))
    for seat in range(s[NUM_SEATS]):
        p = moves.seat_at(seat)
        for i in range(p, p + TALLIES):
            h = rng.mix2(h, uint64(s[i]))
    return h


@kernel
def hide(s, seat):
    """Take out of a state what a seat (-1: a spectator) cannot know."""
    hidden_cards.hide(s, seat)


@kernel
def determinize(s, seat, r):
    """Draw anew, in place, what a seat cannot know."""
    hidden_cards.hide(s, seat)
    hidden_cards.fill(s, r)


@kernel
def fill(s, r):
    """Draw, in place, what a view does not know."""
    hidden_cards.fill(s, r)
