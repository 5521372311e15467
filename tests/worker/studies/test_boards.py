"""Boards of Carcassonne: the estimator against all boards of small boxes, laid one by one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from games import rng
from games.carcassonne import reading, tiles
from games.carcassonne import state as layout
from tests.games import walks
from worker.studies import boards, populations

LETTERS = tiles.load().letters


def box(**copies: int) -> Any:
    """The start tile with only some tiles left to draw."""
    state = boards.start(walks.game_of("carcassonne"))
    pool = np.array([copies.get(letter, 0) for letter in LETTERS], np.int32)
    state[layout.POOL : layout.POOL + layout.NUM_TYPES] = pool
    state[layout.POOL_TYPES] = sum(1 << t for t in np.flatnonzero(pool).tolist())
    state[layout.NUM_LEFT] = pool.sum()
    return state


def board_of(game: Any, state: Any) -> frozenset[Any]:
    return frozenset((t.type, t.x, t.y, t.rotation) for t in reading.laid_tiles(game.kernels(), state))


def enumerated(game: Any, start: Any, depth: int) -> list[dict[frozenset[Any], Any]]:
    """All different boards of each number of tiles, by the rules themselves: draw, lay, no meeple."""
    levels = [{board_of(game, start): start}]
    for _ in range(depth):
        found = {}
        for state in levels[-1].values():
            if game.is_terminal(state):
                continue
            for outcome in np.flatnonzero(state[layout.POOL : layout.POOL + layout.NUM_TYPES]):
                drawn = game.apply(state, int(outcome))
                for action in game.legal_actions(drawn):
                    if action % layout.ACTION_ROTATION == 0:
                        after = game.apply(drawn, int(action))
                        found[board_of(game, after)] = after
        levels.append(found)
    return levels


def assert_counted(counts: list[populations.Count], level: int, exact: int) -> None:
    """The mean is exact within four standard errors, which are small."""
    logs = [count.levels[level] if level < len(count.levels) else None for count in counts]
    found = np.array([0.0 if log is None else 10**log for log in logs])
    error = found.std(ddof=1) / math.sqrt(len(found))
    assert abs(found.mean() - exact) < 4 * error + 1e-6 * exact, (level, exact)
    assert error < 0.08 * exact


@pytest.mark.long
@pytest.mark.parametrize(
    ("copies", "depth"),
    [
        ({"U": 2, "V": 1, "E": 1}, 4),
        *(pytest.param(*box, marks=pytest.mark.slow) for box in [({"B": 3}, 3), ({"X": 1, "C": 1, "W": 2}, 4)]),
    ],
)
def test_estimates_meet_enumeration(copies: dict[str, int], depth: int) -> None:
    game, start = walks.game_of("carcassonne"), box(**copies)
    exact = [len(level) for level in enumerated(game, start, depth)]
    step = lambda state, r: boards.step(game, state, r)
    counts = [
        populations.count(start, step, 60, rng.new_stream(seed, rng.ANALYSIS), promise=boards.promise)
        for seed in range(20)
    ]
    for level in range(1, depth + 1):
        assert_counted(counts, level, exact[level])


@pytest.mark.long
def test_the_whole_box_after_one_tile() -> None:
    game = walks.game_of("carcassonne")
    exact = len(enumerated(game, boards.start(game), 1)[1])
    step = lambda state, r: boards.step(game, state, r) if int(state[layout.NUM_LAID]) == 1 else (0.0, state)
    counts = [
        populations.count(boards.start(game), step, 100, rng.new_stream(seed, rng.ANALYSIS)) for seed in range(20)
    ]
    assert_counted(counts, 1, exact)


def test_removable_tiles_are_those_that_keep_the_board_whole() -> None:
    game = walks.game_of("carcassonne")
    for state in walks.some(walks.turns("carcassonne"), 5)[1:]:
        laid = int(state[layout.NUM_LAID])
        cells = [(t.x, t.y) for t in reading.laid_tiles(game.kernels(), state)]
        whole = 0
        for without in range(1, laid):
            rest = set(cells) - {cells[without]}
            seen, waiting = {cells[0]}, [cells[0]]
            while waiting:
                x, y = waiting.pop()
                for beside in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                    if beside in rest and beside not in seen:
                        seen.add(beside)
                        waiting.append(beside)
            whole += len(seen) == len(rest)
        assert boards.removable(state) == whole


def test_meeples_on_open_features() -> None:
    # the start tile: one city, one road, a field on either side of it: four features, three choices each
    start = boards.start(walks.game_of("carcassonne"))
    assert boards.placements(start) == pytest.approx(math.log(3**4))
    # a second monastery tile under it: one monastery more; its field joins the southern one
    game = walks.game_of("carcassonne")
    drawn = game.apply(start, LETTERS.index("B"))
    below = next(int(a) for a in game.legal_actions(drawn) if game.notation(drawn, int(a)).startswith("B 0,1"))
    assert boards.placements(game.apply(drawn, below - below % layout.ACTION_ROTATION)) == pytest.approx(math.log(3**5))


def test_open_features_are_those_that_the_rules_know() -> None:
    """Against roots of the rules; a monastery with eight tiles round it is finished."""
    game = walks.game_of("carcassonne")
    kernels, table = game.kernels(), tiles.load()
    for state in walks.some(walks.turns("carcassonne"), 6):
        laid = reading.laid_tiles(kernels, state)
        cells = {(t.x, t.y) for t in laid}
        found = 0
        for i, tile in enumerate(laid):
            t = LETTERS.index(tile.type)
            for k in range(int(table.num_segments[t])):
                n = kernels.node(i, k)
                kind = int(table.kind[layout.SLOTS * t + k])
                if kind == tiles.MONASTERY:
                    beside = {(tile.x + dx, tile.y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
                    found += not beside <= cells
                elif kernels.root(state, n) == n:
                    found += kind == tiles.FIELD or bool(state[n + layout.OPEN] > 0)
        assert boards.placements(state) == pytest.approx(boards._log_ways(found))


def test_seven_meeples_a_seat_at_most() -> None:
    # eight features: all ways but those that give all eight to one seat
    assert boards._log_ways(8) == pytest.approx(math.log(3**8 - 2))
