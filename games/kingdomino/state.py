"""Layout of a Kingdomino state: one flat int32 array, every offset named once.

A kingdom is sets of squares, one for each terrain and one for each number of crowns, as bits of
64-bit numbers (two words, the lower first). Square (x, y), x east and y south of the castle, is
bit 8 (y mod 8) + (x mod 8): a board of 8 x 8 squares that ends meet. A kingdom of up to 7 x 7 and
the squares beside it never meet themselves there; the one place where two squares beside it would
(a kingdom six wide, in a limit of seven) is cut out by the placement masks (`placing.placements`).
"""

from __future__ import annotations

from games.kingdomino import dominoes

MAX_SEATS = 4
MAX_KINGS = 4
NUM_DOMINOES = dominoes.NUM_DOMINOES
NUM_TERRAINS = len(dominoes.TERRAINS)

# ---- where the match stands
PLAYER = 0  # seat to act; -1: chance, -2: over
ROUND = 1  # 1-based; in the last one nothing is chosen
TURN = 2  # plies of this round that have been played
NUM_ORDERED = 3  # kings drawn for the order of round 1
NUM_OFFERED = 4  # dominoes in the row on offer
POOL = 5  # two words: bits of dominoes 1 to 24 and 25 to 48 not yet drawn

# ---- what never changes
NUM_SEATS = 7
NUM_KINGS = 8  # of all seats together
NUM_ROWS = 9  # rows drawn in a match
LIMIT = 10  # rows and columns of a kingdom at most: 5 or 7
MUST_PLACE = 11  # 0: a domino that fits may be discarded all the same
MIDDLE = 12  # 0 reach, 1 bbox, 2 full, 3 off, 4 book
HARMONY = 13  # 0 full, 1 nodiscard, 2 off
TIES = 14  # 0 equal points share a place, 1 official tie-breaks
SPARE = 15  # dominoes of a row that no king takes, so that are left aside: 0 or 1

# ---- the draft, MAX_KINGS words each, in ascending order of the dominoes
ORDER = 16  # seat + 1 of the king that chooses then, in round 1
ROW = ORDER + MAX_KINGS  # dominoes on offer (number)
CLAIM = ROW + MAX_KINGS  # seat + 1 whose king stands there, 0: free
LAST = CLAIM + MAX_KINGS  # dominoes of the row before, to be placed in this order
OWNER = LAST + MAX_KINGS  # seat + 1 that placed, or places, it

# ---- per domino (index = number - 1): what has become of it, for pictures and metrics
FATE = OWNER + MAX_KINGS
CLAIMED, FATE_SEAT, FATE_ROUND, FATE_PLACE, FATE_STATE, FATE_CELL, FATE_TURN = 0, 1, 3, 7, 9, 11, 17
# shifts within the word: bit "claimed"; seat (2 bits); round of the claim (4); place in the row
# (2); state (2: 0 waits, 1 placed, 2 discarded); square of end a (6); direction to end b (2).
# One that was left aside has its round and place, and no other bit
WAITS, PLACED, DISCARDED = 0, 1, 2

# ---- per seat: KINGDOM words from KINGDOMS + KINGDOM * seat on
KINGDOMS = FATE + NUM_DOMINOES
TERRAIN = 0  # two words for each terrain
CROWNED = TERRAIN + 2 * NUM_TERRAINS  # two words each: squares with at least 1, 2, 3 crowns
WEST = CROWNED + 2 * dominoes.MAX_CROWNS  # least x, castle included, so at most 0
EAST, NORTH, SOUTH = WEST + 1, WEST + 2, WEST + 3
DISCARDS = WEST + 4
KINGDOM = WEST + 5
SIZE = KINGDOMS + KINGDOM * MAX_SEATS

# ---- actions: (8 * 8 squares x 4 directions, or NOWHERE) x (place in the row, or NOTHING)
RIGHT, DOWN, LEFT, UP = range(4)
NOWHERE = 256
NOTHING = MAX_KINGS
CHOICES = MAX_KINGS + 1
MAX_ACTIONS = (NOWHERE + 1) * MAX_KINGS
"""Bound: every square, every direction, or no placement, with every place of the row.

Action = placement * CHOICES + choice, placement = 4 * square of end a + direction to end b.
"""

# ---- outcomes: a domino's index, or KING + seat while the kings are drawn
KING = NUM_DOMINOES
