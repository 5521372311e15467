"""Searches over hands: double dummy, Imperfect Minimax, and many worlds (PIMC), as engines ask for them.

All values are for the team of the seat on turn, in points or what is worth as much. A state is one in
which a seat is on turn; `known` hands are looked at by `values` alone, everything else goes by what
the seat on turn knows. Arrays that the kernels overwrite are kept for each thread.
"""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass
from functools import cache, partial
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from games import loader
from games.dominoes import beliefs, chances, tiles, valuing, weights
from games.dominoes import state as layout
from games.dominoes.valuing import TABLE_BITS, How
from games.protocol import State

TO_THE_END = -1


class _Memory(threading.local):
    """A thread's table of positions, and its numbers that outlive a search."""

    def __init__(self) -> None:
        self.table = np.zeros(2 << TABLE_BITS, np.int64)
        self.generation: int = 0


_memory = _Memory()


def table() -> NDArray[np.int64]:
    """This thread's table of positions."""
    return _memory.table


def turns(state: State) -> int:
    """Turns of the present round, passes included."""
    return int(state[layout.NUM_TURNS])


def is_first_tile(view: State) -> bool:
    """Whether the seat on turn has laid nothing yet."""
    return bool(view[layout.COUNT + int(view[layout.PLAYER])] == tiles.HAND_SIZE)


def depth_at(state: State, alpha: float, beta: float) -> int:
    """Turns to be searched after so many turns n: floor(alpha * 2^(beta * floor(n / 4))), the paper's formula.

    What is less than a thousandth short of a whole number counts as it: a beta of 0.333333 is a third.
    """
    grown: float = alpha * 2.0 ** min(60.0, beta * (turns(state) // 4))
    return max(1, math.floor(min(float(layout.MAX_TURNS), grown) + 1e-3))


def words(kernels: ModuleType, state: State, how: How) -> NDArray[np.int64]:
    """What kernels keep of a search (`worlds`), with the values of `how`."""
    worths = chances.worths(kernels, state) if how.payoff == "match" else valuing.points()
    w = valuing.words(kernels, state, how, worths)
    w[kernels.worlds.GENERATION] = _memory.generation
    return w


def resumed(kernels: ModuleType, w: NDArray[np.int64]) -> NDArray[np.int64]:
    """Go on with a search after others of this thread: what these left in the table is old."""
    w[kernels.worlds.GENERATION] = _memory.generation
    return w


def end(kernels: ModuleType, w: NDArray[np.int64]) -> int:
    """Remember which entries of the table are old; return the turns that were made."""
    _memory.generation = int(w[kernels.worlds.GENERATION])
    return int(w[kernels.worlds.NODES])


def compiled(kernels: ModuleType) -> ModuleType:
    """The rules' kernels, with all that searches call compiled, once for all processes."""
    beliefs.ensure_compiled(kernels)
    for module, exercise in (
        (kernels.solving, _exercise_known),
        (kernels.imperfect, _exercise_imperfect),
        (kernels.sampling, _exercise_worlds),
        (kernels.postponing, _exercise_postponed),
        (kernels.manner, _exercise_manner),
        (kernels.tree, _exercise_tree),
    ):
        loader.ensure_compiled(module, partial(exercise, kernels))
    return kernels


def sorted_actions(legal: NDArray[np.int32]) -> NDArray[np.int32]:
    """Actions with the most pips first, then in the order of the rules: of equal values the first is taken."""
    pips = [int(tiles.PIPS[action >> 1]) if action < layout.PASS else -1 for action in legal.tolist()]
    return legal[np.argsort(-np.array(pips), kind="stable")]


@dataclass(frozen=True)
class Found:
    """Values of actions and turns made below each, float64[2, n]; all turns made; how deep it went after each."""

    rows: NDArray[np.float64]
    nodes: int
    depth: int

    @property
    def values(self) -> NDArray[np.float64]:
        """Float64[n]."""
        found: NDArray[np.float64] = self.rows[0]
        return found

    @property
    def visits(self) -> NDArray[np.int64]:
        """Turns made below each action in the search that counts, int64[n]."""
        return np.asarray(self.rows[1], np.int64)


def values(
    kernels: ModuleType,
    state: State,
    actions: NDArray[np.int32],
    depth: int,
    how: How,
    most_turns: int = valuing.MOST_TURNS,
) -> Found:
    """Value of each action and `depth` turns after it (TO_THE_END: all), or as many as `most_turns` allow.

    Raises ValueError for unknown hands.
    """
    if (state[layout.HAND : layout.COUNT] == layout.UNKNOWN).any():
        raise ValueError("all hands must be known")
    w, out = words(kernels, state, how), np.zeros((2, len(actions)))
    w[kernels.worlds.MOST_TURNS] = most_turns
    kernels.worlds.begin(state, w, *(int(state[layout.HAND + seat]) for seat in range(layout.MAX_SEATS)))
    reached = int(kernels.solving.values(state, w, _memory.table, actions, depth, out))
    return Found(out, end(kernels, w), reached)


def imperfect(
    kernels: ModuleType,
    state: State,
    actions: NDArray[np.int32],
    depth: int,
    how: How,
    *,
    is_exact: bool = False,
    is_unsound: bool = False,
) -> Found:
    """Value of each action and `depth` turns after it by Imperfect Minimax (`imperfect`), or as many as in `values`.

    is_exact: every value for itself, else those that do not beat an earlier one are bounds from above;
    is_unsound: prune as the authors' program does.
    """
    w, out = words(kernels, state, how), np.zeros((2, len(actions)))
    reached = int(kernels.imperfect.values(state, w, actions, depth, is_exact, is_unsound, out))
    return Found(out, end(kernels, w), reached)


def terms(kernels: ModuleType, view: State, seat: int, actions: NDArray[np.int32]) -> NDArray[np.float64]:
    """What each action does, as `manner` weighs it: float64[n, terms]. Looks at the seat's own hand alone."""
    w, out = words(kernels, view, How()), np.zeros((len(actions), kernels.manner.TERMS))
    kernels.imperfect.begin(view, w, seat)
    kernels.manner.begin(view, w)
    kernels.manner.list_terms(view, w, np.zeros(len(weights.manner())), seat, actions, out)
    return out


def appeals(kernels: ModuleType, view: State, seat: int, actions: NDArray[np.int32]) -> NDArray[np.float64]:
    """Appeal of each action to a seat that plays by `manner`."""
    phase, n = int(kernels.manner.phase_of(int(view[layout.COUNT + seat]))), kernels.manner.TERMS
    return terms(kernels, view, seat, actions) @ weights.manner()[phase * n : (phase + 1) * n]


@cache
def _endgame() -> State:
    """Two tiles each, 6-6 on the table."""
    state = np.zeros(layout.SIZE, np.int32)
    state[layout.UNPLAYED] = 255
    state[layout.HAND : layout.COUNT] = [3, 12, 48, 192]
    state[layout.COUNT : layout.LACKS] = 2
    return state


def _exercise_known(kernels: ModuleType) -> None:
    state = _endgame()
    w, out = words(kernels, state, How()), np.zeros((2, 1))
    kernels.worlds.begin(state, w, 3, 12, 48, 192)
    kernels.solving.values(state, w, _memory.table, np.zeros(1, np.int32), 2, out)


def _exercise_imperfect(kernels: ModuleType) -> None:
    state = _endgame()
    w, out = words(kernels, state, How()), np.zeros((2, 1))
    kernels.imperfect.values(state, w, np.zeros(1, np.int32), 2, False, False, out)


def _exercise_worlds(kernels: ModuleType) -> None:
    module, state, w = kernels.sampling, _endgame(), words(kernels, _endgame(), How())
    deals, r, classes = np.zeros((1, 4), np.int64), np.zeros(4, np.uint64), np.zeros(kernels.dealing.WORK, np.int64)
    actions, weigh, tally = np.zeros(1, np.int32), np.ones(1), np.zeros((5, 1))
    module.draw(state, 0, 1, 0, True, r, classes, deals)
    module.weigh(state, w, weights.manner(), 0, deals, weigh)
    module.search_worlds(state, w, _memory.table, actions, deals, weigh, 1, np.zeros((2, 1)), tally)
    module.play_worlds(state, w, weights.manner(), actions, deals, weigh, 1, 1, 0, r, tally)


def _exercise_postponed(kernels: ModuleType) -> None:
    module, state, w = kernels.postponing, _endgame(), words(kernels, _endgame(), How())
    deals, most = np.array([[3, 12, 48, 192]]), module.MOST_MOVES
    found = np.zeros((1, 1), np.int64), np.zeros((1, 1), np.int64), np.zeros((1, 1, most))
    module.follow_worlds(state, w, _memory.table, np.zeros(1, np.int32), deals, 1, np.zeros(most, np.int64), *found)


def _exercise_manner(kernels: ModuleType) -> None:
    state = _endgame()
    w, r, out = words(kernels, state, How()), np.zeros(4, np.uint64), np.zeros((1, kernels.manner.TERMS))
    kernels.manner.phase_of(2)
    kernels.manner.begin(state, w)
    kernels.manner.list_terms(state, w, np.zeros(len(weights.manner())), 0, np.zeros(1, np.int32), out)
    kernels.manner.play_rounds(state, w, weights.manner(), 1, r, np.zeros(1, np.int64))


def _exercise_tree(kernels: ModuleType) -> None:
    module, state = kernels.tree, _endgame()
    w, r, deals = words(kernels, state, How()), np.zeros(4, np.uint64), np.array([[3, 12, 48, 192]])
    kernels.solving.move_of(0)
    module.accept(deals, np.zeros(1), 1, 0, r, np.zeros(4, np.int64), np.zeros(1))
    arrays = np.zeros((4, module.COLUMNS), np.int64), np.zeros((4, 2)), np.zeros(module.MOST_DEPTH, np.int64)
    module.simulate(
        state, w, weights.manner(), weights.manner(), 1.0, 0, np.zeros(1, np.int64), deals, 1, 0, r, *arrays, 1
    )
    module.child_of(arrays[0], 0, 0)
