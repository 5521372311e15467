"""The rules of Kingdomino, once: a template of `games.loader` over the layout of `state.py`.

Injected: `kernel`, `rng`, `bits`, `journal`, JOURNAL. Arrays: s int32[SIZE] (a state, mutated
where a journal is asked for), j int32[:] (journal), r uint64[4] (generator), out int32[:].
Nothing here checks its arguments: faces and engines pass legal actions only. Sets of squares are
uint64 (see `state.py`); numbers are widened with `int64` before they are passed on.
"""

import numpy as np
from numpy import int64, uint64

from games.kingdomino import dominoes
from games.kingdomino.state import *  # noqa: F403 - the layout's names are this file's vocabulary

T = dominoes.load()
END_TERRAIN, END_CROWNS, IS_EQUAL = T.terrain, T.crowns, T.is_equal
NONE, ALL, CASTLE = uint64(0), uint64(0xFFFFFFFFFFFFFFFF), uint64(1)
HALF = uint64(0xFFFFFFFF)
WEST_COLUMN, EAST_COLUMN = uint64(0x0101010101010101), uint64(0x8080808080808080)
_1, _7, _8, _32, _56 = uint64(1), uint64(7), uint64(8), uint64(32), uint64(56)
SPAN = 9  # coordinates of a domino's squares lie between -SPAN and SPAN


def _lines(line):
    """[from + SPAN, to + SPAN] -> the squares of these rows or columns; all where they are 8 or more."""
    table = np.zeros((2 * SPAN + 1, 2 * SPAN + 1), np.uint64)
    for first in range(-SPAN, SPAN + 1):
        for last in range(first, SPAN + 1):
            squares = 0
            for k in range(first, last + 1):
                squares |= line(k % 8)
            table[first + SPAN, last + SPAN] = squares
    return table


COLUMNS = _lines(lambda k: 0x0101010101010101 << k)
ROWS = _lines(lambda k: 0xFF << (8 * k))


# ---------------------------------------------------------------- sets of squares
@kernel
def squares(s, at):
    """The set whose two words begin at `at`."""
    return (uint64(s[at]) & HALF) | (uint64(s[at + 1]) << _32)


@kernel
def put(s, at, value, j):
    """Store a set in two words."""
    low, high = int64(value & HALF), int64(value >> _32)
    journal.write(s, at, low - ((low >> 31) << 32), j)
    journal.write(s, at + 1, high - ((high >> 31) << 32), j)


@kernel
def moved(m, direction):
    """The set one square further in a direction."""
    if direction == RIGHT:
        return ((m << _1) & ~WEST_COLUMN) | ((m >> _7) & WEST_COLUMN)
    if direction == LEFT:
        return ((m >> _1) & ~EAST_COLUMN) | ((m << _7) & EAST_COLUMN)
    if direction == DOWN:
        return (m << _8) | (m >> _56)
    return (m >> _8) | (m << _56)


@kernel
def beside(m):
    """The squares next to a set, its own among them where they are neighbours."""
    return moved(m, RIGHT) | moved(m, LEFT) | moved(m, DOWN) | moved(m, UP)


@kernel
def occupied(s, seat):
    """All squares of a kingdom, the castle included."""
    k = KINGDOMS + KINGDOM * seat
    filled = CASTLE
    for t in range(NUM_TERRAINS):
        filled |= squares(s, k + 2 * t)
    return filled


@kernel
def nth(m, n):
    """Index of the n-th lowest square of a set."""
    for _ in range(n):
        m &= m - _1
    return bits.lowest_bit(m)


@kernel
def coordinate(line, low, high, limit, step):
    """Column (row) of a square that a domino may cover, from its line on the board of 8.

    low, high: bounds of the kingdom; step: towards the domino's other end along this axis.
    Beside a kingdom five wide, in a limit of seven, the second lines at both sides are one line
    of the board: which of them is meant shows in the step, for the other end is nearer.
    """
    first = max(high - limit + 1, low - 2)
    if limit == 7 and high - low == 4 and step < 0 and ((line - first) & 7) == 0:
        return high + 2
    return ((line - first) & 7) + first


# ---------------------------------------------------------------- placing
@kernel
def within(limit, west, east, north, south):
    """Squares that keep a kingdom with these bounds within its limit."""
    columns = COLUMNS[max(east - limit + 1, -SPAN) + SPAN, min(west + limit - 1, SPAN) + SPAN]
    return columns & ROWS[max(south - limit + 1, -SPAN) + SPAN, min(north + limit - 1, SPAN) + SPAN]


@kernel
def pairs(empty, touching_a, touching_b, is_equal):
    """Where end a of a domino may lie, end b to the right of it, below, left, above: four sets.

    Both ends lie on empty squares, one at least where its own set of touching squares says. A
    domino with equal ends has its end a to the left or above.
    """
    right = empty & moved(empty, LEFT) & (touching_a | moved(touching_b, LEFT))
    down = empty & moved(empty, UP) & (touching_a | moved(touching_b, UP))
    if is_equal:
        return right, down, NONE, NONE
    left = empty & moved(empty, RIGHT) & (touching_a | moved(touching_b, RIGHT))
    up = empty & moved(empty, DOWN) & (touching_a | moved(touching_b, DOWN))
    return right, down, left, up


@kernel
def unseamed(sets, limit, west, east, north, south):
    """Placements less those across lines that are neighbours on the board of 8 lines alone.

    A kingdom six wide, in a limit of seven, has one line free at each side: these two meet.
    """
    right, down, left, up = sets
    if limit == 7:
        if east - west == 5:
            right &= ~COLUMNS[east + 1 + SPAN, east + 1 + SPAN]
            left &= ~COLUMNS[west - 1 + SPAN, west - 1 + SPAN]
        if south - north == 5:
            down &= ~ROWS[south + 1 + SPAN, south + 1 + SPAN]
            up &= ~ROWS[north - 1 + SPAN, north - 1 + SPAN]
    return right, down, left, up


@kernel
def placements(s, seat, domino):
    """Where a domino may be placed in a kingdom: four sets, as `pairs`.

    One end at least lies beside the castle or its own terrain, and the kingdom keeps its limit.
    """
    k, limit = KINGDOMS + KINGDOM * seat, int64(s[LIMIT])
    west, east, north, south = int64(s[k + WEST]), int64(s[k + EAST]), int64(s[k + NORTH]), int64(s[k + SOUTH])
    empty = within(limit, west, east, north, south) & ~occupied(s, seat)
    touching_a = beside(squares(s, k + 2 * END_TERRAIN[2 * domino]) | CASTLE)
    touching_b = beside(squares(s, k + 2 * END_TERRAIN[2 * domino + 1]) | CASTLE)
    sets = pairs(empty, touching_a, touching_b, IS_EQUAL[domino])
    return unseamed(sets, limit, west, east, north, south)


@kernel
def count(m):
    """Squares of a set."""
    return bits.popcount(m)


@kernel
def add_square(s, k, domino, end, square, j):
    """Lay one end of a domino on a square."""
    here = _1 << uint64(square)
    at = k + TERRAIN + 2 * END_TERRAIN[2 * domino + end]
    put(s, at, squares(s, at) | here, j)
    for level in range(END_CROWNS[2 * domino + end]):
        at = k + CROWNED + 2 * level
        put(s, at, squares(s, at) | here, j)


@kernel
def stretch(s, k, x, y, j):
    """Let the kingdom's bounds hold a square."""
    if x < s[k + WEST]:
        journal.write(s, k + WEST, x, j)
    if x > s[k + EAST]:
        journal.write(s, k + EAST, x, j)
    if y < s[k + NORTH]:
        journal.write(s, k + NORTH, y, j)
    if y > s[k + SOUTH]:
        journal.write(s, k + SOUTH, y, j)


@kernel
def place(s, seat, domino, placement, j):
    """Lay a domino in a kingdom."""
    k = KINGDOMS + KINGDOM * seat
    square, direction = placement >> 2, placement & 3
    dx = int64(direction == RIGHT) - int64(direction == LEFT)
    dy = int64(direction == DOWN) - int64(direction == UP)
    limit = int64(s[LIMIT])
    x = coordinate(square & 7, int64(s[k + WEST]), int64(s[k + EAST]), limit, dx)
    y = coordinate(square >> 3, int64(s[k + NORTH]), int64(s[k + SOUTH]), limit, dy)
    add_square(s, k, domino, 0, square, j)
    add_square(s, k, domino, 1, 8 * ((y + dy) & 7) + ((x + dx) & 7), j)
    stretch(s, k, x, y, j)
    stretch(s, k, x + dx, y + dy, j)


# ---------------------------------------------------------------- points
@kernel
def area_of(seed, land):
    """All squares of `land` that hang together with those of `seed`."""
    while True:
        grown = (seed | beside(seed)) & land
        if grown == seed:
            return grown
        seed = grown


@kernel
def area_points(s, k):
    """Squares times crowns, over all areas of a kingdom."""
    crowned = squares(s, k + CROWNED)
    if crowned == NONE:
        return int64(0)
    two, three = squares(s, k + CROWNED + 2), squares(s, k + CROWNED + 4)
    points = int64(0)
    for t in range(NUM_TERRAINS):
        land = squares(s, k + 2 * t)
        seeds = land & crowned
        while seeds != NONE:
            area = area_of(seeds & (~seeds + _1), land)
            seeds &= ~area
            points += count(area) * (count(area & crowned) + count(area & two) + count(area & three))
    return points


@kernel
def num_squares(s, seat):
    """Squares of a kingdom, the castle included."""
    return count(occupied(s, seat))


@kernel
def middle_points(s, k, seat):
    """Middle Kingdom: 10 points while the castle is in the middle (option `middle`)."""
    mode, reach = s[MIDDLE], s[LIMIT] // 2
    if mode == 3:
        return int64(0)
    west, east, north, south = -s[k + WEST], s[k + EAST], -s[k + NORTH], s[k + SOUTH]
    if mode == 0:
        fits = west <= reach and east <= reach and north <= reach and south <= reach
    else:
        fits = west == east and north == south
        if mode == 2:
            fits = fits and num_squares(s, seat) == s[LIMIT] * s[LIMIT]
    return int64(10) if fits else int64(0)


@kernel
def harmony_points(s, k, seat):
    """Harmony: 5 points for a full kingdom (option `harmony`), or once it can lose no domino any more."""
    mode = s[HARMONY]
    if mode == 2:
        return int64(0)
    if mode == 1:
        return int64(5) if s[PLAYER] == -2 and s[k + DISCARDS] == 0 else int64(0)
    return int64(5) if num_squares(s, seat) == s[LIMIT] * s[LIMIT] else int64(0)


@kernel
def scores(s, out):
    """Points per seat as the kingdoms stand."""
    for seat in range(s[NUM_SEATS]):
        k = KINGDOMS + KINGDOM * seat
        out[seat] = area_points(s, k) + middle_points(s, k, seat) + harmony_points(s, k, seat)


# ---------------------------------------------------------------- a match looked back at
@kernel
def domino_of(s, round_, place_):
    """Index of the domino chosen in a round from a place of its row, -1 where none was (yet)."""
    wanted = 1 | (round_ << FATE_ROUND) | (place_ << FATE_PLACE)
    mask = 1 | (15 << FATE_ROUND) | (3 << FATE_PLACE)
    for domino in range(NUM_DOMINOES):
        if s[FATE + domino] & mask == wanted:
            return int64(domino)
    return int64(-1)


@allocating_kernel
def look_back(s, out):
    """Of each round and seat of a match that is over: points after it, and what could be done in it.

    out: int64[rounds, MAX_SEATS, 4], zeros: points; legal actions of the seat's plies, summed; the
    same with dominoes of equal ends counted turned round, too; plies.
    """
    past, unused = np.zeros(SIZE, np.int32), np.ones(SIZE * 2 if JOURNAL else 1, np.int32)
    points = np.zeros(MAX_SEATS, np.int64)
    for i in range(NUM_SEATS, ORDER):
        past[i] = s[i]
    for round_ in range(1, s[NUM_ROWS] + 2):
        for turn in range(s[NUM_KINGS]):
            choices_ = s[NUM_KINGS] - turn if round_ <= s[NUM_ROWS] else int64(1)
            seat, ways, doubled = int64(s[ORDER + turn]) - 1, int64(1), int64(1)
            if round_ > 1:
                domino = domino_of(s, round_ - 1, turn)
                fate = int64(s[FATE + domino])
                seat = (fate >> FATE_SEAT) & 3
                right, down, left, up = placements(past, seat, domino)
                ways = count(right) + count(down) + count(left) + count(up)
                doubled = 2 * ways if IS_EQUAL[domino] else ways
                settle(past, seat, domino, laid_as(fate), unused)
                journal.reset(unused)
            spare = int64(s[MUST_PLACE] == 0 and round_ > 1)
            out[round_ - 1, seat, 1] += max(ways + spare, 1) * choices_
            out[round_ - 1, seat, 2] += max(doubled + spare, 1) * choices_
            out[round_ - 1, seat, 3] += 1
        past[PLAYER] = -2 if round_ > s[NUM_ROWS] else -1
        scores(past, points)
        for seat in range(s[NUM_SEATS]):
            out[round_ - 1, seat, 0] = points[seat]


@kernel
def laid_as(fate):
    """The placement of a domino that has been placed or discarded."""
    if (fate >> FATE_STATE) & 3 == DISCARDED:
        return int64(NOWHERE)
    return ((fate >> FATE_CELL) & 63) * 4 + ((fate >> FATE_TURN) & 3)


# ---------------------------------------------------------------- the verbs
@kernel
def init(s, num_seats, options):
    """Set up a match in a zeroed state. options: int32[5], codes as in `game.Options`."""
    duel = options[0] == 1
    s[NUM_SEATS] = num_seats
    s[NUM_KINGS] = 3 if num_seats == 3 else 4
    s[LIMIT] = 7 if duel else 5
    s[NUM_ROWS] = 6 if num_seats == 2 and not duel else 12
    s[MUST_PLACE] = options[1] == 0
    s[MIDDLE], s[HARMONY], s[TIES] = options[2], options[3], options[4]
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
def num_free(s):
    """Dominoes on offer that nobody has chosen; none in the last round."""
    return int64(s[NUM_OFFERED] - s[TURN]) if s[NUM_OFFERED] else int64(0)


@kernel
def nth_free(s, n):
    """Place in the row of the n-th domino that is free."""
    for place_ in range(MAX_KINGS):
        if s[ROW + place_] and s[CLAIM + place_] == 0:
            if n == 0:
                return int64(place_)
            n -= 1
    return int64(NOTHING)


@kernel
def choices(s, out, base, n):
    """Write the actions of one placement from out[n] on; return the new number of actions."""
    if s[NUM_OFFERED] == 0:
        out[n] = base + NOTHING
        return n + 1
    for place_ in range(s[NUM_OFFERED]):
        if s[CLAIM + place_] == 0:
            out[n] = base + place_
            n += 1
    return n


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
                left &= left - _1
                n = choices(s, out, (4 * square + direction) * CHOICES, n)
    if n == 0 or s[MUST_PLACE] == 0:
        n = choices(s, out, int64(NOWHERE * CHOICES), n)
    return n


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
    return ((sets[placement & 3] >> uint64(placement >> 2)) & _1) == _1


@kernel
def is_possible(s, outcome):
    """Whether chance may do this now."""
    if s[NUM_ORDERED] < s[NUM_KINGS]:
        return KING <= outcome < KING + s[NUM_SEATS] and kings_left(s, outcome - KING) > 0
    return outcome < NUM_DOMINOES and (s[POOL + outcome // 24] >> (outcome % 24)) & 1 == 1


@kernel
def kings_left(s, seat):
    """Kings of a seat that have not been drawn for the order of round 1."""
    left = s[NUM_KINGS] // s[NUM_SEATS]
    for i in range(s[NUM_ORDERED]):
        left -= s[ORDER + i] == seat + 1
    return left


@kernel
def chance_outcomes(s, out, prob):
    """Write what may be drawn and how probable it is; return how many."""
    n = int64(0)
    if s[NUM_ORDERED] < s[NUM_KINGS]:
        total = s[NUM_KINGS] - s[NUM_ORDERED]
        for seat in range(s[NUM_SEATS]):
            left = kings_left(s, seat)
            if left > 0:
                out[n], prob[n] = KING + seat, left / total
                n += 1
        return n
    for domino in range(NUM_DOMINOES):
        if (s[POOL + domino // 24] >> (domino % 24)) & 1:
            out[n] = domino
            n += 1
    for i in range(n):
        prob[i] = 1.0 / n
    return n


@kernel
def pool(s):
    """The dominoes not yet drawn, as bits of a set."""
    return uint64(s[POOL]) | (uint64(s[POOL + 1]) << uint64(24))


@kernel
def sample_chance(s, r):
    """Draw a king, or a domino."""
    if s[NUM_ORDERED] < s[NUM_KINGS]:
        k = rng.below(r, int64(s[NUM_KINGS] - s[NUM_ORDERED]))
        for seat in range(s[NUM_SEATS]):
            k -= kings_left(s, seat)
            if k < 0:
                return int64(KING + seat)
    left = pool(s)
    return int64(nth(left, rng.below(r, count(left))))


@kernel
def draw(s, outcome, j):
    """A king or a domino is drawn; with the last one a seat is on turn."""
    if s[NUM_ORDERED] < s[NUM_KINGS]:
        journal.write(s, ORDER + s[NUM_ORDERED], outcome - KING + 1, j)
        journal.write(s, NUM_ORDERED, s[NUM_ORDERED] + 1, j)
        return
    half = POOL + outcome // 24
    journal.write(s, half, s[half] & ~(1 << (outcome % 24)), j)
    i = int64(s[NUM_OFFERED])
    while i > 0 and s[ROW + i - 1] > outcome + 1:
        journal.write(s, ROW + i, s[ROW + i - 1], j)
        i -= 1
    journal.write(s, ROW + i, outcome + 1, j)
    journal.write(s, NUM_OFFERED, s[NUM_OFFERED] + 1, j)
    if s[NUM_OFFERED] == s[NUM_KINGS]:
        first = s[ORDER] if s[ROUND] == 1 else s[OWNER]
        journal.write(s, PLAYER, first - 1, j)


@kernel
def settle(s, seat, domino, placement, j):
    """The domino chosen a round ago is placed, or discarded."""
    fate = s[FATE + domino]
    if placement == NOWHERE:
        k = KINGDOMS + KINGDOM * seat
        journal.write(s, k + DISCARDS, s[k + DISCARDS] + 1, j)
        journal.write(s, FATE + domino, fate | (DISCARDED << FATE_STATE), j)
        return
    place(s, seat, domino, placement, j)
    laid = (PLACED << FATE_STATE) | ((placement >> 2) << FATE_CELL) | ((placement & 3) << FATE_TURN)
    journal.write(s, FATE + domino, fate | laid, j)


@kernel
def act(s, action, j):
    """The seat on turn places what it chose a round ago, and chooses; the next king is on turn."""
    seat = int64(s[PLAYER])
    placement, choice = action // CHOICES, action % CHOICES
    domino = to_place(s)
    if domino >= 0:
        settle(s, seat, domino, placement, j)
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
    """The row chosen from becomes the row to be placed; a new one is drawn, or it was the last."""
    journal.write(s, TURN, 0, j)
    if s[ROUND] > s[NUM_ROWS]:
        for i in range(s[NUM_KINGS]):
            journal.write(s, LAST + i, 0, j)
            journal.write(s, OWNER + i, 0, j)
        journal.write(s, PLAYER, -2, j)
        return
    for i in range(s[NUM_KINGS]):
        journal.write(s, LAST + i, s[ROW + i], j)
        journal.write(s, OWNER + i, s[CLAIM + i], j)
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
    scores(s, out)


@kernel
def key(s):
    """Hash of the position: kingdoms, draft, pool and whose turn it is, not how they came about."""
    h = uint64(s[NUM_SEATS])
    for i in range(FATE):
        h = rng.mix2(h, uint64(s[i]))
    for i in range(KINGDOMS, KINGDOMS + KINGDOM * s[NUM_SEATS]):
        h = rng.mix2(h, uint64(s[i]))
    return h
