"""The rules of Kingdomino, once: a template of `games.loader` over the layout of `state.py`.

The verbs stand here; `squares`, `placing`, `scoring`, `drafting`, `history` and `tallying` are its parts.
Injected: `kernel`, `part`, `rng`, `bits`, `journal`, JOURNAL. Arrays: s int32[SIZE] (a state, mutated
where a journal is asked for), j int32[:] (journal), r uint64[4] (generator), out int32[:].
Nothing here checks its arguments: faces and engines pass legal actions only. Sets of squares are
uint64 (see `state.py`); numbers are widened with `int64` before they are passed on.
"""

from numpy import int64, uint64

from games.kingdomino.state import *  # noqa: F403 - the layout's names are this file's vocabulary

OVER_RULES = ("policies", "promise", "ordering")
KEYED = 1 + FATE + KINGDOM * MAX_SEATS
"""Words of a key at most."""

board, placing, scoring, drafting = part("squares"), part("placing"), part("scoring"), part("drafting")
NONE, CASTLE, ONE, COLUMNS, ROWS, SPAN = board.NONE, board.CASTLE, board.ONE, board.COLUMNS, board.ROWS, board.SPAN
squares, moved, beside, within = board.squares, board.moved, board.beside, board.within
count, nth = board.count, board.nth
END_TERRAIN, END_CROWNS, IS_EQUAL = placing.END_TERRAIN, placing.END_CROWNS, placing.IS_EQUAL
pairs, unseamed, placements, resolve = placing.pairs, placing.unseamed, placing.placements, placing.resolve
coordinate, seams = placing.coordinate, placing.seams
area_of, scores = scoring.area_of, scoring.scores
middle_points, harmony_points = scoring.middle_points, scoring.harmony_points
is_possible, chance_outcomes, sample_chance = drafting.is_possible, drafting.chance_outcomes, drafting.sample_chance
draw, num_free, nth_free, choices = drafting.draw, drafting.num_free, drafting.nth_free, drafting.choices
look_back, tally = part("history").look_back, part("tallying").tally


@kernel
def init(s, num_seats, options):
    """Set up a match in a zeroed state. options: int32[6], codes of `game.Options`."""
    duel = options[0] == 1
    s[NUM_SEATS] = num_seats
    s[NUM_KINGS] = 3 if num_seats == 3 else 4
    s[LIMIT] = 7 if duel else 5
    s[NUM_ROWS] = 6 if num_seats == 2 and not duel else 12
    s[MUST_PLACE] = options[1]
    s[MIDDLE], s[HARMONY], s[TIES] = options[2], options[3], options[4]
    s[SPARE] = int64(num_seats == 3 and options[5] == 1)
    s[POOL], s[POOL + 1] = (1 << 24) - 1, (1 << 24) - 1
    s[ROUND], s[PLAYER] = 1, -1


@kernel
def num_seats(s):
    return int64(s[NUM_SEATS])


@kernel
def current_player(s):
    """Seat to act, -1 (a king or a domino must be drawn) or -2 (the match is over)."""
    return int64(s[PLAYER])


@kernel
def to_place(s):
    """Index of the domino that the seat on turn places, -1 in round 1."""
    return int64(s[LAST + s[TURN]]) - 1


@kernel
def legal_actions(s, out):
    """Write the actions of the seat on turn to `out`, by placement, then by place in the row."""
    n = int64(0)
    if s[PLAYER] < 0:
        return n
    domino = to_place(s)
    if domino >= 0:
        sets = placements(s, int64(s[PLAYER]), domino)
        for direction in range(4):
            left = sets[direction]
            while left != NONE:
                square = bits.lowest_bit(left)
                left &= left - ONE
                n = choices(s, out, (4 * square + direction) * CHOICES, n)
    if n == 0 or s[MUST_PLACE] == 0:
        n = choices(s, out, int64(NOWHERE * CHOICES), n)
    return n


@kernel
def num_legal(s):
    """Number of legal actions of the seat on turn."""
    domino, ways = to_place(s), int64(0)
    if domino >= 0:
        right, down, left, up = placements(s, int64(s[PLAYER]), domino)
        ways = count(right) + count(down) + count(left) + count(up)
    return (ways + int64(ways == 0 or s[MUST_PLACE] == 0)) * max(num_free(s), int64(1))


@kernel
def is_legal(s, action):
    """Whether an action (any number that is not negative) is legal."""
    if s[PLAYER] < 0:
        return s[PLAYER] == -1 and is_possible(s, action)
    placement, choice = action // CHOICES, action % CHOICES
    if s[NUM_OFFERED] == 0:
        if choice != NOTHING:
            return False
    elif choice >= s[NUM_OFFERED] or s[CLAIM + choice]:
        return False
    domino = to_place(s)
    if placement > NOWHERE or (domino < 0 and placement != NOWHERE):
        return False
    if domino < 0:
        return True
    sets = placements(s, int64(s[PLAYER]), domino)
    if placement == NOWHERE:
        return s[MUST_PLACE] == 0 or (sets[0] | sets[1] | sets[2] | sets[3]) == NONE
    return ((sets[placement & 3] >> uint64(placement >> 2)) & ONE) == ONE


@kernel
def act(s, action, j):
    """The seat on turn places what it chose a round ago, and chooses; the next king is on turn."""
    seat = int64(s[PLAYER])
    placement, choice = action // CHOICES, action % CHOICES
    domino = to_place(s)
    if domino >= 0:
        resolve(s, seat, domino, placement, j)
    if choice != NOTHING:
        chosen = s[ROW + choice] - 1
        journal.write(s, CLAIM + choice, seat + 1, j)
        fate = 1 | (seat << FATE_SEAT) | (int64(s[ROUND]) << FATE_ROUND) | (choice << FATE_PLACE)
        journal.write(s, FATE + chosen, fate, j)
    turn = s[TURN] + 1
    if turn == s[NUM_KINGS]:
        end_round(s, j)
        return
    journal.write(s, TURN, turn, j)
    following = s[ORDER + turn] if s[ROUND] == 1 else s[OWNER + turn]
    journal.write(s, PLAYER, following - 1, j)


@kernel
def end_round(s, j):
    """The row chosen from becomes the row to be placed, what nobody took is left aside; a new one is drawn, if any."""
    journal.write(s, TURN, 0, j)
    if s[ROUND] > s[NUM_ROWS]:
        for i in range(s[NUM_KINGS]):
            journal.write(s, LAST + i, 0, j)
            journal.write(s, OWNER + i, 0, j)
        journal.write(s, PLAYER, -2, j)
        return
    taken = int64(0)
    for i in range(s[NUM_KINGS] + s[SPARE]):
        if s[CLAIM + i]:
            journal.write(s, LAST + taken, s[ROW + i], j)
            journal.write(s, OWNER + taken, s[CLAIM + i], j)
            taken += 1
        else:
            journal.write(s, FATE + s[ROW + i] - 1, (int64(s[ROUND]) << FATE_ROUND) | (i << FATE_PLACE), j)
        journal.write(s, ROW + i, 0, j)
        journal.write(s, CLAIM + i, 0, j)
    journal.write(s, NUM_OFFERED, 0, j)
    journal.write(s, ROUND, s[ROUND] + 1, j)
    journal.write(s, PLAYER, -1 if s[ROUND] <= s[NUM_ROWS] else s[OWNER] - 1, j)


@kernel
def apply(s, action, j):
    """Play an action, or at a chance node an outcome."""
    if s[PLAYER] == -1:
        draw(s, action, j)
    else:
        act(s, action, j)


@kernel
def projected(s, out):
    """Points per seat if the match ended here."""
    scoring.scores_at_end(s, out)


@kernel
def key(s):
    """Hash of the position: kingdoms, draft, pool and whose turn it is, not how they came about."""
    h = uint64(s[NUM_SEATS])
    for i in range(FATE):
        h = rng.mix2(h, uint64(s[i]))
    for i in range(KINGDOMS, KINGDOMS + KINGDOM * s[NUM_SEATS]):
        h = rng.mix2(h, uint64(s[i]))
    return h


@kernel
def keyed(s, out, lane):
    """Write the words that `key` is the chain of into a column; return how many. out: int32[KEYED, lanes]."""
    out[0, lane] = s[NUM_SEATS]
    for i in range(FATE):
        out[1 + i, lane] = s[i]
    n = KINGDOM * int64(s[NUM_SEATS])
    for i in range(n):
        out[1 + FATE + i, lane] = s[KINGDOMS + i]
    return 1 + FATE + n
