"""Boards of Carcassonne as a layered graph: one tile more at each step, whatever the order.

A board is the set of tiles that lie, each with its cell and rotation, round the start tile. Any
connected part of a board that holds the start tile can be laid by the rules, in some order, from
the box. So the boards that a board can come from are those without one of the tiles whose
removal keeps the rest connected, and `step` counts different boards (see `populations`).
Meeples, scores and the seat on turn are left out here; see `placements`.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from games import rng
from games.carcassonne import state as layout
from games.carcassonne import tiles
from games.protocol import Game, Rng, State
from worker.studies import populations

TABLES = tiles.load()
FIT = TABLES.fit.reshape(layout.NUM_TYPES, 256)
BITS = np.array([bin(mask).count("1") for mask in range(16)])
KIND = TABLES.kind.reshape(layout.NUM_TYPES, layout.SLOTS)
STEPS = np.array([layout.RING - layout.ROW, 1, layout.ROW, layout.RING - 1])
OPENS = 2.0
"""Factor by which a cell is taken more often for each empty cell that it puts beside the board."""
AHEAD = 32
"""Plies for which the number of cells beside the board matters (tried: 0 to 32)."""
SEATS = 2


def start(game: Game) -> State:
    """The start tile alone; pools may be emptied in a copy to count with fewer tiles."""
    return game.initial_state(game.options(), SEATS)


def count(game: Game, paths: int, r: Rng) -> populations.Count:
    """One estimate of the boards of each number of tiles, and of those with meeples on them."""
    return populations.count(
        start(game), lambda state, r: step(game, state, r), paths, r, mark=placements, promise=promise
    )


def step(game: Game, state: State, r: Rng) -> tuple[float, State]:
    """Lay one tile at random; the inverse of its chance, over the boards that the new one can come from.

    Cells that open others are taken more often (`OPENS`), because most boards are stringy.
    """
    pool = np.flatnonzero(state[layout.POOL : layout.POOL + layout.NUM_TYPES])
    cells = state[layout.FRONTIER : layout.FRONTIER + state[layout.NUM_FRONTIER]]
    masks = FIT[pool][:, (state[layout.CELLS + cells] >> 8) & 255]
    opened = (state[layout.CELLS + (cells[:, None] + STEPS) % layout.RING] == 0).sum(axis=1)
    weights = (BITS[masks] * OPENS**opened).ravel()
    below = np.cumsum(weights)
    if not below.size or below[-1] == 0:
        return 0.0, state
    flat = int(np.searchsorted(below, rng.uniform(r) * below[-1], side="right"))
    row, column = divmod(flat, len(cells))
    rotations = [rotation for rotation in range(4) if masks[row, column] >> rotation & 1]
    rotation = rotations[rng.below(r, len(rotations))]
    action = int(cells[column]) * layout.ACTION_CELL + rotation * layout.ACTION_ROTATION
    after = game.apply(game.apply(state, int(pool[row])), action)
    chance = float(weights[flat] / below[-1]) / len(rotations)
    return 1 / chance / removable(after), after


def promise(state: State) -> float:
    """Natural logarithm of how much may hang below: many empty cells beside the board stay many for long."""
    ahead = min(AHEAD, int(state[layout.NUM_LEFT]))
    return ahead * math.log(max(1, int(state[layout.NUM_FRONTIER])))


def removable(state: State) -> int:
    """Tiles, the start tile apart, without which the others still hang together."""
    laid = int(state[layout.NUM_LAID])
    at = {int(cell): i for i, cell in enumerate(_records(state)[:, layout.CELL])}
    beside = [[at[n] for n in ((cell + by) % layout.RING for by in STEPS) if n in at] for cell in at]
    return laid - 1 - _cuts(beside)


def _cuts(beside: list[list[int]]) -> int:
    """Cut vertices of a connected graph, vertex 0 apart (Hopcroft, Tarjan 1973)."""
    found, low = [-1] * len(beside), [0] * len(beside)
    is_cut = [False] * len(beside)
    found[0], clock = 0, 1
    path = [(0, iter(beside[0]))]
    while path:
        vertex, rest = path[-1]
        for other in rest:
            if found[other] < 0:
                found[other] = low[other] = clock
                clock += 1
                path.append((other, iter(beside[other])))
                break
            low[vertex] = min(low[vertex], found[other])
        else:
            path.pop()
            if path:
                above = path[-1][0]
                low[above] = min(low[above], low[vertex])
                if above and low[vertex] >= found[above]:
                    is_cut[above] = True
    return sum(is_cut)


def placements(state: State) -> float:
    """Natural logarithm of the ways in which two seats' meeples may stand on the open features.

    At most one meeple on each unfinished road, city or monastery and on each field, at most
    seven of a seat. Features shared after joining are left out, and not every placement need
    be reachable: an order of magnitude, no bound.
    """
    laid = int(state[layout.NUM_LAID])
    records = _records(state)
    kinds = KIND[records[:, layout.TYPE]]
    first = layout.NODES - layout.TILES
    nodes = records[:, first : first + layout.SLOTS * layout.NODE_WORDS].reshape(laid, layout.SLOTS, layout.NODE_WORDS)
    own = layout.NODES + layout.TILE_WORDS * np.arange(laid)[:, None] + layout.NODE_WORDS * np.arange(layout.SLOTS)
    is_open = (nodes[:, :, layout.OPEN] > 0) | (kinds == tiles.FIELD)
    x, y = records[:, layout.X], records[:, layout.Y]
    around = (abs(x[:, None] - x) <= 1) & (abs(y[:, None] - y) <= 1)
    surrounded = around.sum(axis=1)[:, None] == 9
    is_open = np.where(kinds == tiles.MONASTERY, ~surrounded, is_open)
    return _log_ways(int(((kinds >= 0) & (nodes[:, :, layout.PARENT] == own) & is_open).sum()))


def _records(state: State) -> State:
    """A row for each tile that lies."""
    laid = int(state[layout.NUM_LAID])
    return state[layout.TILES : layout.TILES + layout.TILE_WORDS * laid].reshape(laid, layout.TILE_WORDS)


@cache
def _log_ways(features: int) -> float:
    """Ways to give each of some features to nobody, seat 0 or seat 1, at most seven to a seat."""
    most = layout.MEEPLES_PER_SEAT
    return math.log(
        sum(
            math.comb(features, first) * math.comb(features - first, second)
            for first in range(min(most, features) + 1)
            for second in range(min(most, features - first) + 1)
        )
    )
