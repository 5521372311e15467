"""Rules of trees: an action or outcome is the number of a child (a template of `games.loader`)."""
# mypy: ignore-errors

from numpy import int64

from tests.trees.layout import (
    COUNT,
    FIRST,
    HERE,
    MAX_ACTIONS,
    MAX_SEATS,
    NODES,
    NUM_SEATS,
    PLAYER,
    SIZE,
    TOTAL,
    WEIGHT,
    WORDS,
    WORLDS,
)

OVER_RULES = ("policies", "evaluation", "ordering")

__all__ = ["MAX_ACTIONS", "MAX_SEATS", "SIZE"]


@kernel
def record(s, node):
    return NODES + WORDS * int64(node)


@kernel
def num_seats(s):
    return int64(s[NUM_SEATS])


@kernel
def current_player(s):
    return int64(s[record(s, s[HERE]) + PLAYER])


@kernel
def legal_actions(s, out):
    n = int64(s[record(s, s[HERE]) + COUNT])
    for i in range(n):
        out[i] = i
    return n


@kernel
def is_legal(s, action):
    return action >= 0 and action < s[record(s, s[HERE]) + COUNT]


@kernel
def apply(s, action, j):
    journal.write(s, HERE, s[record(s, s[HERE]) + FIRST] + action, j)


@kernel
def chance_outcomes(s, out, probability):
    n = legal_actions(s, out)
    first = s[record(s, s[HERE]) + FIRST]
    total = 0
    for i in range(n):
        total += s[record(s, first + i) + WEIGHT]
    for i in range(n):
        probability[i] = s[record(s, first + i) + WEIGHT] / total
    return n


@kernel
def sample_chance(s, r):
    here = record(s, s[HERE])
    total = 0
    for i in range(s[here + COUNT]):
        total += s[record(s, s[here + FIRST] + i) + WEIGHT]
    k, i = rng.below(r, int64(total)), int64(0)
    while k >= s[record(s, s[here + FIRST] + i) + WEIGHT]:
        k -= s[record(s, s[here + FIRST] + i) + WEIGHT]
        i += 1
    return i


@kernel
def scores(s, out):
    here = record(s, s[HERE]) + TOTAL
    for seat in range(s[NUM_SEATS]):
        out[seat] = s[here + seat]


@kernel
def projected(s, out):
    scores(s, out)


@kernel
def determinize(s, seat, r):
    """The world that is reached is any of those that nobody is told apart, by their weights."""
    if s[WORLDS] > 0:
        s[HERE] = 0
        s[HERE] = s[record(s, 0) + FIRST] + sample_chance(s, r)
