"""Answers of seats to effects, and what follows (a part of `rules.py`).

Arguments as in `effects.py`.
"""

from numpy import int64

from games.dominion.state import *  # noqa: F403 - the layout's names are this file's vocabulary

zones, moves, effects = part("zones"), part("moves"), part("effects")

END_BIT = int64(1) << END
TREASURES = int64(effects.TABLES.of_type["Treasure"])


@kernel
def selectable(s, kind):
    """The cards that a kind of decision lets a seat choose from its hand; no card for other kinds."""
    if kind == DISCARD_ANY or kind == TRASH_ANY or kind == DISCARD_DOWN:
        return int64(-1)
    if kind == REACT:
        return int64(effects.REACTIONS)
    card = effects.card_of(s, effects.top_frame(s))
    if kind == TRASH_ONE or kind == ONTO_DECK or kind == REPEAT or kind == SET_ASIDE:
        return effects.ONLY[card]
    return int64(1) << effects.NAMED[card] if kind == TRASH_FOR_COINS else int64(0)


@kernel
def needed(s):
    """The cards of which the seat asked must hold one, in any phase; no card where it need not."""
    kind = int64(s[KIND])
    if kind == ACTION:
        return int64(effects.ACTION_CARDS)
    if kind == TREASURE:
        return TREASURES
    return selectable(s, kind) if kind > BUY else int64(0)


@kernel
def options(s):
    """The cards that the seat asked may choose, and END where it may decline, as bits."""
    kind = int64(s[KIND])
    f = effects.top_frame(s)
    card = effects.card_of(s, f)
    hand = moves.seat_at(s[PLAYER]) + HAND
    if kind == GAIN_ONE:
        cost = effects.field(s, f, FRAME_COUNT, 8)
        return moves.in_supply(s) & effects.ONLY[card] & effects.within(cost)
    if kind == JUDGE or kind == SET_ASIDE:
        return (int64(1) << (effects.field(s, f, FRAME_CHOSEN, 6) - 1)) | END_BIT
    if kind == DISCARD_DECK:
        return (int64(1) << card) | END_BIT
    if kind == ROB:
        return zones.present(s, ASIDE) & effects.ONLY[card]
    if kind == GAIN_LOOT:
        return zones.present(s, LOOT) | END_BIT
    found = zones.present(s, hand) & selectable(s, kind)
    if kind == DISCARD_ANY or kind == TRASH_ANY or kind == REACT or kind == TRASH_FOR_COINS:
        return found | END_BIT
    if (kind == TRASH_ONE or kind == REPEAT) and s[EDITION] == 2 and effects.MAY_IN_SECOND[card]:
        return found | END_BIT
    return found


@kernel
def declined(s, f, kind, j):
    """A seat says END."""
    if kind == REACT:
        return
    if kind == DISCARD_ANY:
        effects.bump(s, f, FRAME_STAGE, 1, j)
    elif kind == JUDGE:
        judged(s, f, j)
    elif kind == SET_ASIDE:
        effects.forget_drawn(s, f, j)
    else:
        if kind == GAIN_LOOT:
            zones.clear(s, LOOT, j)
        effects.pop(s, j)


@kernel
def judged(s, f, j):
    """A Spy's card has been judged: the next seat's turn."""
    effects.forget(s, f, j)
    effects.bump(s, f, FRAME_STAGE, 2 - effects.field(s, f, FRAME_STAGE, 3), j)


@kernel
def decided(s, action, j):
    """The seat asked chooses a card, or END; what waits goes on afterwards (`effects.step`)."""
    kind = int64(s[KIND])
    f = effects.top_frame(s)
    if action == END:
        declined(s, f, kind, j)
    elif kind == REACT:
        journal.write(s, IMMUNE, int64(s[IMMUNE]) | (int64(1) << int64(s[PLAYER])), j)
    elif kind == JUDGE or kind == ROB or kind == GAIN_LOOT or kind == DISCARD_DECK:
        chosen_elsewhere(s, f, kind, action, j)
    else:
        chosen_of_own(s, f, kind, action, j)


@kernel
def chosen_of_own(s, f, kind, action, j):
    """A card of the hand, or of the supply."""
    card = effects.card_of(s, f)
    p = moves.seat_at(s[PLAYER])
    if kind == GAIN_ONE:
        effects.pop(s, j)
        moves.gain_from_supply(s, int64(s[TURN]), action, effects.TO[card], j)
    elif kind == TRASH_ONE:
        moves.trash(s, p, action, j)
        effects.bump(s, f, FRAME_STAGE, 1, j)
        effects.bump(s, f, FRAME_COUNT, effects.COST[action] + effects.NUMBER[card], j)
    elif kind == TRASH_FOR_COINS:
        effects.pop(s, j)
        moves.trash(s, p, action, j)
        moves.change(s, COINS, effects.NUMBER[card], j)
    elif kind == TRASH_ANY:
        moves.trash(s, p, action, j)
        effects.bump(s, f, FRAME_COUNT, 1, j)
    elif kind == DISCARD_ANY:
        moves.discard(s, p, action, j)
        effects.bump(s, f, FRAME_COUNT, 1, j)
    elif kind == DISCARD_DOWN:
        moves.discard(s, p, action, j)
    elif kind == ONTO_DECK:
        moves.leave_hand(s, p, action, int64(1), j)
        moves.put_on_deck(s, p, action, j)
    elif kind == SET_ASIDE:
        set_aside(s, p, f, action, j)
    else:  # REPEAT: it is played now, and once more when all that follows is done
        effects.pop(s, j)
        moves.leave_hand(s, p, action, int64(1), j)
        zones.add(s, PLAYED, action, 1, j)
        effects.push(s, PLAY, action, j)
        effects.start(s, action, j)


@kernel
def set_aside(s, p, f, card, j):
    """Library: the card just drawn leaves the hand again; one like it that all know to be there stays."""
    if effects.field(s, f, FRAME_COUNT, 8):
        moves.leave_hand(s, p, card, int64(1), j)
    else:
        zones.add(s, p + HAND, card, -1, j)
        moves.change(s, p + HAND_SIZE, -1, j)
    zones.add(s, ASIDE, card, 1, j)
    effects.forget_drawn(s, f, j)


@kernel
def chosen_elsewhere(s, f, kind, action, j):
    """A card that lies shown, or the deck."""
    if kind == JUDGE:
        _, p = effects.reached(s, f)
        zones.add(s, p + DISCARD, moves.take_top(s, p, j), 1, j)
        judged(s, f, j)
    elif kind == ROB:
        victim = moves.seat_at(s[DRAWER])
        zones.add(s, ASIDE, action, -1, j)
        moves.own(s, victim, action, int64(-1), j)
        zones.add(s, TRASH, action, 1, j)
        zones.add(s, LOOT, action, 1, j)
        zones.pour(s, ASIDE, victim + DISCARD, j)
        effects.bump(s, f, FRAME_STAGE, -1, j)
    elif kind == GAIN_LOOT:
        zones.add(s, LOOT, action, -1, j)
        zones.add(s, TRASH, action, -1, j)
        moves.gain(s, int64(s[TURN]), action, moves.IN_DISCARD, j)
    else:
        effects.pop(s, j)
        moves.discard_deck(s, moves.seat_at(s[TURN]), j)
