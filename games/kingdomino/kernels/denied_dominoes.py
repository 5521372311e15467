"""Dominoes denied to the next to choose in a draft of Kingdomino: a part of `measures.py` (rules in R)."""

import numpy as np
from numpy import int64

greedy, borders = part("greedy"), part("borders")
NONE, ONE = R.NONE, borders.ONE
PLACEMENT, PLACEMENTS = 10, (1 << 10) - 1
"""Bits of a placement, below the points that it brings."""


def _as_good():
    """Of each domino those, as bits, that bring no less wherever it lies: of its terrains, with as many crowns."""
    sets = np.zeros(R.NUM_DOMINOES, np.uint64)
    for domino in range(R.NUM_DOMINOES):
        for other in range(R.NUM_DOMINOES):
            for ends in ((2 * other, 2 * other + 1), (2 * other + 1, 2 * other)):
                pairs = [(2 * domino + i, end) for i, end in enumerate(ends)]
                if all(R.END_TERRAIN[a] == R.END_TERRAIN[b] and R.END_CROWNS[a] <= R.END_CROWNS[b] for a, b in pairs):
                    sets[domino] |= np.uint64(1 << other)
    return sets


AS_GOOD = _as_good()


@allocating_kernel
def denied(s, out):
    """Of each seat of a match that is over: dominoes that it took from the next to choose.

    A domino counts where the next to choose from the row, as its kingdom stood and with its own
    domino in hand, could have made more points with it than with any other that was left: the most
    points of areas and middle kingdom, the domino in hand placed and the chosen one, too. Ties do not
    count, nor does the last choice of a row. For matches in which a seat has one king: of two the
    fates do not say which chose first.

    out: int64[MAX_SEATS], zeros.
    """
    kings, rows = int64(s[R.NUM_KINGS]), int64(s[R.NUM_ROWS])
    length = kings + int64(s[R.SPARE])
    row, taken = np.zeros((rows + 1, R.MAX_KINGS), np.int64), np.zeros((rows + 1, R.MAX_KINGS), np.int64)
    for domino in range(R.NUM_DOMINOES):
        fate = s[R.FATE + domino]
        if fate:
            row[(fate >> R.FATE_ROUND) & 15, (fate >> R.FATE_PLACE) & 3] = domino
    for round_ in range(1, rows + 1):
        n = int64(0)
        for place in range(length):
            if s[R.FATE + row[round_, place]] & 1:
                taken[round_, n] = row[round_, place]
                n += 1
    past, unused = np.zeros(R.SIZE, np.int32), np.ones(R.SIZE * 2 if JOURNAL else 1, np.int32)
    buffer, ways = np.zeros(R.MAX_ACTIONS, np.int32), np.zeros(R.NOWHERE, np.int64)
    for i in range(R.NUM_SEATS, R.ORDER):
        past[i] = s[i]
    past[R.NUM_OFFERED] = length
    for round_ in range(1, rows + 1):
        for place in range(length):
            past[R.ROW + place], past[R.CLAIM + place] = row[round_, place] + 1, 0
        for turn in range(kings):
            seat = king(s, taken, round_, turn)
            if round_ > 1:
                domino = taken[round_ - 1, turn]
                R.resolve(past, seat, domino, R.placing.laid_as(int64(s[R.FATE + domino])), unused)
                journal.reset(unused)
            chosen = choice(s, row, round_, seat)
            past[R.CLAIM + chosen] = seat + 1
            if turn + 1 < kings:
                past[R.TURN], past[R.PLAYER] = turn + 1, king(s, taken, round_, turn + 1)
                past[R.LAST + turn + 1] = taken[round_ - 1, turn + 1] + 1 if round_ > 1 else 0
                out[seat] += is_denied(past, chosen, buffer, ways)


@kernel
def king(s, taken, round_, turn):
    """Seat whose king chooses then. taken: dominoes chosen, by round and in their order."""
    if round_ == 1:
        return int64(s[R.ORDER + turn]) - 1
    return (int64(s[R.FATE + taken[round_ - 1, turn]]) >> R.FATE_SEAT) & 3


@kernel
def choice(s, row, round_, seat):
    """Place in the row of what a seat with one king chose."""
    for place in range(R.MAX_KINGS):
        fate = int64(s[R.FATE + row[round_, place]])
        if fate & 1 and (fate >> R.FATE_SEAT) & 3 == seat and (fate >> R.FATE_ROUND) & 15 == round_:
            return int64(place)
    return int64(R.NOTHING)


@kernel
def is_denied(s, chosen, buffer, ways):
    """Whether the seat on turn could gain more with the domino at place `chosen`, just taken, than with any left.

    ways: int64[NOWHERE], overwritten.
    """
    k, held, taken = R.KINGDOMS + R.KINGDOM * int64(s[R.PLAYER]), R.to_place(s), int64(s[R.ROW + chosen]) - 1
    for place in range(s[R.NUM_OFFERED]):
        if s[R.CLAIM + place] == 0 and (AS_GOOD[taken] >> np.uint64(s[R.ROW + place] - 1)) & ONE:
            return int64(0)
    view, terrains = greedy.view_of(s, False, R.NONE), greedy.terrains_offered(s) | greedy.ends_of(taken)
    if held >= 0:
        terrains |= greedy.ends_of(held)
    kingdom, at = greedy.look(s, k, terrains, greedy.kingdom_at(s, k), view, buffer)
    n = list_ways(s, held, kingdom, buffer, ways) if held >= 0 else int64(0)
    most = most_with(taken, held, ways[:n], kingdom, view, buffer, at, greedy.NOTHING_FOUND, greedy.ENOUGH)
    if most == greedy.NOTHING_FOUND:
        return int64(0)
    for place in range(s[R.NUM_OFFERED]):
        if s[R.CLAIM + place] == 0:
            left = int64(s[R.ROW + place]) - 1
            if most_with(left, held, ways[:n], kingdom, view, buffer, at, most - 1, most) >= most:
                return int64(0)
    return int64(1)


@kernel
def list_ways(s, held, kingdom, buffer, ways):
    """Write where the domino in hand may be placed, behind the points that it brings; those with most first."""
    sets, n = R.placements(s, int64(s[R.PLAYER]), held), int64(0)
    for direction in range(4):
        rest = sets[direction]
        while rest != NONE:
            a = bits.lowest_bit(rest)
            rest &= rest - ONE
            gained, i = greedy.lay(held, a, int64(direction), buffer)[0], n
            while i > 0 and ways[i - 1] >> PLACEMENT < gained:
                ways[i] = ways[i - 1]
                i -= 1
            ways[i] = (gained << PLACEMENT) | (4 * a + direction)
            n += 1
    return n


@kernel
def most_with(domino, held, ways, kingdom, view, buffer, at, found, enough):
    """`found`, or the most points of a kingdom with the domino in hand and another one placed; no more than `enough`.

    ways: see `list_ways`; at: place in the buffer behind the borders.
    """
    if len(ways) == 0:
        return greedy.best_follower(domino, greedy.ALONE, kingdom, view, buffer, int64(0), found)
    shared = greedy.ends_of(domino) & greedy.ends_of(held)
    greedy.bound_choice(domino, int64(0), held, kingdom, view, buffer)
    most = bound_anywhere(domino, held, view[2], buffer) if shared else int64(buffer[greedy.MOST])
    for way in ways:
        base, a, direction = way >> PLACEMENT, (way & PLACEMENTS) >> 2, way & 3
        if base + most <= found:
            break
        laid = greedy.lay(held, a, direction, buffer)[1]
        bonus = greedy.bonus_with(kingdom, laid, view)
        if base + greedy.bound_after(domino, laid, int64(0), bonus, buffer) <= found:
            continue
        after = greedy.kingdom_with(kingdom, laid, a, view)
        greedy.extend_borders(laid, shared, after[1], buffer, at)
        found = greedy.best_follower(domino, held, after, view, buffer, base, found)
        if found >= enough:
            break
    return found


@kernel
def bound_anywhere(domino, held, bonus, buffer):
    """No fewer points than a domino can bring after any placement of the one in hand. They share a terrain."""
    most = bonus
    for end in range(2 * domino, 2 * domino + 2):
        terrain, squares, crowns = R.END_TERRAIN[end], int64(1), int64(R.END_CROWNS[end])
        for other in range(2 * held, 2 * held + 2):
            if R.END_TERRAIN[other] == terrain:
                squares, crowns = squares + 1, crowns + R.END_CROWNS[other]
        if R.IS_EQUAL[domino]:
            return most + borders.most_of_all(terrain, squares + 1, crowns, buffer)
        most += borders.most_of_all(terrain, squares, crowns, buffer)
    return most
