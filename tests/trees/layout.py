"""Layout of a tree's state: one flat int32 array, a table of nodes."""

from __future__ import annotations

MAX_SEATS = 3
MAX_NODES = 3000
MAX_ACTIONS = 8

HERE = 0  # number of the node reached
NUM_SEATS = 1
WORLDS = 2  # first children of node 0 among which the true one is hidden; 0: nothing is
NODES = 3
WORDS = 4 + MAX_SEATS
PLAYER, FIRST, COUNT, WEIGHT, TOTAL = range(5)
# PLAYER: seat, -1 chance, -2 the end; FIRST, COUNT: children; WEIGHT: of an outcome, for its
# probability; TOTAL: [seat] what the position is worth to it, if the search ends here
SIZE = NODES + WORDS * MAX_NODES
