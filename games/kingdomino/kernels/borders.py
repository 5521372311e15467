"""Borders in Kingdomino: the empty squares by the areas that touch them, a part of `greedy.py` (rules in R).

The border of a terrain is a run of entries in the buffer, each of the empty squares that the same areas of the
terrain touch: a set (two words), what these areas come to (size + crowns * 64 + points * 4096, summed), and which
they are, as bits. Together they have every empty square; those that no area touches are the last entry. Squares of
one entry bring the same, so a second placement is looked for among a few pairs of entries instead of all squares.
"""

from numpy import int64, uint64

NONE, ONE, CASTLE = R.NONE, uint64(1), R.CASTLE
RIGHT, DOWN, LEFT, UP = int64(R.RIGHT), int64(R.DOWN), int64(R.LEFT), int64(R.UP)
WORD, AREAS, ENTRY = 2, 3, 4
"""Places in an entry, and its length."""
MAX_AREAS = 32
LAID, ALL = 30, 31
"""Number of the area that a domino just laid belongs to, and of all others together. These come first: no terrain has
so many squares."""
BORDERS = MAX_AREAS * R.NUM_TERRAINS
"""In the buffer, behind what each area of each terrain comes to: where the border of each terrain begins and ends,
then those of the ends of the domino just laid."""
FIRST_END, SECOND_END = int64(R.NUM_TERRAINS), int64(R.NUM_TERRAINS + 1)
ENTRIES = BORDERS + 2 * (R.NUM_TERRAINS + 2)
MOST_SIDES = max(min(2 * n + 4, 4 * (63 - n)) for n in range(0, 64, 2))
"""No fewer than the sides between a square laid and an empty one: n squares laid and the castle hang together, so at
least n of their sides lie between two of them, and 4 (n + 1) - 2 n are left; an empty square has four sides."""
MOST_ENTRIES = MOST_SIDES + R.NUM_TERRAINS + MOST_SIDES + 2
"""No fewer than the entries of a kingdom and of a domino just laid: those of a border share no square, and each but the
last has one beside an area of its terrain, so these are no more than sides, of the kingdom and of what it becomes."""
END = ENTRIES + ENTRY * MOST_ENTRIES


# ---------------------------------------------------------------- entries
@kernel
def enter(buffer, at, here, word, areas):
    """Write an entry; return the place behind it."""
    low, high = int64(here & R.board.HALF), int64(here >> uint64(32))
    buffer[at], buffer[at + 1] = low - ((low >> 31) << 32), high - ((high >> 31) << 32)
    buffer[at + WORD], buffer[at + AREAS] = word, areas
    return at + ENTRY


@inlined_kernel
def squares_of(buffer, at):
    """The squares of an entry."""
    return R.squares(buffer, at)


@inlined_kernel
def range_of(buffer, border):
    """Where a border begins, and where it ends."""
    return int64(buffer[BORDERS + 2 * border]), int64(buffer[BORDERS + 2 * border + 1])


@inlined_kernel
def entry_of(buffer, border, square):
    """The entry that an empty square is in."""
    at = int64(buffer[BORDERS + 2 * border])
    while (squares_of(buffer, at) >> uint64(square)) & ONE == NONE:
        at += ENTRY
    return at


@inlined_kernel
def sum_of(buffer, terrain, areas):
    """What areas of a terrain, given as bits, come to."""
    found = int64(0)
    while areas:
        found += buffer[MAX_AREAS * terrain + bits.lowest_bit(areas)]
        areas &= areas - 1
    return found


@kernel
def crowns_in(crowned, area):
    """Crowns on the squares of a set."""
    return R.count(area & crowned[0]) + R.count(area & crowned[1]) + R.count(area & crowned[2])


# ---------------------------------------------------------------- borders
@kernel
def chart(land, crowned, empty, buffer, terrain, start):
    """Write the border of a terrain from `start` on; return the place behind it."""
    end, number, rest, untouched, all_ = start, int64(0), land, empty, int64(0)
    while rest != NONE:
        area = R.area_of(rest & (~rest + ONE), land)
        rest &= ~area
        edge = R.beside(area) & empty
        if edge == NONE:
            continue
        untouched &= ~edge
        size, crowns, bit = R.count(area), crowns_in(crowned, area), int64(1) << number
        word = size + (crowns << 6) + ((size * crowns) << 12)
        buffer[MAX_AREAS * terrain + number] = word
        number += 1
        all_ += word
        for at in range(start, end, ENTRY):
            here = squares_of(buffer, at)
            both = here & edge
            if both != NONE:
                edge &= ~both
                more, areas = buffer[at + WORD] + word, buffer[at + AREAS] | bit
                if both == here:
                    buffer[at + WORD], buffer[at + AREAS] = more, areas
                else:
                    enter(buffer, at, here & ~both, int64(buffer[at + WORD]), int64(buffer[at + AREAS]))
                    end = enter(buffer, end, both, more, areas)
        if edge != NONE:
            end = enter(buffer, end, edge, word, bit)
    end = enter(buffer, end, untouched, int64(0), int64(0))
    buffer[MAX_AREAS * terrain + ALL] = all_
    buffer[BORDERS + 2 * terrain], buffer[BORDERS + 2 * terrain + 1] = start, end
    return end


@kernel
def extend(terrain, laid, still, buffer, border, start):
    """Write the border of a terrain once squares of it are laid, as number `border`; return the place behind it.

    laid: see `most_beside`; still: squares empty then.
    """
    here, touched, word_before, word = laid
    end, near = start, R.beside(here) & still
    buffer[MAX_AREAS * terrain + LAID] = word
    begin, behind = range_of(buffer, terrain)
    for at in range(begin, behind, ENTRY):
        left = squares_of(buffer, at) & still
        of_entry, areas = int64(buffer[at + WORD]), int64(buffer[at + AREAS])
        common = areas & touched
        joined = left if common else left & near
        if joined != NONE:
            more = of_entry + word
            if common:
                more -= word_before if common == touched else sum_of(buffer, terrain, common)
            end = enter(buffer, end, joined, more, (areas & ~common) | (int64(1) << LAID))
            left &= ~joined
        if left != NONE:
            end = enter(buffer, end, left, of_entry, areas)
    buffer[BORDERS + 2 * border], buffer[BORDERS + 2 * border + 1] = start, end
    return end


# ---------------------------------------------------------------- points that a domino brings
@inlined_kernel
def points_of(word):
    """Points of the areas that a word sums up."""
    return word >> 12


@inlined_kernel
def grown(word, squares, crowns):
    """The one area that areas become with these squares and crowns between them."""
    size, all_crowns = (word & 63) + squares, ((word >> 6) & 63) + crowns
    return size + (all_crowns << 6) + ((size * all_crowns) << 12)


@inlined_kernel
def gain(word, crowns):
    """Points that a square with so many crowns brings to the areas that touch it."""
    return ((word & 63) + 1) * (((word >> 6) & 63) + crowns) - (word >> 12)


@inlined_kernel
def joint_gain(word):
    """Points that two squares of one terrain without crowns bring to the areas that touch them."""
    return ((word & 63) + 2) * ((word >> 6) & 63) - (word >> 12)


@inlined_kernel
def joint_word(buffer, terrain, at, other):
    """What the areas of two entries come to, each counted once."""
    common = int64(buffer[at + AREAS] & buffer[other + AREAS])
    return int64(buffer[at + WORD] + buffer[other + WORD]) - sum_of(buffer, terrain, common)


@kernel
def most_of_end(border, crowns, buffer):
    """Most points that a square of a border's terrain with so many crowns can bring."""
    begin, behind = range_of(buffer, border)
    most = int64(0)
    for at in range(begin, behind, ENTRY):
        most = max(most, gain(int64(buffer[at + WORD]), crowns))
    return most


@kernel
def most_beside(terrain, crowns, laid, buffer):
    """The same once squares of the terrain are laid.

    laid: (these, areas beside them as bits, what those come to, and with the squares).
    """
    here, touched, word_before, grown_word = laid
    begin, behind = range_of(buffer, terrain)
    most, near = int64(0), R.beside(here)
    for at in range(begin, behind, ENTRY):
        word, common = int64(buffer[at + WORD]), int64(buffer[at + AREAS]) & touched
        if common:
            word += grown_word - (word_before if common == touched else sum_of(buffer, terrain, common))
        elif squares_of(buffer, at) & near != NONE:
            word += grown_word
        most = max(most, gain(word, crowns))
    return most


@inlined_kernel
def most_of_all(terrain, squares, crowns, buffer):
    """No fewer points than so many squares of a terrain can bring: as many as if they touched all its areas."""
    word = int64(buffer[MAX_AREAS * terrain + ALL])
    return points_of(grown(word, squares, crowns)) - points_of(word)


@inlined_kernel
def most_of_equal(terrain, laid, buffer):
    """No fewer points than a domino with equal ends of a terrain can bring then: as many as if it touched all areas."""
    return joint_gain(int64(buffer[MAX_AREAS * terrain + ALL]) - laid[2] + laid[3])


# ---------------------------------------------------------------- room for a domino
@kernel
def clean_room(empty, castle, cut):
    """Room (see `reach`) that leaves no square without an empty neighbour. castle: NONE where it counts as empty.

    Such a hole is a square whose only empty neighbour is covered, and not itself by the same domino: its two ends have
    no neighbour in common.
    """
    open_ = empty | (CASTLE & ~castle)
    one, two = about(open_)
    if empty & ~one != NONE:
        return NONE, NONE, NONE, cut
    ends = empty & one & ~two
    one, two = about(ends)
    return empty & ~one, ends, empty & one & ~two, cut


@inlined_kernel
def about(m):
    """The squares next to one square of a set at least, and to two."""
    right, left = R.moved(m, RIGHT), R.moved(m, LEFT)
    down, up = R.moved(m, DOWN), R.moved(m, UP)
    one, two = right | left, right & left
    two |= one & down
    one |= down
    two |= one & up
    return one | up, two


@inlined_kernel
def step(m, cut):
    """The squares next to a set, but for those across lines."""
    found = R.moved(m & ~cut[0], RIGHT) | R.moved(m & ~cut[1], DOWN)
    return found | R.moved(m & ~cut[2], LEFT) | R.moved(m & ~cut[3], UP)


@inlined_kernel
def reach(here, room):
    """Where the other end of a domino may lie that has one end in a set.

    room: (squares for both ends; dead ends, and their neighbours, which are covered together; `R.seams`).
    """
    free, ends, before, cut = room
    found = step(here & free, cut) & free
    if ends != NONE:
        found |= (step(here & ends, cut) & before) | (step(here & before, cut) & ends)
    return found


@inlined_kernel
def fitting(room, direction):
    """Squares where end a may lie, end b next to it in a direction."""
    back = direction ^ 2
    free, ends, before, _ = room
    found = free & R.moved(free, back)
    return found | (ends & R.moved(before, back)) | (before & R.moved(ends, back))


@kernel
def best_pair(domino, border_a, border_b, room, buffer, base, found):
    """`found`, or more points (on top of `base`) where a domino brings them. border_a, border_b: of its ends."""
    ta, crowns_a, crowns_b = R.END_TERRAIN[2 * domino], R.END_CROWNS[2 * domino], R.END_CROWNS[2 * domino + 1]
    is_equal, most_b = R.IS_EQUAL[domino], most_of_end(border_b, crowns_b, buffer)
    begin_a, end_a = range_of(buffer, border_a)
    begin_b, end_b = range_of(buffer, border_b)
    for at in range(begin_a, end_a, ENTRY):
        word_a, reached, is_reached = int64(buffer[at + WORD]), NONE, False
        gain_a = base + gain(word_a, crowns_a)
        if gain_a + most_b <= found and not is_equal:
            continue
        for other in range(begin_b, end_b, ENTRY):
            word_b = int64(buffer[other + WORD])
            if is_equal:
                points = base + joint_gain(joint_word(buffer, ta, at, other))
            else:
                points = gain_a + gain(word_b, crowns_b)
            if points <= found:
                continue
            if not is_reached:
                reached, is_reached = reach(squares_of(buffer, at), room), True
            meeting = reached & squares_of(buffer, other)
            if meeting != NONE and ((word_a | word_b) != 0 or touches_castle(squares_of(buffer, at), meeting, room)):
                found = points
    return found


@kernel
def touches_castle(here, there, room):
    """Whether a domino with its ends in two sets, the second within reach of the first, may lie beside the castle."""
    beside = R.beside(CASTLE)
    return (there & beside) | (reach(here & beside, room) & there) != NONE
