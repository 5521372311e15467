"""Simulated annealing of one full board (a template).

b: `Laying`, t: `Tables` (`worker.counting.annealing`); r: the stream. A step swaps two dominoes, one of which may come
from the box, turns one round, or turns two that lie side by side in a square of four.
"""

import math

SWAP, TURN = 0.55, 0.7
"""Chances of a swap, and of a swap or a turn of one domino; else two are turned."""
TURNED_TOO = 0.25
"""Chance that a swapped domino is turned as well."""
TRIES = 20
"""Looks for a square of four that two dominoes fill."""


@kernel
def turn(slots, slot):
    """Turn the domino on a slot round."""
    slots[slot, 0], slots[slot, 1] = slots[slot, 1], slots[slot, 0]


@kernel
def turn_two(b, t, r):
    """Lay two dominoes across where they fill a square of four, in any of the eight ways."""
    for _ in range(TRIES):
        four = t.fours[rng.below(r, t.fours.shape[0])]
        first = b.owner[four[0]]
        if first < 0 or b.owner[four[3]] < 0:
            continue
        is_lying = b.owner[four[1]] == first and b.owner[four[2]] == b.owner[four[3]]
        is_standing = b.owner[four[2]] == first and b.owner[four[1]] == b.owner[four[3]]
        if not (is_lying or is_standing):
            continue
        second = b.owner[four[3]]
        middle = 2 if is_lying else 1  # the square that the first one takes in place of the other
        b.slots[first, 0], b.slots[first, 1] = four[0], four[middle]
        b.slots[second, 0], b.slots[second, 1] = four[3 - middle], four[3]
        way = rng.below(r, 8)
        if way & 1:
            turn(b.slots, first)
        if way & 2:
            turn(b.slots, second)
        if way & 4:
            b.box[first], b.box[second] = b.box[second], b.box[first]
        return


@kernel
def step(b, t, r):
    """A random step."""
    chance = rng.uniform(r)
    if chance >= TURN:
        turn_two(b, t, r)
        return
    slot = rng.below(r, b.slots.shape[0])
    if chance < SWAP:
        other = rng.below(r, b.box.shape[0])
        b.box[slot], b.box[other] = b.box[other], b.box[slot]
        if rng.uniform(r) >= TURNED_TOO:
            return
    turn(b.slots, slot)


@kernel
def show(b, t):
    """Write terrain, crowns and owner of every square."""
    for slot in range(b.slots.shape[0]):
        for end in range(2):
            square = b.slots[slot, end]
            b.terrain[square] = t.terrain[b.box[slot], end]
            b.crowns[square] = t.crowns[b.box[slot], end]
            b.owner[square] = slot


@kernel
def points(b, t):
    """Squares times crowns of all areas."""
    total = 0
    b.seen[:] = 0
    b.seen[t.castle] = 1
    for start in range(b.terrain.shape[0]):
        if b.seen[start]:
            continue
        b.seen[start] = 1
        b.stack[0] = start
        height, squares, crowns = 1, 0, 0
        while height:
            height -= 1
            square = b.stack[height]
            squares += 1
            crowns += b.crowns[square]
            for other in t.beside[square]:
                if other >= 0 and not b.seen[other] and b.terrain[other] == b.terrain[start]:
                    b.seen[other] = 1
                    b.stack[height] = other
                    height += 1
        total += squares * crowns
    return total


@kernel
def unreached(b, t):
    """Dominoes that the rule of contacts does not reach from the castle."""
    b.seen[:] = 0
    height, left = 0, b.slots.shape[0]
    for square in t.beside[t.castle]:
        if square >= 0 and not b.seen[b.owner[square]]:
            b.seen[b.owner[square]] = 1
            b.stack[height] = b.owner[square]
            height += 1
    while height:
        height -= 1
        left -= 1
        for square in b.slots[b.stack[height]]:
            for other in t.beside[square]:
                if other < 0 or other == t.castle or b.terrain[other] != b.terrain[square]:
                    continue
                slot = b.owner[other]
                if not b.seen[slot]:
                    b.seen[slot] = 1
                    b.stack[height] = slot
                    height += 1
    return left


@kernel
def keep(slots, box, kept_slots, kept_box):
    """Copy slots and box."""
    for slot in range(slots.shape[0]):
        kept_slots[slot, 0], kept_slots[slot, 1] = slots[slot, 0], slots[slot, 1]
    for place in range(box.shape[0]):
        kept_box[place] = box[place]


@kernel
def run(b, t, steps, hot, cold, penalty, r):
    """Cool a board down, from `hot` to `cold` points; penalty: points that an unreached domino costs.

    Returns the points of the best legal board that was met, in b.best_slots and b.best_box; -1 where none was.
    """
    best = -1
    temperature, factor = hot, (cold / hot) ** (1.0 / steps)
    show(b, t)
    worth = points(b, t) - penalty * unreached(b, t)
    keep(b.slots, b.box, b.kept_slots, b.kept_box)
    for _ in range(steps):
        temperature *= factor
        step(b, t, r)
        show(b, t)
        gained, left = points(b, t), unreached(b, t)
        tried = gained - penalty * left
        if tried >= worth or rng.uniform(r) < math.exp((tried - worth) / temperature):
            worth = tried
            keep(b.slots, b.box, b.kept_slots, b.kept_box)
            if left == 0 and gained > best:
                best = gained
                keep(b.slots, b.box, b.best_slots, b.best_box)
        else:
            keep(b.kept_slots, b.kept_box, b.slots, b.box)
            show(b, t)
    return best
