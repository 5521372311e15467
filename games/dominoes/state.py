"""Layout of a dominoes state: one flat int32 array, every offset named once.

A set of tiles is an integer with bit i for tile i (`tiles.TILES`). Seats 0 and 2 are team 0,
seats 1 and 3 team 1. A state holds the present round whole (every turn of it) and a line of the
score sheet for each round before. Hands are hidden from the moment they are dealt until the round
ends: in a view the hands of others are UNKNOWN. Between rounds the hands left over lie open.
"""

from __future__ import annotations

MAX_SEATS = 4
NUM_TEAMS = 2
UNKNOWN = -1
MAX_TURNS = 128
"""Turns after which a round ends as a block. Where passing is enforced 113 are the most: 28 tiles,
three passes before each but the first, four at the end (option `block_end`)."""
MAX_ROUNDS = 128
"""Rounds after which a match ends. About 80 are needed where two teams creep to 500 with the
fewest points a round (13 on average)."""

# ---- where the match stands
PLAYER = 0  # seat to act; -1: chance, -2: over
NUM_DEALT = 1  # hands dealt of the round, 4 in play; 0 before the first round and between rounds
LEFT = 2  # number at the left end; UNKNOWN while the table is bare
RIGHT = 3  # number at the right end
UNPLAYED = 4  # set of tiles not on the table
NUM_TURNS = 5  # turns of the round, passes and calls included
NUM_LAID = 6  # tiles on the table
PASSES = 7  # passes since the last tile
ROUND = 8  # 1-based; 0 before the first deal
OPENER = 9  # seat that opens the round, or opened it
MUST_OPEN = 10  # tile the opener has to lay, plus 1; 0: any
TO_DRAW = 11  # 1: the first opener is to be drawn by lot
MAY_HAND_OVER = 12  # 1: the opener may let the partner open (option next_opener=choice)
LAST_LAYER = 13  # seat that laid the last tile
REDEALS = 14  # deals of the coming round that were void
KIND = 15  # how the last round that ended did: OUT, BLOCK, FOUL, DOUBLES; 0: none has
WINNER = 16  # its winning team + 1, 0: none
COMING_OPENER = 17  # who opens the coming round, where the last one decides it
HAND = 20  # [seat] set of tiles, UNKNOWN in a view
COUNT = HAND + MAX_SEATS  # [seat] tiles held
LACKS = COUNT + MAX_SEATS  # [seat] set of numbers passed on in this round (bit n)
PASSED_AT = LACKS + MAX_SEATS  # [seat] turn (1-based) of its last pass in this round, 0: none
CALLED_AT = PASSED_AT + MAX_SEATS  # [seat] its passes up to this turn have been called in vain
CREDIT = CALLED_AT + MAX_SEATS  # [team] points in favour of the team, on either score sheet
BONUS = CREDIT + NUM_TEAMS  # [team] of these, bonuses of the present round

# ---- options, by code (`house_rules.CODES`)
RULES = BONUS + NUM_TEAMS
(
    LENGTH,
    DIRECTION,
    TARGET,
    FIRST_OPENER,
    NEXT_OPENER,
    OUT_POINTS,
    BLOCK_POINTS,
    BLOCK_COMPARE,
    BLOCK_TIE,
    BLOCK_END,
    ENFORCE_PASS,
    FOUL,
    FOUL_POINTS,
    CALL_SCOPE,
    WRONG_CALL,
    CAPICUA,
    CAPICUA_ENDS,
    CHUCHAZO,
    ALL_PASS_BONUS,
    OPENING_PASS_BONUS,
    FIRST_ROUNDS_BONUS,
    ZAPATO,
    MANY_DOUBLES,
) = range(RULES, RULES + 23)
NUM_OPTIONS = 23

# ---- tallies over the match, for metrics
TILE_PIPS = RULES + NUM_OPTIONS  # [seat][n] pips laid as the own n-th tile of a round
PASSED = TILE_PIPS + 7 * MAX_SEATS  # [seat] passes
FORCED = PASSED + MAX_SEATS  # [seat] passes of opponents with this seat's tile the last one laid
FORCED_PARTNER = FORCED + MAX_SEATS  # [seat] passes of the partner, likewise

# ---- what was left of the last round that ended
LAST_HAND = FORCED_PARTNER + MAX_SEATS  # [seat] set of tiles
LAST_TURN = LAST_HAND + MAX_SEATS  # last turn of the last round that ended after one, as in LOG

# ---- the turns of the present round
LOG = LAST_TURN + 1  # [turn] action | seat << LOG_SEAT | (end + 1) << LOG_LEFT, LOG_RIGHT | LOG_UPHELD
LOG_SEAT, LOG_LEFT, LOG_RIGHT = 6, 8, 11
# ends as they were before the turn; 0: the table was bare
LOG_UPHELD = 1 << 14
"""Mark of a call: the pass was wrong."""

# ---- the score sheet, SHEET_LINE words a round
SHEET = LOG + MAX_TURNS
FACTS, SHEET_PIPS, POINTS, BONUS_0, BONUS_1 = range(5)
SHEET_LINE = 5
# facts: kind (3 bits), winner + 1 (2), opener (2), seat that ended it (2), capicua (1), chuchazo (1),
# turns (8), caller (2); pips: of each seat's hand (7 bits each); points: to the winner, without
# bonuses; bonuses of either team
F_WINNER, F_OPENER, F_SEAT, F_CAPICUA, F_CHUCHAZO, F_TURNS, F_CALLER = 3, 5, 7, 9, 10, 11, 19
SIZE = SHEET + SHEET_LINE * MAX_ROUNDS

OUT, BLOCK, FOUL_END, DOUBLES_END = 1, 2, 3, 4
"""Ends of a round: somebody went out, nobody can lay, a call, four doubles in one hand."""

# ---- actions: 2 * tile + side, or one of these
LEFT_SIDE, RIGHT_SIDE = 0, 1
PASS = 56
CALL = 57  # + the seat accused
HAND_OVER = 61
NUM_ACTIONS = 62
MAX_ACTIONS = 12
"""Bound: seven tiles, one of them at either end (only the tile with both end numbers can be), a
pass, three seats to accuse; the opener's seven tiles and handing over are fewer."""

# ---- outcomes: the set of tiles that the next seat is dealt, or the seat that opens
