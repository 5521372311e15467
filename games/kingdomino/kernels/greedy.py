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

NONE, ONE, CASTLE = R.NONE, uint64(1), R.CASTLE
RIGHT, DOWN, LEFT, UP = int64(R.RIGHT), int64(R.DOWN), int64(R.LEFT), int64(R.UP)
SQUARES = int64(64)
FIRST_END, SECOND_END = SQUARES * R.NUM_TERRAINS, SQUARES * (R.NUM_TERRAINS + 1)
"""In the buffer: a map of 64 words for each terrain, then those of the ends of the domino just placed."""
MOST = SQUARES * (R.NUM_TERRAINS + 2)
"""In the buffer: of each place in the row, the most points that its domino can bring, see `bound_choices`."""
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


@kernel
def has_hole(tiles, middle, castle):
    """Whether an empty square of the middle has tiles, or what lies outside it, at all four sides.

    castle: the castle's square where it counts like a tile, else NONE.
    """
    wall = tiles | ~middle | castle
    closed = R.moved(wall, int64(R.RIGHT)) & R.moved(wall, int64(R.LEFT)) & R.moved(wall, int64(R.DOWN))
    closed &= R.moved(wall, int64(R.UP))
    return (closed & middle & ~tiles & ~CASTLE) != NONE


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


@inlined_kernel
def crowns_in(crowned, area):
    """Crowns on the squares of a set."""
    return R.count(area & crowned[0]) + R.count(area & crowned[1]) + R.count(area & crowned[2])


# ---------------------------------------------------------------- points that a domino brings
@inlined_kernel
def add_along(buffer, at, edge, word):
    """Add a word to a map on every square of an edge."""
    while edge != NONE:
        x = bits.lowest_bit(edge)
        edge &= edge - ONE
        buffer[at + x] += word


@kernel
def fill_map(land, crowned, empty, buffer, at):
    """Write for each empty square what areas of one terrain touch it: size, crowns, points, summed.

    A word is size + crowns * 64 + points * 4096.
    """
    for i in range(SQUARES):
        buffer[at + i] = 0
    rest = land
    while rest != NONE:
        area = R.area_of(rest & (~rest + ONE), land)
        rest &= ~area
        size, crowns = R.count(area), crowns_in(crowned, area)
        add_along(buffer, at, R.beside(area) & empty, size + (crowns << 6) + ((size * crowns) << 12))


@inlined_kernel
def gain(word, crowns):
    """Points that a square with so many crowns brings to the areas that touch it."""
    return ((word & 63) + 1) * (((word >> 6) & 63) + crowns) - (word >> 12)


@kernel
def joint_gain(word_a, word_b, here, land, crowned, least):
    """Points that both squares of a domino with equal ends bring; less than `least` where they are fewer.

    here: its two squares; land: the squares of its terrain. Where some area touches both squares,
    adding up the words counts it twice, which is never too little.
    """
    size = (word_a & 63) + (word_b & 63) + 2
    value = size * (((word_a >> 6) & 63) + ((word_b >> 6) & 63)) - (word_a >> 12) - (word_b >> 12)
    if value < least:
        return value
    whole = R.area_of(here, land | here)
    if R.count(whole) == size:
        return value
    points, rest = int64(0), whole & ~here
    while rest != NONE:
        area = R.area_of(rest & (~rest + ONE), rest)
        rest &= ~area
        points += R.count(area) * crowns_in(crowned, area)
    return R.count(whole) * crowns_in(crowned, whole) - points


@kernel
def pair_gain(domino, a, b, maps, land, crowned, buffer, least):
    """Points that a domino brings on squares a and b; less than `least` where they are fewer.

    maps: place in the buffer of the map of each end's terrain; land: squares of end a's terrain.
    """
    word_a, word_b = int64(buffer[maps[0] + a]), int64(buffer[maps[1] + b])
    if R.IS_EQUAL[domino]:
        return joint_gain(word_a, word_b, square_set(a) | square_set(b), land, crowned, least)
    return gain(word_a, R.END_CROWNS[2 * domino]) + gain(word_b, R.END_CROWNS[2 * domino + 1])


# ---------------------------------------------------------------- the search
@inlined_kernel
def better_follower(found, points, laid, view, base):
    """Points of a kingdom whose squares are `laid` if it counts and has more than `found`, else these.

    points: what its last domino brought; view, base: see `best_follower`.
    """
    middle, is_clean, bonus, castle = view
    value = points + (base if is_clean or laid & ~middle else base + bonus)
    return value if value > found and not (is_clean and has_hole(laid, middle, castle)) else found


@inlined_kernel
def gain_alone(domino, end, word):
    """Points that a domino brings where one end alone touches areas of its terrain. word: of that end's square."""
    if R.IS_EQUAL[domino]:
        return ((word & 63) + 2) * ((word >> 6) & 63) - (word >> 12)
    return gain(word, R.END_CROWNS[2 * domino + end]) + R.END_CROWNS[2 * domino + 1 - end]


@kernel
def best_alone(domino, end, at, sets, tiles, view, buffer, base, found):
    """`found`, or more points where one end of the domino alone touches its terrain: they hang on its square only.

    at: place in the buffer of that end's map; sets: squares of that end, by direction from end a to end b.
    """
    most = base if view[1] else base + view[2]
    rest = sets[0] | sets[1] | sets[2] | sets[3]
    while rest != NONE:
        x = bits.lowest_bit(rest)
        rest &= rest - ONE
        points = gain_alone(domino, end, int64(buffer[at + x]))
        if points + most > found:
            for direction in range(4):
                if (sets[direction] >> uint64(x)) & ONE:
                    other = other_end(x, direction ^ 2 if end else direction)
                    found = better_follower(found, points, tiles | square_set(x) | square_set(other), view, base)
    return found


@kernel
def best_follower(domino, maps, lands, crowned, tiles, empty, bounds, view, buffer, base, least):
    """Most points (on top of `base`) of a kingdom with the domino placed too; below `least`: fewer.

    lands: squares of the terrain of each end; tiles, empty, bounds: of the kingdom; view:
    (middle, is_clean, bonus, castle): with is_clean, only kingdoms without a hole count, within the
    middle; bonus: points of those that keep to the middle; castle: see `has_hole`.
    """
    is_clean, bonus = view[1], view[2]
    near_a, near_b = R.beside(lands[0]), R.beside(lands[1])
    sets = R.pairs(empty, near_a | R.beside(CASTLE), near_b | R.beside(CASTLE), R.IS_EQUAL[domino])
    if not is_clean:
        sets = R.unseamed(sets, *bounds)
    found, most = least - 1, base if is_clean else base + bonus
    beside_b = (R.moved(near_b, LEFT), R.moved(near_b, UP), R.moved(near_b, RIGHT), R.moved(near_b, DOWN))
    for direction in range(4):
        left = sets[direction] & near_a & beside_b[direction]
        while left != NONE:
            a = bits.lowest_bit(left)
            left &= left - ONE
            b = other_end(a, direction)
            points = pair_gain(domino, a, b, maps, lands[0], crowned, buffer, found + 1 - most)
            if points + most > found:
                found = better_follower(found, points, tiles | square_set(a) | square_set(b), view, base)
    found = best_alone(domino, 0, maps[0], less(sets, near_a, beside_b), tiles, view, buffer, base, found)
    far = (sets[0] & ~near_a, sets[1] & ~near_a, sets[2] & ~near_a, sets[3] & ~near_a)
    ends_b = (R.moved(far[0], RIGHT), R.moved(far[1], DOWN), R.moved(far[2], LEFT), R.moved(far[3], UP))
    ends_b = (ends_b[0] & near_b, ends_b[1] & near_b, ends_b[2] & near_b, ends_b[3] & near_b)
    found = best_alone(domino, 1, maps[1], ends_b, tiles, view, buffer, base, found)
    points = gain_alone(domino, 0, int64(0))
    if points + most > found:
        for direction in range(4):
            left = far[direction] & ~beside_b[direction]
            while left != NONE:
                a = bits.lowest_bit(left)
                left &= left - ONE
                laid = tiles | square_set(a) | square_set(other_end(a, direction))
                found = better_follower(found, points, laid, view, base)
    return found


@inlined_kernel
def less(sets, among, others):
    """The four sets without what is not `among`, and without `others`."""
    return (
        sets[0] & among & ~others[0],
        sets[1] & among & ~others[1],
        sets[2] & among & ~others[2],
        sets[3] & among & ~others[3],
    )


@inlined_kernel
def land_after(s, k, terrain, ta, tb, here_a, here_b):
    """(map, squares) of a terrain once a domino of terrains ta, tb lies on these squares."""
    land = R.squares(s, k + 2 * terrain)
    if terrain == ta:
        return FIRST_END, land | here_a | (here_b if ta == tb else NONE)
    if terrain == tb:
        return SECOND_END, land | here_b
    return SQUARES * terrain, land


@kernel
def bound_choices(s, k, placed, kingdom, view, buffer):
    """Write the most points that each domino on offer can bring after any placement of another one.

    One that shares no terrain with it brings at most what it brings before: areas of its terrains stay as they are,
    and squares only get fewer. Others are not bounded. kingdom: as it is before.
    """
    crowned, tiles, empty, bounds = kingdom
    for place in range(s[R.NUM_OFFERED]):
        if s[R.CLAIM + place] == 0:
            domino = int64(s[R.ROW + place]) - 1
            ta, tb = R.END_TERRAIN[2 * domino], R.END_TERRAIN[2 * domino + 1]
            most = ENOUGH
            if not is_either(ta, placed) and not is_either(tb, placed):
                lands = (R.squares(s, k + 2 * ta), R.squares(s, k + 2 * tb))
                maps = (SQUARES * ta, SQUARES * tb)
                anywhere, found = (view[0], False, int64(0) if view[1] else view[2], view[3]), NOTHING_FOUND + 1
                most = best_follower(
                    domino, maps, lands, crowned, tiles, empty, bounds, anywhere, buffer, int64(0), found
                )
            buffer[MOST + place] = most


@inlined_kernel
def is_either(terrain, domino):
    """Whether an end of a domino has this terrain."""
    return R.END_TERRAIN[2 * domino] == terrain or R.END_TERRAIN[2 * domino + 1] == terrain


@kernel
def best_choice(s, r, k, placed, here_a, here_b, kingdom, view, buffer, base, placement, best):
    """Try every domino on offer after a placement; return `best` with what is better, or as good by lot.

    placed: the domino just placed on squares here_a, here_b (-1: none), its maps in the buffer;
    kingdom: (crowned, tiles, empty, bounds) with it; best: (points, action, how many are as good).
    """
    points, action, ties = best
    crowned, tiles, empty, bounds = kingdom
    ta = R.END_TERRAIN[2 * placed] if placed >= 0 else ALONE
    tb = R.END_TERRAIN[2 * placed + 1] if placed >= 0 else ALONE
    for place in range(s[R.NUM_OFFERED]):
        if s[R.CLAIM + place] == 0 and (placed < 0 or base + buffer[MOST + place] >= points):
            domino = int64(s[R.ROW + place]) - 1
            map_a, land_a = land_after(s, k, R.END_TERRAIN[2 * domino], ta, tb, here_a, here_b)
            map_b, land_b = land_after(s, k, R.END_TERRAIN[2 * domino + 1], ta, tb, here_a, here_b)
            lands = (land_a, land_b)
            value = best_follower(
                domino, (map_a, map_b), lands, crowned, tiles, empty, bounds, view, buffer, base, points
            )
            if value >= points:
                ties = ties + 1 if value == points else int64(1)
                points = value
                if ties == 1 or rng.below(r, ties) == 0:
                    action = placement * R.CHOICES + place
    return points, action, ties


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


@kernel
def search(s, r, buffer, is_ahead, is_clean, castle):
    """The action with the most points; see `weigh`. -1 where there is none.

    Without is_ahead the domino chosen is one of those on offer, by lot.
    """
    action = weigh(s, r, buffer, is_ahead, is_clean, castle, ENOUGH)[1]
    return action if is_ahead or action == ALONE else action * R.CHOICES + some_choice(s, r)


@kernel
def weigh(s, r, buffer, is_ahead, is_clean, castle, enough):
    """(Points, action, how many are as good) of the best action: most points gained after its placement.

    is_ahead: after that of the choice too, else of the best placement alone. is_clean: only among
    kingdoms without a hole, within the middle. enough: points with which the search may end, and fewer do not count;
    with ENOUGH it looks at all. Points below and -1 where there is none.
    """
    k, domino = R.KINGDOMS + R.KINGDOM * int64(s[R.PLAYER]), R.to_place(s)
    crowned, tiles, bounds = kingdom_at(s, k)
    middle = center(bounds[0])
    best = (NOTHING_FOUND if enough == ENOUGH else max(enough - 1, NOTHING_FOUND), ALONE, int64(0))
    if is_clean and tiles & ~middle:
        return best
    empty = (middle if is_clean else R.within(*bounds)) & ~tiles & ~CASTLE
    offered = terrains_offered(s) if is_ahead else int64(0)
    for terrain in range(R.NUM_TERRAINS):
        if (domino >= 0 and is_either(terrain, domino)) or (offered >> terrain) & 1:
            fill_map(R.squares(s, k + 2 * terrain), crowned, empty, buffer, SQUARES * terrain)
    view = (middle, is_clean, MIDDLE_POINTS if s[R.MIDDLE] != 3 else int64(0), castle)
    right = down = left = up = NONE
    if domino >= 0:
        right, down, left, up = R.placements(s, int64(s[R.PLAYER]), domino)
    if (right | down | left | up) == NONE:  # nothing is placed: only the choice matters
        if not is_ahead:
            return best
        kingdom = (crowned, tiles, empty, bounds)
        base, placement = int64(0), int64(R.NOWHERE)
        return best_choice(s, r, k, ALONE, NONE, NONE, kingdom, view, buffer, base, placement, best)
    if is_ahead:
        bound_choices(s, k, domino, (crowned, tiles, empty, bounds), view, buffer)
    ta, tb = R.END_TERRAIN[2 * domino], R.END_TERRAIN[2 * domino + 1]
    land_a, land_b = R.squares(s, k + 2 * ta), R.squares(s, k + 2 * tb)
    for direction in range(4):
        rest = (right, down, left, up)[direction] & empty
        while rest != NONE:
            a = bits.lowest_bit(rest)
            rest &= rest - ONE
            b = other_end(a, direction)
            here_a, here_b = square_set(a), square_set(b)
            laid = tiles | here_a | here_b
            if is_clean and (laid & ~middle or has_hole(laid, middle, castle)):
                continue
            base = pair_gain(domino, a, b, (SQUARES * ta, SQUARES * tb), land_a, crowned, buffer, NOTHING_FOUND)
            placement = 4 * a + direction
            if not is_ahead:
                value = base if is_clean or laid & ~middle else base + view[2]
                best = better(r, best, value, placement)
                continue
            still = empty & ~here_a & ~here_b
            now = with_crowns(crowned, here_a, R.END_CROWNS[2 * domino])
            now = with_crowns(now, here_b, R.END_CROWNS[2 * domino + 1])
            stretch = bounds
            if not is_clean:
                stretch = stretched(bounds, a, direction)
                still &= R.within(*stretch)
            both = here_b if ta == tb else NONE
            if (offered >> ta) & 1:
                fill_map(land_a | here_a | both, now, still, buffer, FIRST_END)
            if ta != tb and (offered >> tb) & 1:
                fill_map(land_b | here_b, now, still, buffer, SECOND_END)
            kingdom = (now, laid, still, stretch)
            best = best_choice(s, r, k, domino, here_a, here_b, kingdom, view, buffer, base, placement, best)
            if best[0] >= enough:
                return best
    return best


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
    """Clean kingdoms first, then any; -1 where there is none. castle: see `has_hole`."""
    action = search(s, r, buffer, is_ahead, True, castle)
    return action if action >= 0 else search(s, r, buffer, is_ahead, False, castle)
