"""Tuples that searches pass to their kernels (`search/*.py`): one class each, whatever the game.

A template is executed once per game, and numba takes classes of one name and shape in two such modules for
each other: whichever comes second has its types found anew at every call (0.8 ms a decision).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Formula(NamedTuple):
    """A formula as kernels take it."""

    kind: int
    c: float
    dynamic: int
    least: float
    most: float
    unit_scale: float  # utility u lies at unit_offset + unit_scale * u in [0, 1]
    unit_offset: float
    last: bool  # of equal children the last one instead of the first


class Task(NamedTuple):
    """One decision as kernels take it."""

    start: NDArray[np.int32]  # int32[SIZE]: what the seat sees, or the true state (peeks)
    seat: int  # on turn there
    actions: NDArray[np.int32]  # int32[n], legal ones
    seed: np.uint64
    policy: int
    epsilon: float
    forces: int
    peeks: bool  # nothing is hidden in `start`: nothing is drawn anew before a playout
    paired: bool  # luck of a playout by its deal, the same for every action
    utility: int
    total: bool
    allocation: int  # which action each playout tries, a way of `flat.py`
    formula: Formula  # of the bandit that chooses it
    min_visits: int  # of every action, before the formula decides
    playout_plies: int  # after the action, until a playout stops; -1: it goes to the end
    value_plies: int  # the first of them, which are greedy in the learned value
    value_seat: int  # whose plies these are, -1: everybody's
    value_candidates: int  # actions weighed there, by the points of the seat alone; 0: all, by utility
    value_denies: bool  # such actions are weighed by the margin where two seats play


class Tally(NamedTuple):
    """Tally of playouts by action, added to."""

    sums: NDArray[np.float64]  # float64[n]
    squares: NDArray[np.float64]  # float64[n]
    visits: NDArray[np.int64]  # int64[n]


class Stage(NamedTuple):
    """A part of a budget that is shared evenly."""

    places: NDArray[np.int64]  # int64[:], of the actions that it tries
    playouts: int  # of the stages before it
    deals: int  # likewise


class PlayoutBuffers(NamedTuple):
    """Scratch of one thread for playouts."""

    s: NDArray[np.int32]  # int32[SIZE]
    r: NDArray[np.uint64]  # uint64[4]
    luck: NDArray[np.uint64]  # uint64[4]
    actions: NDArray[np.int32]  # int32[MAX_ACTIONS]
    j: NDArray[np.int32]  # int32[:], write journal
    points: NDArray[np.int64]  # int64[MAX_SEATS]
    weights: NDArray[np.float64]  # of the learned value
    values: NDArray[np.float64]  # float64[V.ROOM], what it expects
    spare: NDArray[np.int32]  # int32[MAX_ACTIONS]
    guesses: NDArray[np.float64]  # float64[MAX_ACTIONS]


class Settings(NamedTuple):
    """Options as kernels take them; what a seat gets is offset + scale * its utility."""

    chance: int
    is_open: bool  # children are found by their action: legal ones differ between visits
    peeks: bool  # nothing is hidden in the start: nothing is drawn anew before a simulation
    seat: int  # the one that decides
    forces: int  # free actions: 1 taken without a choice in the tree, 2 in playouts too
    utility: int  # a kind of `utility.py`
    total: bool
    scale: float
    offset: float
    formula: Formula
    bias: float
    win_bias: float
    informed: bool  # H is wanted: needs rules with a journal
    min_visits: int
    parent_first: bool  # an unvisited child has an `urgency` instead of coming first
    reduction: float
    rave: float
    mast: float
    history: float
    tallied: bool  # MAST or history ask for the mean of every move
    logged: bool  # these or RAVE ask for every ply of a simulation
    seeding: float
    widening: float
    exponent: float
    policy: int
    epsilon: float
    playout_plies: int  # -1: to the end
    listed: bool  # first visits in the order of the rules
    reversed: bool  # or in that order backwards
    order: int  # move order of the game in which they are listed, 0: as the rules do
    learners: int  # a kind of `uct_tree.py`: nodes that learn from a simulation, and what
    parents: int  # likewise: N where not all of a node's simulations are its visits
    by_points: bool  # of equal children one with most points of `seat`


class Tree(NamedTuple):
    """Arrays of one tree; all but `counts` and `tally` are exchanged for longer ones as it grows."""

    counts: NDArray[np.int64]  # int64[COUNTS]
    links: NDArray[np.int32]  # int32[capacity, LINKS]
    stats: NDArray[np.float64]  # float64[capacity, STATS]
    table: NDArray[np.int32]  # int32[power of two >= 2 * capacity]: hash of (parent, label) -> node, -1 empty
    edges: NDArray[np.int32]  # int32[edges, EDGE]
    gains: NDArray[np.float64]  # float64[edges or 1]: H of each edge
    tally: NDArray[np.float64]  # float64[power of two, 2]: visits and totals of moves anywhere, by hash


class TreeBuffers(NamedTuple):
    """Scratch of one thread for a tree."""

    s: NDArray[np.int32]  # int32[SIZE]
    r: NDArray[np.uint64]  # uint64[4], the simulation's stream
    fixed: NDArray[np.uint64]  # uint64[4], a node's own stream (SAMPLED), or the tree's (FIXED)
    j: NDArray[np.int32]  # int32[:], write journal
    actions: NDArray[np.int32]  # int32[MAX_ACTIONS]
    children: NDArray[np.int32]  # int32[MAX_ACTIONS]
    weights: NDArray[np.float64]  # float64[MAX_ACTIONS]
    points: NDArray[np.int64]  # int64[MAX_SEATS]
    utilities: NDArray[np.float64]  # float64[MAX_SEATS]
    weights_of_value: NDArray[np.float64]  # of the learned value
    values: NDArray[np.float64]  # float64[V.ROOM], what it expects
    hint: NDArray[np.int64]  # int64[1], first move of the playout, -1 without one
    log: NDArray[np.int32]  # int32[plies of a match, LOG]
