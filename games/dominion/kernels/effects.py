"""Effects of Action cards beyond what they give (a part of `rules.py`).

Effects that wait lie on a stack in the state, one word each (`state.py`: frames). `step` carries out
the topmost one until it is done, cards have to be drawn, or a seat is asked; `decided` takes the
answer. A new card of a known effect is a row of ``data/cards.json``; a new effect is its name in
`cards.EFFECTS`, a function here and its line in `step`.

Arguments as in `moves.py`; f: offset of the topmost frame; card: the card that is being carried out.
"""

import numpy as np
from numpy import int64

from games.dominion import cards
from games.dominion.state import *  # noqa: F403 - the layout's names are this file's vocabulary

zones, moves = part("zones"), part("moves")

TABLES = cards.tables()
T = TABLES.columns
COST, NUMBER, ONLY, NAMED, TO = T["cost"], T["number"], T["only"], T["card"], T["to"]
GIVES_CARDS, GIVES_ACTIONS, GIVES_BUYS, GIVES_COINS = T["cards"], T["actions"], T["buys"], T["coins"]
EFFECT_OF, TRASHES_SELF, MAY_IN_SECOND = T["effect"], T["trash_self"], T["may_in_second"]
ATTACKS, REACTIONS, ACTION_CARDS = (TABLES.of_type[kind] for kind in ("Attack", "Reaction", "Action"))
WOODCUTTER_CARD = cards.by_name()["Woodcutter"].number
MOST_COST = int(COST.max())
WITHIN = np.array([sum(1 << c for c in range(NUM_CARDS) if COST[c] <= most) for most in range(MOST_COST + 1)], np.int64)
"""Greatest cost -> the cards that cost no more."""
(
    OTHERS_GAIN,
    TRASH_FOR_MONEY,
    TRASH_THEN_GAIN,
    GAIN_UP_TO,
    DISCARD_TO_DRAW,
    TRASH_UP_TO,
    MAY_DISCARD_DECK,
    VICTORY_ONTO_DECK,
    OTHERS_DISCARD_TO,
    JUDGE_TOP_CARDS,
    TRASH_TREASURES,
    PLAY_TWICE,
    OTHERS_DRAW,
    DRAW_UP_TO,
    DIG_FOR,
) = range(1, len(cards.EFFECTS))


# ---------------------------------------------------------------- frames
@inlined_kernel
def top_frame(s):
    """Offset of the topmost frame."""
    return STACK - 1 + zones.natural(s[DEPTH])


@inlined_kernel
def field(s, f, at, width):
    """A number of a frame."""
    return (int64(s[f]) >> at) & ((1 << width) - 1)


@inlined_kernel
def card_of(s, f):
    """The card of a frame."""
    return field(s, f, FRAME_CARD, 6)


@inlined_kernel
def bump(s, f, at, by, j):
    """Add to a number of a frame."""
    journal.write(s, f, int64(s[f]) + (int64(by) << at), j)


@kernel
def forget(s, f, j):
    """Clear the notes on the card that a frame is about."""
    bump(s, f, FRAME_CHOSEN, -field(s, f, FRAME_CHOSEN, 6), j)


@kernel
def forget_drawn(s, f, j):
    """As `forget`, where the frame also notes whether all know the card (Library)."""
    forget(s, f, j)
    bump(s, f, FRAME_COUNT, -field(s, f, FRAME_COUNT, 8), j)


@inlined_kernel
def push(s, op, card, j):
    """A new topmost frame."""
    journal.write(s, STACK + zones.natural(s[DEPTH]), op | (int64(card) << FRAME_CARD), j)
    moves.change(s, DEPTH, 1, j)


@inlined_kernel
def pop(s, j):
    """The topmost frame is done."""
    journal.write(s, top_frame(s), 0, j)
    moves.change(s, DEPTH, -1, j)


@inlined_kernel
def ask(s, kind, seat, j):
    """A seat has to decide."""
    journal.write(s, KIND, kind, j)
    journal.write(s, PLAYER, seat, j)
    return True


@inlined_kernel
def reached(s, f):
    """The seat that a frame has reached, and its words."""
    seat = (int64(s[TURN]) + field(s, f, FRAME_SEATS, 3)) % int64(s[NUM_SEATS])
    return seat, moves.seat_at(seat)


@inlined_kernel
def is_immune(s, seat):
    """Whether the Attack passes a seat by."""
    return (int64(s[IMMUNE]) >> seat) & 1 == 1


@kernel
def next_victim(s, f, j):
    """Let a frame reach the next seat that the Attack meets; return whether there is one."""
    while field(s, f, FRAME_SEATS, 3) + 1 < s[NUM_SEATS]:
        bump(s, f, FRAME_SEATS, 1, j)
        seat, _ = reached(s, f)
        if not is_immune(s, seat):
            return True
    return False


# ---------------------------------------------------------------- playing a card
@inlined_kernel
def start(s, card, j):
    """A card in play is played: others may react to an Attack, then it gives what it gives."""
    moves.change(s, PLAYS, 1, j)
    if (ATTACKS >> card) & 1:
        journal.write(s, IMMUNE, 0, j)
        push(s, ATTACK, card, j)
    else:
        give(s, card, j)


@inlined_kernel
def give(s, card, j):
    """Give what a card gives: cards, actions, buys, coins; then begin its effect."""
    moves.change(s, ACTIONS, GIVES_ACTIONS[card], j)
    moves.change(s, BUYS, GIVES_BUYS[card], j)
    moves.change(s, COINS, int64(s[WOODCUTTER]) if card == WOODCUTTER_CARD else GIVES_COINS[card], j)
    if EFFECT_OF[card]:
        push(s, EFFECT, card, j)
    if GIVES_CARDS[card]:
        journal.write(s, KIND, RESOLVE, j)
        moves.ask_draws(s, GIVES_CARDS[card], int64(s[TURN]), TO_HAND, j)


@kernel
def react(s, f, j):
    """Each holder of a Reaction is asked, from the left of the attacker on; then the Attack begins.

    Being asked shows that one is held, so from then on everybody knows.
    """
    while field(s, f, FRAME_SEATS, 3) + 1 < s[NUM_SEATS]:
        bump(s, f, FRAME_SEATS, 1, j)
        seat, p = reached(s, f)
        held = zones.present(s, p + HAND) & REACTIONS
        if held:
            if zones.present(s, p + SHOWN) & REACTIONS == 0:
                zones.add(s, p + SHOWN, bits.lowest_bit(held), 1, j)
            return ask(s, REACT, seat, j)
    card = card_of(s, f)
    pop(s, j)
    give(s, card, j)
    return False


# ---------------------------------------------------------------- effects: return whether somebody is asked
@kernel
def others_gain(s, f, card, j):
    """Witch: the others gain a Curse, while there are some."""
    while next_victim(s, f, j):
        seat, _ = reached(s, f)
        if zones.count(s, SUPPLY, NAMED[card]):
            moves.gain_from_supply(s, seat, NAMED[card], moves.IN_DISCARD, j)
            moves.change(s, moves.seat_at(s[TURN]) + CURSES_DEALT, 1, j)
    pop(s, j)
    return False


@kernel
def trash_for_coins(s, f, card, j):
    """Moneylender: in the first edition a Copper must be trashed, in the second it may be."""
    p = moves.seat_at(s[TURN])
    if zones.count(s, p + HAND, NAMED[card]) > 0:
        if s[EDITION] == 2:
            return ask(s, TRASH_FOR_COINS, int64(s[TURN]), j)
        moves.trash(s, p, NAMED[card], j)
        moves.change(s, COINS, NUMBER[card], j)
    pop(s, j)
    return False


@kernel
def gain_one(s, f, card, j):
    """A card of the supply within the cost that the frame has counted must be gained, if there is one."""
    if moves.in_supply(s) & ONLY[card] & within(field(s, f, FRAME_COUNT, 8)):
        return ask(s, GAIN_ONE, int64(s[TURN]), j)
    pop(s, j)
    return False


@inlined_kernel
def within(cost):
    """Cards that cost no more."""
    return WITHIN[min(cost, MOST_COST)]


@kernel
def trash_then_gain(s, f, card, j):
    """Remodel, Mine: trash a card of the hand, then gain one of some cost more."""
    if field(s, f, FRAME_STAGE, 3) == 1:
        return gain_one(s, f, card, j)
    if zones.present(s, moves.seat_at(s[TURN]) + HAND) & ONLY[card]:
        return ask(s, TRASH_ONE, int64(s[TURN]), j)
    pop(s, j)
    return False


@kernel
def gain_up_to(s, f, card, j):
    """Workshop; Feast, which is trashed if it is still in play."""
    if TRASHES_SELF[card] and zones.count(s, PLAYED, card):
        zones.add(s, PLAYED, card, -1, j)
        zones.add(s, TRASH, card, 1, j)
        p = moves.seat_at(s[TURN])
        moves.own(s, p, card, int64(-1), j)
        moves.change(s, p + TRASHED, 1, j)
    bump(s, f, FRAME_COUNT, NUMBER[card], j)
    return gain_one(s, f, card, j)


@kernel
def discard_to_draw(s, f, card, j):
    """Cellar: cards are discarded one by one, then as many are drawn."""
    if field(s, f, FRAME_STAGE, 3) == 0 and s[moves.seat_at(s[TURN]) + HAND_SIZE] > 0:
        return ask(s, DISCARD_ANY, int64(s[TURN]), j)
    n = field(s, f, FRAME_COUNT, 8)
    pop(s, j)
    journal.write(s, KIND, RESOLVE, j)
    moves.ask_draws(s, n, int64(s[TURN]), TO_HAND, j)
    return False


@kernel
def trash_up_to(s, f, card, j):
    """Chapel: cards are trashed one by one."""
    if field(s, f, FRAME_COUNT, 8) < NUMBER[card] and s[moves.seat_at(s[TURN]) + HAND_SIZE] > 0:
        return ask(s, TRASH_ANY, int64(s[TURN]), j)
    pop(s, j)
    return False


@kernel
def may_discard_deck(s, f, card, j):
    """Chancellor: nothing to decide without a deck."""
    p = moves.seat_at(s[TURN])
    if s[p + DECK_SIZE] + s[p + NUM_TOP] > 0:
        return ask(s, DISCARD_DECK, int64(s[TURN]), j)
    pop(s, j)
    return False


@kernel
def victory_onto_deck(s, f, card, j):
    """Bureaucrat: a Silver onto the own deck; each other hand gives a Victory card, or is shown."""
    if field(s, f, FRAME_STAGE, 3) == 0:
        bump(s, f, FRAME_STAGE, 1, j)
        if zones.count(s, SUPPLY, NAMED[card]):
            moves.gain_from_supply(s, int64(s[TURN]), NAMED[card], TO[card], j)
    while next_victim(s, f, j):
        seat, p = reached(s, f)
        if zones.present(s, p + HAND) & ONLY[card]:
            return ask(s, ONTO_DECK, seat, j)
        moves.show_hand(s, p, j)
    pop(s, j)
    return False


@kernel
def others_discard_to(s, f, card, j):
    """Militia: the others discard one by one, seat after seat."""
    while True:
        seat, p = reached(s, f)
        if field(s, f, FRAME_SEATS, 3) > 0 and not is_immune(s, seat) and s[p + HAND_SIZE] > NUMBER[card]:
            return ask(s, DISCARD_DOWN, seat, j)
        if not next_victim(s, f, j):
            pop(s, j)
            return False


@kernel
def judge_top_cards(s, f, card, j):
    """Spy: the top card of each deck is shown, that of the own one first. Stage 1: it has been shown."""
    while True:
        seat, p = reached(s, f)
        if field(s, f, FRAME_STAGE, 3) < 2:
            if s[p + NUM_TOP] > 0:
                bump(s, f, FRAME_CHOSEN, moves.top_card(s, p) + 1, j)
                return ask(s, JUDGE, int64(s[TURN]), j)
            if field(s, f, FRAME_STAGE, 3) == 0 and moves.has_cards(s, p):
                bump(s, f, FRAME_STAGE, 1, j)
                journal.write(s, KIND, RESOLVE, j)
                moves.ask_draws(s, int64(1), seat, ONTO_TOP, j)
                return False
        bump(s, f, FRAME_STAGE, -field(s, f, FRAME_STAGE, 3), j)
        if not next_victim(s, f, j):
            pop(s, j)
            return False


@kernel
def trash_treasures(s, f, card, j):
    """Thief. Stages: 0 the next victim shows two cards, 1 they have been shown, 2 the loot is shared out."""
    stage = field(s, f, FRAME_STAGE, 3)
    if stage == 1:
        if zones.present(s, ASIDE) & ONLY[card]:
            return ask(s, ROB, int64(s[TURN]), j)
        zones.pour(s, ASIDE, moves.seat_at(s[DRAWER]) + DISCARD, j)
        bump(s, f, FRAME_STAGE, -1, j)
        stage = int64(0)
    if stage == 0:
        if next_victim(s, f, j):
            seat, _ = reached(s, f)
            bump(s, f, FRAME_STAGE, 1, j)
            journal.write(s, KIND, RESOLVE, j)
            moves.ask_draws(s, NUMBER[card], seat, TO_ASIDE, j)
            return False
        bump(s, f, FRAME_STAGE, 2, j)
    if zones.present(s, LOOT):
        return ask(s, GAIN_LOOT, int64(s[TURN]), j)
    pop(s, j)
    return False


@kernel
def play_twice(s, f, card, j):
    """Throne Room: an Action card of the hand, if there is one."""
    if zones.present(s, moves.seat_at(s[TURN]) + HAND) & ONLY[card]:
        return ask(s, REPEAT, int64(s[TURN]), j)
    pop(s, j)
    return False


@kernel
def others_draw(s, f, card, j):
    """Council Room: no Attack, so nobody is passed by."""
    if field(s, f, FRAME_SEATS, 3) + 1 < s[NUM_SEATS]:
        bump(s, f, FRAME_SEATS, 1, j)
        seat, _ = reached(s, f)
        journal.write(s, KIND, RESOLVE, j)
        moves.ask_draws(s, NUMBER[card], seat, TO_HAND, j)
    else:
        pop(s, j)
    return False


@kernel
def draw_up_to(s, f, card, j):
    """Library: cards come one by one; of an Action card its owner says whether it is kept."""
    drawn = field(s, f, FRAME_CHOSEN, 6) - 1
    seat = int64(s[TURN])
    p = moves.seat_at(seat)
    if drawn >= 0:
        if (ONLY[card] >> drawn) & 1:
            return ask(s, SET_ASIDE, seat, j)
        forget_drawn(s, f, j)
    if s[p + HAND_SIZE] < NUMBER[card] and moves.has_cards(s, p):
        journal.write(s, KIND, RESOLVE, j)
        moves.ask_draws(s, int64(1), seat, TO_HAND_NOTED, j)
        return False
    zones.pour(s, ASIDE, p + DISCARD, j)
    pop(s, j)
    return False


@kernel
def dig_for(s, f, card, j):
    """Adventurer: cards are shown until enough Treasure cards have come."""
    p = moves.seat_at(s[TURN])
    found = zones.total_of(s, ASIDE, ONLY[card])
    if found < NUMBER[card] and moves.has_cards(s, p):
        journal.write(s, KIND, RESOLVE, j)
        moves.ask_draws(s, int64(1), int64(s[TURN]), TO_ASIDE, j)
        return False
    rest = zones.present(s, ASIDE) & ONLY[card]
    while rest:
        treasure = bits.lowest_bit(rest)
        n = zones.count(s, ASIDE, treasure)
        zones.add(s, ASIDE, treasure, -n, j)
        zones.add(s, p + HAND, treasure, n, j)
        zones.add(s, p + SHOWN, treasure, n, j)
        rest &= rest - 1
    moves.change(s, p + HAND_SIZE, found, j)
    zones.pour(s, ASIDE, p + DISCARD, j)
    pop(s, j)
    return False


@kernel
def carry_out(s, f, card, j):
    """The effect of a card, by its number; return whether somebody is asked."""
    effect = EFFECT_OF[card]
    if effect == OTHERS_GAIN:
        return others_gain(s, f, card, j)
    if effect == TRASH_FOR_MONEY:
        return trash_for_coins(s, f, card, j)
    if effect == TRASH_THEN_GAIN:
        return trash_then_gain(s, f, card, j)
    if effect == GAIN_UP_TO:
        return gain_up_to(s, f, card, j)
    if effect == DISCARD_TO_DRAW:
        return discard_to_draw(s, f, card, j)
    if effect == TRASH_UP_TO:
        return trash_up_to(s, f, card, j)
    if effect == MAY_DISCARD_DECK:
        return may_discard_deck(s, f, card, j)
    if effect == VICTORY_ONTO_DECK:
        return victory_onto_deck(s, f, card, j)
    if effect == OTHERS_DISCARD_TO:
        return others_discard_to(s, f, card, j)
    if effect == JUDGE_TOP_CARDS:
        return judge_top_cards(s, f, card, j)
    if effect == TRASH_TREASURES:
        return trash_treasures(s, f, card, j)
    if effect == PLAY_TWICE:
        return play_twice(s, f, card, j)
    if effect == OTHERS_DRAW:
        return others_draw(s, f, card, j)
    if effect == DRAW_UP_TO:
        return draw_up_to(s, f, card, j)
    return dig_for(s, f, card, j)


@kernel
def step(s, j):
    """Go on with the topmost frame; return whether a seat is asked."""
    f = top_frame(s)
    op, card = field(s, f, FRAME_OP, 2), card_of(s, f)
    if op == EFFECT:
        return carry_out(s, f, card, j)
    if op == ATTACK:
        return react(s, f, j)
    pop(s, j)
    start(s, card, j)
    return False
