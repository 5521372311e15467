"""Value of points for winning the match: the chance of winning from every score, by the rules in force.

Rounds are played out by `playout_policy` under those rules (seeded, once for each set of rules); from what
they come to follows the chance of either team to win from a score and an opener, backwards from the
target. A single round is won or lost, whatever its points.
"""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from games.dominoes import state as layout
from games.dominoes.search import fitted_weights, valuations
from games.dominoes.search.valuations import MOST_POINTS as MOST
from games.hands import Valuation
from games.protocol import State

ROUNDS = 4000
SEED = 100
SHARPNESS = 4.0
STEPS = 100
"""Number of steps up to the target in which scores are distinguished."""
MOST_TABLES = 32
"""Sets of rules whose tables are kept, 160 KB each."""
WON = 25.0
"""Points that a single round that is won counts as."""
NEAR = 10
"""Points on both sides of a score from which follows what one is worth there."""


def worths(kernels: ModuleType, state: State) -> NDArray[np.float64]:
    """Value for team 0 of a round that a team wins with so many points, float64[team, points].

    In points: what a point is worth on either side of the score. Nothing won counts 0.
    """
    if state[layout.LENGTH]:
        return np.outer([WON, -WON], np.ones(MOST))
    table = _table(kernels, tuple(state[layout.RULES : layout.RULES + layout.NUM_OPTIONS].tolist()))
    step = _step(int(state[layout.TARGET]))
    credit = [int(state[layout.CREDIT + team]) for team in range(2)]
    opener, follows = int(state[layout.OPENER]) & 1, int(state[layout.NEXT_OPENER]) == 0

    def chance(a: NDArray[np.int64], b: NDArray[np.int64], winner: int) -> NDArray[np.float64]:
        after = 1 - opener if follows or winner < 0 else winner
        top = len(table) - 1
        found: NDArray[np.float64] = table[np.minimum(a // step, top), np.minimum(b // step, top), after]
        return found

    points, none = np.arange(MOST), np.zeros(MOST, np.int64)
    now = chance(none[:1] + credit[0], none[:1] + credit[1], -1)[0]
    won = chance(points + credit[0], none + credit[1], 0) - now
    lost = chance(none + credit[0], points + credit[1], 1) - now
    slope = max(1e-4, float(won[NEAR * step] - lost[NEAR * step]) / (2 * NEAR * step))
    return np.array([won, lost]) / slope


def chance_to_win(kernels: ModuleType, state: State, team: int) -> float:
    """The chance of a team to win a match between rounds, by the score and who opens next."""
    table = _table(kernels, tuple(state[layout.RULES : layout.RULES + layout.NUM_OPTIONS].tolist()))
    step, top = _step(int(state[layout.TARGET])), len(table) - 1
    a, b = (min(int(state[layout.CREDIT + k]) // step, top) for k in range(2))
    chance = float(table[a, b, int(state[layout.COMING_OPENER]) & 1])
    return chance if team == 0 else 1.0 - chance


def _step(target: int) -> int:
    return -(-target // STEPS)


@lru_cache(maxsize=MOST_TABLES)
def _table(kernels: ModuleType, rules: tuple[int, ...]) -> NDArray[np.float64]:
    """Chance of team 0 to win, float64[its score, the other's, team that opens next], scores in steps."""
    state = np.zeros(layout.SIZE, np.int32)
    state[layout.RULES : layout.RULES + layout.NUM_OPTIONS] = rules
    target = int(state[layout.TARGET])
    step = _step(target)
    shares = _shares(kernels, state, step)
    return _backwards(shares, -(-target // step), int(state[layout.NEXT_OPENER]) == 0)


def _shares(kernels: ModuleType, state: State, step: int) -> NDArray[np.float64]:
    """Shares of rounds that give the opener's team so many steps: float64[2 * MOST + 1], from -MOST on."""
    state[layout.ROUND] = layout.MAX_ROUNDS // 2  # none of the first rounds, which have bonuses
    state[layout.LEFT] = state[layout.RIGHT] = -1
    w = valuations.words(kernels, state, Valuation(), valuations.points())
    found, r = np.zeros(ROUNDS, np.int64), np.zeros(4, np.uint64)
    kernels.playout_policy.play_rounds(state, w, SHARPNESS * fitted_weights.playout_policy(), SEED, r, found)
    points = found / valuations.FINE
    steps = np.sign(points) * np.ceil(np.abs(points) / step)
    return np.bincount(steps.astype(np.int64) + MOST, minlength=2 * MOST + 1) / ROUNDS


def _backwards(shares: NDArray[np.float64], target: int, follows: bool) -> NDArray[np.float64]:
    """The table, from the highest scores down. follows: whether openers go round, else winners open."""
    table = np.zeros((target + 1, target + 1, 2))
    table[target, :, :] = 1.0
    table[target, target, :] = 0.5
    gains = np.arange(1, MOST + 1)
    by_opener, by_other, void = shares[MOST + 1 :], shares[MOST - 1 :: -1], float(shares[MOST])
    for total in range(2 * target - 2, -1, -1):
        for a in range(max(0, total - target + 1), min(target - 1, total) + 1):
            b = total - a
            up, across = np.minimum(a + gains, target), np.minimum(b + gains, target)
            sums = []
            for opener in range(2):
                win, lose = (by_opener, by_other) if opener == 0 else (by_other, by_opener)
                after_win, after_loss = (1 - opener, 1 - opener) if follows else (0, 1)
                sums.append(float(win @ table[up, b, after_win] + lose @ table[a, across, after_loss]))
            # a void round gives the opening away
            both = 1.0 - void * void
            table[a, b, 0] = (sums[0] + void * sums[1]) / both
            table[a, b, 1] = (sums[1] + void * sums[0]) / both
    return table
