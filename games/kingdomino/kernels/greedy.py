"""Greedy play in Kingdomino: a part of `policies.py` (a template of `games.loader`, rules in R).

`fg` and `gprd` are the Full Greedy and the Greedy Placement Random Draft player of Gedda,
Lagerkvist and Butler (2018), as their published agents play, which the paper's sentence leaves
open: `fg` looks two placements ahead, at every kingdom with the domino in hand placed and the one
chosen too; kingdoms with a square out of reach of the castle, or with a hole of one square, count
only where there is no other (the castle is no wall of a hole); while the kingdom is empty both
choose a domino with the most crowns on one end and place at random; and where no chosen domino
could be placed, as in the last round, `fg` plays at random. `gprd_plain` and `fg_plain` follow the
sentence from the first round on, the castle being a wall too: the former places greedily and chooses
at random, the latter looks two placements ahead, and at one where no choice can follow.
"""

from numpy import int64, uint64

borders = part("borders")
NONE, ONE, CASTLE = R.NONE, uint64(1), R.CASTLE
FIRST_END, SECOND_END, crowns_in = borders.FIRST_END, borders.SECOND_END, borders.crowns_in
MOST = borders.END
MOST_A, MOST_B = MOST + R.MAX_KINGS, MOST + 2 * R.MAX_KINGS
FREE = MOST + 3 * R.MAX_KINGS
"""In the buffer, behind the borders: of each place in the row, the most points that its domino, its end a and its end b
can bring, see `bound_choice`; then the dominoes that can be chosen, each above its place in the row."""
assert FREE + R.MAX_KINGS <= R.MAX_ACTIONS, "the buffer has no room"
ALONE = int64(-1)
NOTHING_FOUND, ENOUGH = int64(-1 << 20), int64(1 << 20)
"""Fewer points than any kingdom has, and more."""
MIDDLE_POINTS = int64(10)


# ---------------------------------------------------------------- kingdoms looked at
@kernel
def center(limit):
    """The squares within reach of a castle in the middle."""
    reach = limit // 2
    return R.COLUMNS[R.SPAN - reach, R.SPAN + reach] & R.ROWS[R.SPAN - reach, R.SPAN + reach]


@inlined_kernel
def square_set(square):
    """The set of one square."""
    return ONE << uint64(square)


@inlined_kernel
def other_end(square, direction):
    """Square of end b."""
    if direction == R.RIGHT:
        return (square & 56) | ((square + 1) & 7)
    if direction == R.LEFT:
        return (square & 56) | ((square - 1) & 7)
    return (square + 8) & 63 if direction == R.DOWN else (square - 8) & 63


@kernel
def stretched(bounds, a, direction):
    """Bounds (limit, west, east, north, south) of a kingdom that gets a domino."""
    limit, west, east, north, south = bounds
    dx = int64(direction == R.RIGHT) - int64(direction == R.LEFT)
    dy = int64(direction == R.DOWN) - int64(direction == R.UP)
    x, y = R.coordinate(a & 7, west, east, limit, dx), R.coordinate(a >> 3, north, south, limit, dy)
    west, east = min(west, x, x + dx), max(east, x, x + dx)
    return limit, west, east, min(north, y, y + dy), max(south, y, y + dy)


@inlined_kernel
def with_crowns(crowned, here, crowns):
    """Squares with at least 1, 2, 3 crowns, once a square with so many is among them."""
    one, two, three = crowned
    return (
        one | (here if crowns > 0 else NONE),
        two | (here if crowns > 1 else NONE),
        three | (here if crowns > 2 else NONE),
    )


@kernel
def kingdom_at(s, k):
    """(crowned, tiles, bounds) of a kingdom."""
    at = k + R.CROWNED
    tiles = NONE
    for terrain in range(R.NUM_TERRAINS):
        tiles |= R.squares(s, k + 2 * terrain)
    bounds = (
        int64(s[R.LIMIT]),
        int64(s[k + R.WEST]),
        int64(s[k + R.EAST]),
        int64(s[k + R.NORTH]),
        int64(s[k + R.SOUTH]),
    )
    return (R.squares(s, at), R.squares(s, at + 2), R.squares(s, at + 4)), tiles, bounds


@kernel
def terrains_offered(s):
    """Terrains of the dominoes on offer that nobody has claimed, as bits: of others no map is needed to choose."""
    found = int64(0)
    for place in range(s[R.NUM_OFFERED]):
        if s[R.CLAIM + place] == 0:
            domino = int64(s[R.ROW + place]) - 1
            found |= int64(1) << R.END_TERRAIN[2 * domino] | int64(1) << R.END_TERRAIN[2 * domino + 1]
    return found


# A view is (squares of the middle, is_clean, bonus, castle): with is_clean only kingdoms without a hole count, within
# the middle; bonus: points of those that keep to the middle; castle: NONE where it is no wall of a hole, else its set.
# A kingdom is (squares laid, empty ones, bounds, the room for a domino, see `borders.reach`).
# What is laid is (a domino, its squares, direction, then of each end what `borders.most_beside` asks for, of
# a domino with equal ends of both together).
@kernel
def view_of(s, is_clean, castle):
    """What counts in the kingdom of the seat on turn."""
    bonus = MIDDLE_POINTS if s[R.MIDDLE] != 3 and not is_clean else int64(0)
    return center(int64(s[R.LIMIT])), is_clean, bonus, castle


@inlined_kernel
def room_of(empty, bounds, view):
    """Squares for another domino."""
    cut = R.seams(*bounds)
    if view[1]:
        return borders.clean_room(empty, view[3], cut)
    return empty, NONE, NONE, cut


@kernel
def look(s, k, terrains, found, view, buffer):
    """(The kingdom at offset k, place in the buffer behind its borders), which are those of terrains given as bits.

    found: as `kingdom_at` has it.
    """
    crowned, tiles, bounds = found
    empty = (view[0] if view[1] else R.within(*bounds)) & ~tiles & ~CASTLE
    at = int64(borders.ENTRIES)
    for terrain in range(R.NUM_TERRAINS):
        if (terrains >> terrain) & 1:
            at = borders.chart(R.squares(s, k + 2 * terrain), crowned, empty, buffer, int64(terrain), at)
    return (tiles, empty, bounds, room_of(empty, bounds, view)), at


@inlined_kernel
def ends_of(domino):
    """Terrains of a domino, as bits."""
    return int64(1) << R.END_TERRAIN[2 * domino] | int64(1) << R.END_TERRAIN[2 * domino + 1]


# ---------------------------------------------------------------- the domino in hand
@inlined_kernel
def that_fit(sets, room):
    """Placements, four sets as `R.pairs`, that find room."""
    return (
        sets[0] & borders.fitting(room, R.RIGHT),
        sets[1] & borders.fitting(room, R.DOWN),
        sets[2] & borders.fitting(room, R.LEFT),
        sets[3] & borders.fitting(room, R.UP),
    )


@inlined_kernel
def lay(domino, a, direction, buffer):
    """(Points that a domino brings on square a and the next one in a direction, what is laid)."""
    b, ta, tb = other_end(a, direction), R.END_TERRAIN[2 * domino], R.END_TERRAIN[2 * domino + 1]
    at, other, here_a, here_b = (
        borders.entry_of(buffer, ta, a),
        borders.entry_of(buffer, tb, b),
        square_set(a),
        square_set(b),
    )
    word_a, areas_a = int64(buffer[at + borders.WORD]), int64(buffer[at + borders.AREAS])
    word_b, areas_b = int64(buffer[other + borders.WORD]), int64(buffer[other + borders.AREAS])
    here = here_a | here_b
    if ta == tb:
        word = borders.joint_word(buffer, ta, at, other)
        grown = borders.grown(word, 2, 0)
        both = (here, areas_a | areas_b, word, grown)
        return borders.points_of(grown) - borders.points_of(word), (domino, here, direction, both, both)
    grown_a = borders.grown(word_a, 1, R.END_CROWNS[2 * domino])
    grown_b = borders.grown(word_b, 1, R.END_CROWNS[2 * domino + 1])
    gain = (
        borders.points_of(grown_a) - borders.points_of(word_a) + borders.points_of(grown_b) - borders.points_of(word_b)
    )
    return gain, (domino, here, direction, (here_a, areas_a, word_a, grown_a), (here_b, areas_b, word_b, grown_b))


@inlined_kernel
def kingdom_with(kingdom, laid, a, view):
    """A kingdom with a domino that is laid, its end a on square a."""
    tiles, empty, bounds, _ = kingdom
    _, here, direction, _, _ = laid
    empty &= ~here
    if not view[1]:
        bounds = stretched(bounds, a, direction)
        empty &= R.within(*bounds)
    return tiles | here, empty, bounds, room_of(empty, bounds, view)


@inlined_kernel
def extend_borders(laid, terrains, empty, buffer, at):
    """Write the borders of the domino just laid, as far as they are of these terrains (bits)."""
    domino, _, _, end_a, end_b = laid
    ta, tb = R.END_TERRAIN[2 * domino], R.END_TERRAIN[2 * domino + 1]
    if (terrains >> ta) & 1:
        at = borders.extend(ta, end_a, empty, buffer, FIRST_END, at)
    if ta != tb and (terrains >> tb) & 1:
        borders.extend(tb, end_b, empty, buffer, SECOND_END, at)


# ---------------------------------------------------------------- the domino chosen
@inlined_kernel
def border_of(terrain, placed):
    """The border of a terrain once a domino is placed (ALONE: none)."""
    if placed == ALONE:
        return int64(terrain)
    if terrain == R.END_TERRAIN[2 * placed]:
        return FIRST_END
    return SECOND_END if terrain == R.END_TERRAIN[2 * placed + 1] else int64(terrain)


@kernel
def best_follower(domino, placed, kingdom, view, buffer, base, found):
    """`found`, or more points of a kingdom with a domino placed too, on top of `base`. placed: the one before it."""
    tiles, room, middle, bonus = kingdom[0], kingdom[3], view[0], view[2]
    border_a = border_of(R.END_TERRAIN[2 * domino], placed)
    border_b = border_of(R.END_TERRAIN[2 * domino + 1], placed)
    if bonus and tiles & ~middle == NONE:
        inner = (room[0] & middle, NONE, NONE, room[3])
        found = borders.best_pair(domino, border_a, border_b, inner, buffer, base + bonus, found)
    return borders.best_pair(domino, border_a, border_b, room, buffer, base, found)


@kernel
def bound_choice(domino, place, placed, kingdom, view, buffer):
    """Write for `bound_after` the most points that a domino on offer, and each of its ends, can bring as things stand.

    The former only of a domino that shares no terrain with the one to be placed first.
    """
    ta, tb = int64(R.END_TERRAIN[2 * domino]), int64(R.END_TERRAIN[2 * domino + 1])
    buffer[MOST_A + place] = borders.most_of_end(ta, R.END_CROWNS[2 * domino], buffer)
    buffer[MOST_B + place] = borders.most_of_end(tb, R.END_CROWNS[2 * domino + 1], buffer)
    if ends_of(domino) & ends_of(placed) == 0:
        buffer[MOST + place] = best_follower(domino, ALONE, kingdom, view, buffer, int64(0), NOTHING_FOUND)


@kernel
def list_row(s, placed, kingdom, view, buffer):
    """List the dominoes on offer that nobody has claimed, with the most that they can bring; return how many."""
    n = int64(0)
    for place in range(s[R.NUM_OFFERED]):
        if s[R.CLAIM + place] == 0:
            domino = int64(s[R.ROW + place]) - 1
            bound_choice(domino, int64(place), placed, kingdom, view, buffer)
            buffer[FREE + n] = (domino << 2) | place
            n += 1
    return n


@inlined_kernel
def most_after(end, most, laid, buffer):
    """Most points that an end of a domino can bring once another one is laid. most: before."""
    terrain, ta, tb = R.END_TERRAIN[end], R.END_TERRAIN[2 * laid[0]], R.END_TERRAIN[2 * laid[0] + 1]
    if terrain != ta and terrain != tb:
        return most
    return borders.most_beside(terrain, R.END_CROWNS[end], laid[3] if terrain == ta else laid[4], buffer)


@inlined_kernel
def bonus_with(kingdom, laid, view):
    """Points of kingdoms that keep to the middle, while one with what is laid does."""
    return view[2] if (kingdom[0] | laid[1]) & ~view[0] == NONE else int64(0)


@inlined_kernel
def bound_after(domino, laid, place, bonus, buffer):
    """No fewer points than a domino on offer can bring once another one is laid.

    One that shares no terrain with it brings at most what it brings before: areas of its terrains stay as they are,
    and squares only get fewer.
    """
    if R.IS_EQUAL[domino]:
        terrain = R.END_TERRAIN[2 * domino]
        if ends_of(domino) & ends_of(laid[0]) == 0:
            return int64(buffer[MOST + place])
        end = laid[3] if terrain == R.END_TERRAIN[2 * laid[0]] else laid[4]
        return borders.most_of_equal(terrain, end, buffer) + bonus
    most = most_after(2 * domino, int64(buffer[MOST_A + place]), laid, buffer)
    most += most_after(2 * domino + 1, int64(buffer[MOST_B + place]), laid, buffer) + bonus
    return most if ends_of(domino) & ends_of(laid[0]) else min(most, int64(buffer[MOST + place]))


@inlined_kernel
def better(r, best, value, action):
    """`best` with an action that is better, or as good by lot."""
    points, kept, ties = best
    if value > points:
        return value, action, int64(1)
    if value == points:
        ties += 1
        if rng.below(r, ties) == 0:
            kept = action
    return points, kept, ties


@inlined_kernel
def best_choice(r, laid, row, kingdom, view, buffer, at, base, placement, best):
    """Try every domino of the row after a placement; return `best` with what is better, or as good by lot.

    row: (how many are listed, their terrains as bits); kingdom: before it; at: place in the buffer behind the borders;
    best: (points, action, how many are as good).
    """
    after, is_ready, bonus = kingdom, False, bonus_with(kingdom, laid, view)
    for i in range(row[0]):
        place, domino = int64(buffer[FREE + i]) & 3, int64(buffer[FREE + i]) >> 2
        if base + bound_after(domino, laid, place, bonus, buffer) < best[0]:
            continue
        if not is_ready:
            after, is_ready = kingdom_with(kingdom, laid, placement >> 2, view), True
            extend_borders(laid, row[1], after[1], buffer, at)
        value = best_follower(domino, laid[0], after, view, buffer, base, best[0] - 1)
        best = better(r, best, value, placement * R.CHOICES + place)
    return best


@kernel
def best_alone(s, r, kingdom, view, buffer, best):
    """Try every domino on offer where none is placed before it; return `best` as `best_choice` does."""
    for place in range(s[R.NUM_OFFERED]):
        if s[R.CLAIM + place] == 0:
            domino = int64(s[R.ROW + place]) - 1
            value = best_follower(domino, ALONE, kingdom, view, buffer, int64(0), best[0] - 1)
            best = better(r, best, value, int64(R.NOWHERE * R.CHOICES + place))
    return best


@inlined_kernel
def brought(domino, a, b, buffer):
    """Points that a domino brings with its ends on squares a and b."""
    ta, tb = R.END_TERRAIN[2 * domino], R.END_TERRAIN[2 * domino + 1]
    at, other = borders.entry_of(buffer, ta, a), borders.entry_of(buffer, tb, b)
    if ta == tb:
        return borders.joint_gain(borders.joint_word(buffer, ta, at, other))
    gain_a = borders.gain(int64(buffer[at + borders.WORD]), R.END_CROWNS[2 * domino])
    return gain_a + borders.gain(int64(buffer[other + borders.WORD]), R.END_CROWNS[2 * domino + 1])


@kernel
def best_placement(r, domino, sets, kingdom, view, buffer, best):
    """Try every placement of the domino in hand alone; return `best` with what is better, or as good by lot."""
    middle, bonus = view[0], view[2] if kingdom[0] & ~view[0] == NONE else int64(0)
    for direction in range(4):
        rest = sets[direction]
        while rest != NONE:
            a = bits.lowest_bit(rest)
            rest &= rest - ONE
            b = other_end(a, direction)
            points = brought(domino, a, b, buffer)
            if (square_set(a) | square_set(b)) & ~middle == NONE:
                points += bonus
            best = better(r, best, points, 4 * a + direction)
    return best


@kernel
def search(s, r, buffer, is_ahead, is_clean, castle):
    """The action with the most points; see `weigh`. -1 where there is none.

    Without is_ahead the domino chosen is one of those on offer, by lot.
    """
    action = weigh(s, r, buffer, is_ahead, is_clean, castle)[1]
    return action if is_ahead or action == ALONE else action * R.CHOICES + some_choice(s, r)


@kernel
def weigh(s, r, buffer, is_ahead, is_clean, castle):
    """(Points, action, how many are as good) of the best action: most points gained after its placement.

    is_ahead: after that of the choice too, else of the best placement alone. is_clean: only among
    kingdoms without a hole, within the middle. Points below and -1 where there is none.
    """
    k, domino = R.KINGDOMS + R.KINGDOM * int64(s[R.PLAYER]), R.to_place(s)
    view, best, found = view_of(s, is_clean, castle), (NOTHING_FOUND, ALONE, int64(0)), kingdom_at(s, k)
    if is_clean and found[1] & ~view[0]:
        return best
    offered = terrains_offered(s) if is_ahead else int64(0)
    kingdom, at = look(s, k, offered | (ends_of(domino) if domino >= 0 else int64(0)), found, view, buffer)
    sets = R.placements(s, int64(s[R.PLAYER]), domino) if domino >= 0 else (NONE, NONE, NONE, NONE)
    if (sets[0] | sets[1] | sets[2] | sets[3]) == NONE:  # nothing is placed: only the choice matters
        return best_alone(s, r, kingdom, view, buffer, best) if is_ahead else best
    sets = that_fit(sets, kingdom[3])
    if not is_ahead:
        return best_placement(r, domino, sets, kingdom, view, buffer, best)
    row = list_row(s, domino, kingdom, view, buffer), offered
    for direction in range(4):
        rest = sets[direction]
        while rest != NONE:
            a = bits.lowest_bit(rest)
            rest &= rest - ONE
            base, laid = lay(domino, a, int64(direction), buffer)
            best = best_choice(r, laid, row, kingdom, view, buffer, at, base, 4 * a + direction, best)
    return best


# ---------------------------------------------------------------- the players
@kernel
def some_choice(s, r):
    """One of the dominoes on offer, by lot; R.NOTHING where none is."""
    free = R.num_free(s)
    return R.nth_free(s, rng.below(r, free)) if free else int64(R.NOTHING)


@kernel
def most_crowns(s, r):
    """A domino on offer with the most crowns on one end, by lot."""
    most, chosen, ties = ALONE, int64(R.NOTHING), int64(0)
    for place in range(s[R.NUM_OFFERED]):
        if s[R.CLAIM + place] == 0:
            domino = int64(s[R.ROW + place]) - 1
            crowns = max(R.END_CROWNS[2 * domino], R.END_CROWNS[2 * domino + 1])
            most, chosen, ties = better(r, (most, chosen, ties), crowns, int64(place))
    return chosen


@kernel
def is_bare(s):
    """Whether the seat on turn has nothing but its castle."""
    k = R.KINGDOMS + R.KINGDOM * int64(s[R.PLAYER])
    return s[k + R.WEST] == s[k + R.EAST] and s[k + R.NORTH] == s[k + R.SOUTH]


@kernel
def greedy(s, r, buffer, is_ahead, castle):
    """Clean kingdoms first, then any; -1 where there is none. castle: as in a view."""
    action = search(s, r, buffer, is_ahead, True, castle)
    return action if action >= 0 else search(s, r, buffer, is_ahead, False, castle)
