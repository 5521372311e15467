"""The rules of team dominoes, once: a template of `games.loader` over the layout of `state.py`.

Injected: `kernel`, `rng`, `bits`, `journal`, JOURNAL, `part`. Arrays: s int32[SIZE] (a state,
mutated where a journal is asked for), j int32[:] (journal), r uint64[4] (generator), out int32[:].
Nothing here checks its arguments: faces and engines pass legal actions only. In a view, hands of
others are unknown: they have no legal actions, and the pips they hold count as none.
"""

import numpy as np
from numpy import int64

from games.dominoes import tiles
from games.dominoes.state import *  # noqa: F403 - the layout's names are this file's vocabulary

OVER_RULES = ("policies",)

round_end = part("round_end")
dealing = part("dealing")
paper_belief = part("paper_belief")
past_beliefs = part("past_beliefs")
opponent_model = part("opponent_model")
worlds = part("worlds")
double_dummy = part("double_dummy")
imperfect_minimax = part("imperfect_minimax")
playout_policy = part("playout_policy")
determinization = part("determinization")
epimc = part("epimc")
ismcts = part("ismcts")

ALL, SUIT, FIRST, SECOND, PIPS = tiles.ALL, tiles.SUIT, tiles.FIRST, tiles.SECOND, tiles.PIPS
DOUBLES, NUM_TILES, HAND_SIZE = tiles.DOUBLES, tiles.NUM_TILES, tiles.HAND_SIZE
TILE_66 = tiles.INDEX[6, 6]


# ---------------------------------------------------------------- start and chance
@kernel
def init(s, num_seats, options):
    """Set up a match in a zeroed state. options: int32[NUM_OPTIONS], see `house_rules.codes`."""
    for k in range(NUM_OPTIONS):
        s[RULES + k] = options[k]
    s[PLAYER] = -1
    s[LEFT] = -1
    s[RIGHT] = -1
    s[UNPLAYED] = ALL
    s[TO_DRAW] = int64(options[FIRST_OPENER - RULES] == 2)


@kernel
def num_seats(s):
    return int64(MAX_SEATS)


@kernel
def current_player(s):
    return int64(s[PLAYER])


@kernel
def undealt(s):
    """Tiles that no seat has been dealt in this round, before the last hand is."""
    left = int64(ALL)
    for seat in range(s[NUM_DEALT]):
        left &= ~int64(s[HAND + seat])
    return left


@kernel
def sample_chance(s, r):
    """A seat where the opener is drawn, else a hand: any seven of the tiles not dealt."""
    if s[TO_DRAW]:
        return rng.below(r, int64(MAX_SEATS))
    left, hand, wanted = undealt(s), int64(0), int64(HAND_SIZE)
    n = int64(bits.popcount(left))
    while wanted:
        if rng.below(r, n) < wanted:
            hand |= left & -left
            wanted -= 1
        left &= left - 1
        n -= 1
    return hand


@kernel
def clear_table(s, j):
    """Before the first hand of a round: an empty table, nothing known."""
    if s[REDEALS] == 0:
        journal.write(s, ROUND, s[ROUND] + 1, j)
        for turn in range(s[NUM_TURNS]):
            journal.write(s, LOG + turn, 0, j)
        for word in (NUM_TURNS, NUM_LAID, PASSES, MUST_OPEN, BONUS, BONUS + 1):
            journal.write(s, word, 0, j)
        journal.write(s, LEFT, -1, j)
        journal.write(s, RIGHT, -1, j)
        journal.write(s, UNPLAYED, ALL, j)
    for word in range(HAND, CREDIT):
        journal.write(s, word, 0, j)


@kernel
def give(s, seat, hand, j):
    journal.write(s, HAND + seat, hand, j)
    journal.write(s, COUNT + seat, HAND_SIZE, j)


@kernel
def most_doubles(s):
    """Doubles in the hand with the most of them, and whose it is."""
    most, whose = int64(0), int64(0)
    for seat in range(MAX_SEATS):
        doubles = int64(bits.popcount(int64(s[HAND + seat]) & DOUBLES))
        if doubles > most:
            most, whose = doubles, int64(seat)
    return most, whose


@kernel
def holder(s, tile):
    """Seat whose hand has a tile."""
    for seat in range(MAX_SEATS):
        if int64(s[HAND + seat]) >> tile & 1:
            return int64(seat)
    return int64(-1)


@kernel
def start_play(s, j):
    """All hands are dealt: who opens, and with what."""
    journal.write(s, NUM_DEALT, MAX_SEATS, j)
    opener = int64(s[OPENER]) if s[ROUND] == 1 else int64(s[COMING_OPENER])
    if s[ROUND] == 1 and s[FIRST_OPENER] < 2:
        opener = holder(s, TILE_66)
        if s[FIRST_OPENER] == 0:
            journal.write(s, MUST_OPEN, TILE_66 + 1, j)
    journal.write(s, OPENER, opener, j)
    journal.write(s, REDEALS, 0, j)
    journal.write(s, PLAYER, opener, j)
    if s[NEXT_OPENER] == 3:
        journal.write(s, MAY_HAND_OVER, int64(s[ROUND] > 1 and s[WINNER] > 0), j)


@kernel
def end_deal(s, j):
    """The last hand is dealt: play, a new deal, or a round that is won at once."""
    if s[MANY_DOUBLES]:
        doubles, seat = most_doubles(s)
        if s[MANY_DOUBLES] == 1 and doubles >= 5:
            journal.write(s, NUM_DEALT, 0, j)
            journal.write(s, REDEALS, s[REDEALS] + 1, j)
            return
        if s[MANY_DOUBLES] == 2 and doubles >= 4:
            start_play(s, j)
            round_end.end_dealt(s, seat, j)
            return
    start_play(s, j)


@kernel
def deal(s, hand, j):
    """The next seat is dealt a hand; the fourth gets what is left."""
    n = int64(s[NUM_DEALT])
    if n == 0:
        clear_table(s, j)
    give(s, n, hand, j)
    journal.write(s, NUM_DEALT, n + 1, j)
    if n == MAX_SEATS - 2:
        give(s, MAX_SEATS - 1, undealt(s), j)
        end_deal(s, j)


@kernel
def draw(s, outcome, j):
    if s[TO_DRAW]:
        journal.write(s, TO_DRAW, 0, j)
        journal.write(s, OPENER, outcome, j)
    else:
        deal(s, outcome, j)


@kernel
def settle(s, r, j):
    """Draw and apply chance until a seat is on turn or the match is over, as `sample_chance` would."""
    while s[PLAYER] == -1:
        if s[TO_DRAW] or s[NUM_DEALT]:
            draw(s, sample_chance(s, r), j)
            continue
        a, b, c = dealing.four_hands(r)
        clear_table(s, j)
        give(s, 0, a, j)
        give(s, 1, b, j)
        give(s, 2, c, j)
        give(s, 3, ALL & ~(a | b | c), j)
        end_deal(s, j)


# ---------------------------------------------------------------- actions
@inlined_kernel
def fitting(s, seat):
    """Tiles of a hand that may be laid; none where the hand is unknown."""
    hand = int64(s[HAND + seat])
    if hand < 0:
        return int64(0)
    if s[LEFT] >= 0:
        return hand & (SUIT[s[LEFT]] | SUIT[s[RIGHT]])
    return int64(1) << (s[MUST_OPEN] - 1) if s[MUST_OPEN] else hand


@inlined_kernel
def fits_both(s, fit):
    """The tile of a set that may go to either end as two different actions; none: -1."""
    left, right = int64(s[LEFT]), int64(s[RIGHT])
    if left >= 0 and left != right:
        both = fit & SUIT[left] & SUIT[right]
        if both:
            return int64(bits.lowest_bit(both))
    return int64(-1)


@inlined_kernel
def side_of(s, tile):
    """Side where a tile that fits goes: the left end where it can, else the right one."""
    if s[LEFT] < 0 or SUIT[s[LEFT]] >> tile & 1:
        return int64(LEFT_SIDE)
    return int64(RIGHT_SIDE)


@kernel
def may_pass(s, fit):
    """Whether the seat on turn may pass, fit being its tiles that may be laid; the opener may not."""
    return s[LEFT] >= 0 and s[HAND + s[PLAYER]] >= 0 and (fit == 0 or s[ENFORCE_PASS] == 0)


@kernel
def last_passer(s):
    """The seat whose pass is the latest that can be called; -1: none."""
    latest, whose = int64(0), int64(-1)
    for seat in range(MAX_SEATS):
        if s[PASSED_AT + seat] > max(latest, int64(s[CALLED_AT + seat])):
            latest, whose = int64(s[PASSED_AT + seat]), int64(seat)
    return whose


@kernel
def may_call(s, accused):
    """Whether the seat on turn may say that another one passed wrongly."""
    seat = s[PLAYER]
    if s[ENFORCE_PASS] or s[HAND + seat] < 0 or accused == seat or s[PASSED_AT + accused] <= s[CALLED_AT + accused]:
        return False
    if s[CALL_SCOPE] == 1 and last_passer(s) != accused:
        return False
    return s[CALL_SCOPE] == 2 or (accused ^ seat) & 1 == 1


@kernel
def legal_actions(s, out):
    """Tiles in their order, left end first; a pass; calls by seat; the partner opens."""
    n = int64(0)
    if s[PLAYER] < 0:
        return n
    fit = fitting(s, s[PLAYER])
    both, rest = fits_both(s, fit), fit
    while rest:
        tile = int64(bits.lowest_bit(rest))
        out[n] = 2 * tile + side_of(s, tile)
        n += 1
        if tile == both:
            out[n] = 2 * tile + RIGHT_SIDE
            n += 1
        rest &= rest - 1
    if may_pass(s, fit):
        out[n] = PASS
        n += 1
    if s[ENFORCE_PASS] == 0:
        for accused in range(MAX_SEATS):
            if may_call(s, accused):
                out[n] = CALL + accused
                n += 1
    if s[MAY_HAND_OVER] and fit:
        out[n] = HAND_OVER
        n += 1
    return n


@kernel
def is_legal(s, action):
    """Whether an action, or at a chance node an outcome, is possible now; action: 0 or more."""
    if action < 0 or s[PLAYER] == -2:
        return False
    if s[PLAYER] == -1:
        if s[TO_DRAW]:
            return action < MAX_SEATS
        return bits.popcount(int64(action)) == HAND_SIZE and int64(action) & ~undealt(s) == 0
    fit = fitting(s, s[PLAYER])
    if action < PASS:
        tile = int64(action) >> 1
        if fit >> tile & 1 == 0:
            return False
        return action & 1 == side_of(s, tile) or tile == fits_both(s, fit)
    if action == PASS:
        return may_pass(s, fit)
    if action < HAND_OVER:
        return may_call(s, action - CALL)
    return action == HAND_OVER and s[MAY_HAND_OVER] == 1 and fit != 0


@inlined_kernel
def note(s, action, j):
    """Write a turn down, with the ends before it."""
    n, seat = int64(s[NUM_TURNS]), int64(s[PLAYER])
    word = action | seat << LOG_SEAT | (int64(s[LEFT]) + 1) << LOG_LEFT | (int64(s[RIGHT]) + 1) << LOG_RIGHT
    journal.write(s, LOG + n, word, j)
    journal.write(s, NUM_TURNS, n + 1, j)


@inlined_kernel
def next_turn(s, j):
    """The seat after is on turn; a round of too many turns is a block."""
    if s[NUM_TURNS] == MAX_TURNS:
        round_end.end_block(s, j)
    else:
        journal.write(s, PLAYER, (s[PLAYER] + 1) & 3, j)


@inlined_kernel
def lay(s, action, j):
    """Lay a tile at an end."""
    seat, tile = int64(s[PLAYER]), action >> 1
    left, right, bit = int64(s[LEFT]), int64(s[RIGHT]), int64(1) << tile
    note(s, action, j)
    if left < 0:
        journal.write(s, LEFT, FIRST[tile], j)
        journal.write(s, RIGHT, SECOND[tile], j)
        if s[MAY_HAND_OVER]:
            journal.write(s, MAY_HAND_OVER, 0, j)
    elif action & 1 == LEFT_SIDE:
        journal.write(s, LEFT, FIRST[tile] + SECOND[tile] - left, j)
    else:
        journal.write(s, RIGHT, FIRST[tile] + SECOND[tile] - right, j)
    count, unplayed = int64(s[COUNT + seat]) - 1, int64(s[UNPLAYED]) & ~bit
    tally = TILE_PIPS + 7 * seat + HAND_SIZE - 1 - count
    journal.write(s, tally, s[tally] + PIPS[tile], j)
    journal.write(s, HAND + seat, s[HAND + seat] & ~bit, j)
    journal.write(s, COUNT + seat, count, j)
    journal.write(s, UNPLAYED, unplayed, j)
    journal.write(s, NUM_LAID, s[NUM_LAID] + 1, j)
    journal.write(s, LAST_LAYER, seat, j)
    journal.write(s, PASSES, 0, j)
    if count == 0:
        round_end.end_out(s, tile, left, right, j)
    elif s[BLOCK_END] == 0 and unplayed & (SUIT[s[LEFT]] | SUIT[s[RIGHT]]) == 0:
        round_end.end_block(s, j)
    else:
        next_turn(s, j)


@kernel
def pay_for_pass(s, passes, j):
    """Bonuses of a pass, the passes-th after the last tile."""
    layer = int64(s[LAST_LAYER])
    if passes == 3:
        round_end.add_bonus(s, layer & 1, int64(s[ALL_PASS_BONUS]), j)
    if passes == 1 and s[NUM_LAID] == 1:
        doubled = 1 if s[LEFT] == s[RIGHT] else 2
        round_end.add_bonus(s, layer & 1, doubled * int64(s[OPENING_PASS_BONUS]), j)


@inlined_kernel
def pass_turn(s, j):
    """Pass: the seat is known to lack both end numbers, if it passes rightly."""
    seat, layer, passes = int64(s[PLAYER]), int64(s[LAST_LAYER]), int64(s[PASSES]) + 1
    note(s, int64(PASS), j)
    journal.write(s, LACKS + seat, s[LACKS + seat] | 1 << s[LEFT] | 1 << s[RIGHT], j)
    journal.write(s, PASSED_AT + seat, s[NUM_TURNS], j)
    journal.write(s, PASSES, passes, j)
    journal.write(s, PASSED + seat, s[PASSED + seat] + 1, j)
    if seat != layer:
        tally = FORCED + layer if (seat ^ layer) & 1 else FORCED_PARTNER + layer
        journal.write(s, tally, s[tally] + 1, j)
    pay_for_pass(s, passes, j)
    if round_end.ends_by_passing(s, passes):
        round_end.end_block(s, j)
    else:
        next_turn(s, j)


# ---------------------------------------------------------------- calls
@kernel
def has_passed_wrongly(s, accused):
    """Whether a pass that may be called was wrong, by the hand that the seat had then.

    Reads the turns backwards: what the seat has laid since was in its hand before.
    """
    hand, last = int64(s[HAND + accused]), int64(s[NUM_TURNS]) - 1
    if hand < 0:
        return False
    for turn in range(last, s[CALLED_AT + accused] - 1, -1):
        word = int64(s[LOG + turn])
        action, left, right = word & 63, (word >> LOG_LEFT & 7) - 1, (word >> LOG_RIGHT & 7) - 1
        if word >> LOG_SEAT & 3 != accused:
            continue
        if action < PASS:
            hand |= int64(1) << (action >> 1)
        elif action == PASS:
            if hand & (SUIT[left] | SUIT[right]):
                return True
            if s[CALL_SCOPE] == 1:
                return False
    return False


@kernel
def call(s, accused, j):
    """Say that a seat passed wrongly; the dealt hands decide, and all are told."""
    caller = int64(s[PLAYER])
    is_right = has_passed_wrongly(s, accused)
    note(s, CALL + accused | (LOG_UPHELD if is_right else 0), j)
    if s[FOUL] != 2 and (is_right or s[WRONG_CALL] == 0):
        round_end.end_foul(s, accused if is_right else caller, caller, j)
        return
    journal.write(s, CALLED_AT + accused, s[NUM_TURNS] - 1, j)
    if s[NUM_TURNS] == MAX_TURNS:
        round_end.end_block(s, j)


@kernel
def hand_over(s, j):
    """The opener lets the partner open."""
    partner = int64(s[PLAYER]) ^ 2
    note(s, int64(HAND_OVER), j)
    journal.write(s, MAY_HAND_OVER, 0, j)
    journal.write(s, OPENER, partner, j)
    journal.write(s, PLAYER, partner, j)


@kernel
def apply(s, action, j):
    """Play an action, or at a chance node apply an outcome."""
    number = int64(action)
    if s[PLAYER] == -1:
        draw(s, number, j)
    elif number < PASS:
        lay(s, number, j)
    elif number == PASS:
        pass_turn(s, j)
    elif number == HAND_OVER:
        hand_over(s, j)
    else:
        call(s, number - CALL, j)


# ---------------------------------------------------------------- results and identity
@kernel
def scores(s, out):
    """Points of each seat's team: for it, or against it and then below zero (option `direction`)."""
    for seat in range(MAX_SEATS):
        team = seat & 1
        out[seat] = s[CREDIT + team] if s[DIRECTION] else -s[CREDIT + 1 - team]


@kernel
def projected(s, out):
    """The same: a round that has not ended has no points, and hands are hidden."""
    scores(s, out)


@kernel
def turns_hash(s):
    """64-bit hash of the turns of this round."""
    h = np.uint64(s[NUM_TURNS])
    for turn in range(s[NUM_TURNS]):
        h = rng.mix2(h, np.uint64(s[LOG + turn]))
    return h


@kernel
def key(s):
    """64-bit hash of the position: hands, ends, turn, points; past turns only where they can be called."""
    h = np.uint64(s[UNPLAYED])
    for word in range(HAND, COUNT + MAX_SEATS):
        h = rng.mix2(h, np.uint64(int64(s[word]) + 1))
    ends = (int64(s[LEFT]) + 1) << 4 | (int64(s[RIGHT]) + 1)
    stands = (int64(s[PLAYER]) + 2) << 16 | int64(s[NUM_DEALT]) << 12 | int64(s[OPENER]) << 8 | ends
    h = rng.mix2(h, np.uint64(stands))
    passes = int64(s[PASSES]) if s[BLOCK_END] else int64(0)
    more = int64(s[MAY_HAND_OVER]) << 2 | int64(s[TO_DRAW]) << 1 | int64(s[MUST_OPEN] > 0)
    h = rng.mix2(h, np.uint64(int64(s[ROUND]) << 16 | int64(s[REDEALS] & 255) << 8 | passes << 3 | more))
    for team in range(NUM_TEAMS):
        h = rng.mix2(h, np.uint64(s[CREDIT + team]))
    if s[ENFORCE_PASS] == 0:
        h = rng.mix2(h, turns_hash(s))
        for seat in range(MAX_SEATS):
            h = rng.mix2(h, np.uint64(s[CALLED_AT + seat]))
    return h


# ---------------------------------------------------------------- what seats know
@kernel
def determinize(s, seat, r):
    """Draw anew, in place, what a seat cannot know: the hands of others, all deals alike likely."""
    dealing.determinize(s, seat, r)
