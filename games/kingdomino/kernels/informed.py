"""Informed play in Kingdomino: a part of `policies.py` (a template of `games.loader`, rules in R).

As `fg_plain` it looks two placements ahead, but values kingdoms by `worth.py`, and looks at the
dominoes on offer after the best few placements alone, which is what makes it quick.
"""

from numpy import int64

greedy, worth = part("greedy"), part("worth")
NONE, ONE, CASTLE = worth.NONE, worth.ONE, worth.CASTLE
SQUARES, FIRST_END, SECOND_END, KEPT = worth.SQUARES, worth.FIRST_END, worth.SECOND_END, worth.KEPT
WEIGHTS = worth.table(worth.FITTED)
WIDTH = int64(2)
"""Placements looked at with every domino on offer: with 1 the policy is a third quicker and 3 points
a match weaker, with 3 a quarter slower and half a point stronger."""
NOT_FOUND = int64(-1 << 40)
LOTS = int64(32)


# A kingdom is (squares by crowns as in `greedy`, squares that may be covered, bounds, dominoes to
# be placed after the one in hand, whether it keeps to the middle): within the middle shapes count.
@kernel
def look(s, w, buffer, k, keeps):
    """The kingdom at offset k, to be filled within the middle (keeps) or its limit; its maps go to the buffer."""
    crowned, tiles, bounds = greedy.kingdom_at(s, k)
    room = greedy.center(bounds[0]) if keeps else R.within(*bounds)
    empty = room & ~tiles & ~CASTLE
    for t in range(R.NUM_TERRAINS):
        worth.fill_map(w, buffer, SQUARES * t, t, R.squares(s, k + 2 * t), crowned, empty)
    return crowned, empty, bounds, num_later(s, (k - R.KINGDOMS) // R.KINGDOM), keeps


@kernel
def num_later(s, seat):
    """Dominoes that a seat places after the ply on turn, if none must be discarded."""
    each = int64(s[R.NUM_KINGS] // s[R.NUM_SEATS])
    later = each * (int64(s[R.NUM_ROWS]) + 1 - int64(s[R.ROUND]))
    if each > 1 and s[R.ROUND] > 1:
        for turn in range(s[R.TURN] + 1, s[R.NUM_KINGS]):
            later += int64(s[R.OWNER + turn] == seat + 1)
    return later


@kernel
def ways(domino, kingdom, lands):
    """Placements of a domino: four sets, as `R.pairs`. lands: squares of the terrain of each end."""
    empty, bounds, keeps = kingdom[1], kingdom[2], kingdom[4]
    sets = R.pairs(empty, R.beside(lands[0] | CASTLE), R.beside(lands[1] | CASTLE), R.IS_EQUAL[domino])
    return sets if keeps else R.unseamed(sets, *bounds)


@kernel
def follow(w, buffer, domino, maps, lands, kingdom):
    """Most that a domino adds to a kingdom; NOT_FOUND where it does not fit."""
    crowned, empty, _, later, keeps = kingdom
    sets = ways(domino, kingdom, lands)
    found = NOT_FOUND
    for direction in range(4):
        left = sets[direction]
        while left != NONE:
            a = bits.lowest_bit(left)
            left &= left - ONE
            b = greedy.other_end(a, direction)
            value = worth.domino_gain(w, buffer, domino, (a, b), maps, (lands[0], crowned))
            if keeps and (value > found or later <= 1):
                value -= worth.shape_cost(w, empty & ~greedy.square_set(a) & ~greedy.square_set(b), later - 1)
            found = max(found, value)
    return found


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
def choice_worth(s, w, buffer, k, laid, place, kingdom):
    """Worth of choosing the domino at a place of the row after a placement.

    laid: (domino just placed or -1, squares of its ends), its maps in the buffer.
    """
    placed, here_a, here_b = laid
    ta = R.END_TERRAIN[2 * placed] if placed >= 0 else greedy.ALONE
    tb = R.END_TERRAIN[2 * placed + 1] if placed >= 0 else greedy.ALONE
    domino = int64(s[R.ROW + place]) - 1
    map_a, land_a = land_after(s, k, R.END_TERRAIN[2 * domino], ta, tb, here_a, here_b)
    map_b, land_b = land_after(s, k, R.END_TERRAIN[2 * domino + 1], ta, tb, here_a, here_b)
    added = follow(w, buffer, domino, (map_a, map_b), (land_a, land_b), kingdom)
    if added == NOT_FOUND:
        added = -w[worth.HOLE] - (worth.shape_cost(w, kingdom[1], kingdom[3]) if kingdom[4] else int64(0))
    return ((added * w[worth.FOLLOW]) >> 8) - w[worth.PLACE] * place


@kernel
def lay(s, w, buffer, k, domino, placement, kingdom):
    """Lay the domino in hand: (what it adds, (domino, squares of its ends), the kingdom); maps in the buffer."""
    crowned, empty, bounds, later, keeps = kingdom
    a, direction = placement >> 2, placement & 3
    b = greedy.other_end(a, direction)
    here_a, here_b = greedy.square_set(a), greedy.square_set(b)
    ta, tb = R.END_TERRAIN[2 * domino], R.END_TERRAIN[2 * domino + 1]
    land_a, land_b = R.squares(s, k + 2 * ta), R.squares(s, k + 2 * tb)
    added = worth.domino_gain(w, buffer, domino, (a, b), (SQUARES * ta, SQUARES * tb), (land_a, crowned))
    now = greedy.with_crowns(crowned, here_a, R.END_CROWNS[2 * domino])
    now = greedy.with_crowns(now, here_b, R.END_CROWNS[2 * domino + 1])
    still = empty & ~here_a & ~here_b
    if not keeps:
        bounds = greedy.stretched(bounds, a, direction)
        still &= R.within(*bounds)
    worth.fill_map(w, buffer, FIRST_END, ta, land_a | here_a | (here_b if ta == tb else NONE), now, still)
    if ta != tb:
        worth.fill_map(w, buffer, SECOND_END, tb, land_b | here_b, now, still)
    if keeps and later > 1:
        added += worth.fitting(s, w, buffer, k, still, (ta, tb), (here_a, here_b))
        added -= w[worth.ODD] * worth.odd_parts(still)
    return added, (domino, here_a, here_b), (now, still, bounds, later, keeps)


@kernel
def keep(buffer, kept, width, key, placement):
    """Put a placement among the best `width` in the buffer, best first; return how many there are."""
    if kept == width:
        if key <= buffer[KEPT + 2 * (kept - 1)]:
            return kept
        kept -= 1
    i = kept
    while i > 0 and buffer[KEPT + 2 * (i - 1)] < key:
        buffer[KEPT + 2 * i] = buffer[KEPT + 2 * (i - 1)]
        buffer[KEPT + 2 * i + 1] = buffer[KEPT + 2 * (i - 1) + 1]
        i -= 1
    buffer[KEPT + 2 * i] = key
    buffer[KEPT + 2 * i + 1] = placement
    return kept + 1


@kernel
def preselect(s, r, w, buffer, kingdom, width):
    """Keep the placements of the domino in hand that add most by themselves, equals by lot; return how many."""
    k, domino = R.KINGDOMS + R.KINGDOM * int64(s[R.PLAYER]), R.to_place(s)
    crowned, empty, _, later, keeps = kingdom
    ta, tb = R.END_TERRAIN[2 * domino], R.END_TERRAIN[2 * domino + 1]
    land_a = R.squares(s, k + 2 * ta)
    sets, maps = ways(domino, kingdom, (land_a, R.squares(s, k + 2 * tb))), (SQUARES * ta, SQUARES * tb)
    kept = int64(0)
    for direction in range(4):
        left = sets[direction]
        while left != NONE:
            a = bits.lowest_bit(left)
            left &= left - ONE
            b = greedy.other_end(a, direction)
            value = worth.domino_gain(w, buffer, domino, (a, b), maps, (land_a, crowned))
            if keeps:
                value -= worth.shape_cost(w, empty & ~greedy.square_set(a) & ~greedy.square_set(b), later)
            key = value * LOTS + rng.below(r, LOTS)
            kept = keep(buffer, kept, width, key, int64(4 * a + direction))
    return kept


@kernel
def action(s, r, buffer, w, width):
    """The action of the seat on turn; outside of the middle it places only where nothing else is left.

    buffer: int32[MAX_ACTIONS], overwritten; w: `worth.table`; width: see WIDTH.
    """
    k, domino = R.KINGDOMS + R.KINGDOM * int64(s[R.PLAYER]), R.to_place(s)
    keeps = keeps_to_middle(s, k)
    worth.prospect(s, w, buffer)
    kingdom, kept = look(s, w, buffer, k, keeps), int64(0)
    wanted = width if s[R.NUM_OFFERED] else int64(1)
    if domino >= 0:
        kept = preselect(s, r, w, buffer, kingdom, wanted)
        if kept == 0 and keeps:
            kingdom = look(s, w, buffer, k, False)
            kept = preselect(s, r, w, buffer, kingdom, wanted)
            if kept == 0:
                kingdom = look(s, w, buffer, k, True)
    if s[R.NUM_OFFERED] == 0:
        return (int64(buffer[KEPT + 1]) if kept else int64(R.NOWHERE)) * R.CHOICES + R.NOTHING
    best = (NOT_FOUND, greedy.ALONE, int64(0))
    for i in range(max(kept, int64(1))):
        placement, base, laid, after = int64(R.NOWHERE), int64(0), (greedy.ALONE, NONE, NONE), kingdom
        if kept:
            placement = int64(buffer[KEPT + 2 * i + 1])
            base, laid, after = lay(s, w, buffer, k, domino, placement, kingdom)
        for place in range(s[R.NUM_OFFERED]):
            if s[R.CLAIM + place] == 0:
                value = base + choice_worth(s, w, buffer, k, laid, int64(place), after)
                best = greedy.better(r, best, value, placement * R.CHOICES + place)
    return best[1]


@kernel
def keeps_to_middle(s, k):
    """Whether all squares of a kingdom are within reach of a castle in the middle."""
    _, tiles, bounds = greedy.kingdom_at(s, k)
    return tiles & ~greedy.center(bounds[0]) == NONE


@kernel
def promises(s, actions, buffer, w, out):
    """Write to out float64[n] what each legal action promises the seat on turn, in points.

    actions: int32[n], those of one placement side by side, as `R.legal_actions` has them.
    """
    k, domino = R.KINGDOMS + R.KINGDOM * int64(s[R.PLAYER]), R.to_place(s)
    _, tiles, bounds = greedy.kingdom_at(s, k)
    middle = greedy.center(bounds[0])
    kept_so_far = keeps_to_middle(s, k)
    worth.prospect(s, w, buffer)
    wide = look(s, w, buffer, k, False)
    before, base, laid, after = greedy.ALONE, int64(0), (greedy.ALONE, NONE, NONE), wide
    for i in range(len(actions)):
        placement, place = int64(actions[i]) // R.CHOICES, int64(actions[i]) % R.CHOICES
        if placement != before:
            before, base, laid, here = placement, int64(0), (greedy.ALONE, NONE, NONE), NONE
            if placement != R.NOWHERE:
                here = greedy.square_set(placement >> 2)
                here |= greedy.square_set(greedy.other_end(placement >> 2, placement & 3))
            keeps = kept_so_far and here & ~middle == NONE
            after = (wide[0], (middle & ~tiles & ~CASTLE) if keeps else wide[1], bounds, wide[3], keeps)
            if placement != R.NOWHERE:
                base, laid, after = lay(s, w, buffer, k, domino, placement, after)
            if kept_so_far and not keeps and s[R.MIDDLE] != 3:
                base -= greedy.MIDDLE_POINTS * worth.POINT
        value = base
        if place != R.NOTHING:
            value += choice_worth(s, w, buffer, k, laid, place, after)
        elif after[4]:
            value -= worth.shape_cost(w, after[1], after[3])
        out[i] = value / worth.POINT
