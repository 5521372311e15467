"""Compiles and loads all that searches over hands call, on an ending of two tiles each."""

from __future__ import annotations

from functools import cache, partial
from types import ModuleType

import numpy as np

from games import loader
from games.dominoes import state as layout
from games.dominoes.belief import beliefs, opponent_model
from games.dominoes.search import fitted_weights, workspace
from games.hands import Valuation
from games.protocol import State


def compile_searches(kernels: ModuleType) -> ModuleType:
    """The rules' kernels, with all that searches call compiled and loaded; every decision asks for them."""
    if not getattr(kernels, "HAS_SEARCHES", False):
        _load(kernels)
        kernels.HAS_SEARCHES = True  # type: ignore[attr-defined]
    return kernels


def _load(kernels: ModuleType) -> None:
    beliefs.ensure_loaded(kernels)
    opponent_model.ensure_loaded(kernels)
    for module, exercise in (
        (kernels.double_dummy, _exercise_double_dummy),
        (kernels.imperfect_minimax, _exercise_imperfect_minimax),
        (kernels.determinization, _exercise_determinization),
        (kernels.epimc, _exercise_epimc),
        (kernels.playout_policy, _exercise_playout_policy),
        (kernels.ismcts, _exercise_ismcts),
    ):
        loader.ensure_loaded(module, partial(exercise, kernels))


@cache
def _endgame() -> State:
    """Two tiles each, 6-6 on the table."""
    state = np.zeros(layout.SIZE, np.int32)
    state[layout.UNPLAYED] = 255
    state[layout.HAND : layout.COUNT] = [3, 12, 48, 192]
    state[layout.COUNT : layout.LACKS] = 2
    return state


def _exercise_double_dummy(kernels: ModuleType) -> None:
    state = _endgame()
    w, out = workspace.words(kernels, state, Valuation()), np.zeros((2, 1))
    kernels.worlds.begin(state, w, 3, 12, 48, 192)
    kernels.double_dummy.values(state, w, workspace.table(), np.zeros(1, np.int32), 2, out)


def _exercise_imperfect_minimax(kernels: ModuleType) -> None:
    state = _endgame()
    w, out = workspace.words(kernels, state, Valuation()), np.zeros((2, 1))
    kernels.imperfect_minimax.values(state, w, np.zeros(1, np.int32), 2, False, False, out)


def _exercise_determinization(kernels: ModuleType) -> None:
    module, state, w = kernels.determinization, _endgame(), workspace.words(kernels, _endgame(), Valuation())
    deals, r, classes = np.zeros((1, 4), np.int64), np.zeros(4, np.uint64), np.zeros(kernels.dealing.WORK, np.int64)
    actions, weigh, tally = np.zeros(1, np.int32), np.ones(1), np.zeros((5, 1))
    module.draw(state, 0, 1, 0, True, r, classes, deals)
    module.weigh(state, w, fitted_weights.playout_policy(), 0, deals, weigh)
    module.search_worlds(state, w, workspace.table(), actions, deals, weigh, 1, np.zeros((2, 1)), tally)
    module.play_worlds(state, w, fitted_weights.playout_policy(), actions, deals, weigh, 1, 1, 0, r, tally)


def _exercise_epimc(kernels: ModuleType) -> None:
    module, state, w = kernels.epimc, _endgame(), workspace.words(kernels, _endgame(), Valuation())
    deals, most = np.array([[3, 12, 48, 192]]), module.MOST_MOVES
    found = np.zeros((1, 1), np.int64), np.zeros((1, 1), np.int64), np.zeros((1, 1, most))
    module.follow_worlds(state, w, workspace.table(), np.zeros(1, np.int32), deals, 1, np.zeros(most, np.int64), *found)


def _exercise_playout_policy(kernels: ModuleType) -> None:
    module, state, weights = kernels.playout_policy, _endgame(), fitted_weights.playout_policy()
    w, r, out = workspace.words(kernels, state, Valuation()), np.zeros(4, np.uint64), np.zeros((1, module.TERMS))
    kernels.imperfect_minimax.begin(state, w, 0)
    module.phase_of(2)
    module.begin(state, w)
    module.list_terms(state, w, np.zeros(len(weights)), 0, np.zeros(1, np.int32), out)
    module.most_appealing(state, w, weights, 0, np.zeros(1, np.int32), 1)
    module.play_rounds(state, w, weights, 1, r, np.zeros(1, np.int64))


def _exercise_ismcts(kernels: ModuleType) -> None:
    module, state, weights = kernels.ismcts, _endgame(), fitted_weights.playout_policy()
    w, r, deals = workspace.words(kernels, state, Valuation()), np.zeros(4, np.uint64), np.array([[3, 12, 48, 192]])
    moves = np.array([kernels.double_dummy.move_of(0)])
    module.accept(deals, np.zeros(1), 1, 0, r, np.zeros(4, np.int64), np.zeros(1))
    arrays = np.zeros((4, module.COLUMNS), np.int64), np.zeros((4, 2)), np.zeros(module.MOST_DEPTH, np.int64)
    module.simulate(state, w, weights, weights, 1.0, 0, moves, deals, 1, 0, r, *arrays, 1)
    module.child_of(arrays[0], 0, 0)
