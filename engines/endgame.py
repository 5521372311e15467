"""The last plies of a match, searched to the end: by max^n once nothing is left to chance, or over all that is.

Where two seats play and chance can be listed, the rest of a match is a tree of known draws, which Star2 searches with
the points alone as evaluation: it prunes, and finds the best action as plain Expectimax would. The tree is tried where
its first plies alone, all actions to the power of the plies after this one, are no more than the actions allowed.
"""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from engines import deepening, templates, utilities
from engines.deepening import SCORE, Plan, Run
from engines.driver import Clock, NodeAllowance
from engines.protocol import Decision, Table
from games import loader, readiness
from games import rng as random_streams
from games.protocol import Actions, Game, Rng, State

SHARE = 0.5
"""Share of a ply's time for the attempt to search the match through; a search has the rest if it fails."""
TWO = 2
BOUNDS = {"difference": 1e9, "wdl": 1.0}
"""Utility -> largest margin, in points, that is told from greater ones: one point either way is all that a win is."""


class Attempt(NamedTuple):
    """Utility of every action of the seat on turn, in the order of the rules, and the actions made for it.

    values: float64[n], or None where the match was not searched through; is_bound: bool[n], the value is only known
    not to be better than this.
    """

    values: NDArray[np.float64] | None
    nodes: int
    is_bound: NDArray[np.bool_] | None = None


def kernels_of(game: Any) -> ModuleType:
    """Kernels over a game's rules, compiled or loaded on first use."""
    return _kernels(game, readiness.usual_mode())


@cache
def _kernels(game: Any, mode: str) -> ModuleType:  # games are one object each, by identity
    kernels = templates.load("endgame", game.folder, False, mode)

    def exercise() -> None:
        r = random_streams.new_stream(0, random_streams.ANALYSIS)
        state = game.initial_state(game.options(), game.traits.min_seats)
        while game.current_player(state) < 0:
            state = game.apply(state, game.sample_chance(state, r))
        search(game.kernels(), kernels, state, ("difference", "best"), NodeAllowance(1, None, True))

    loader.ensure_loaded(kernels, exercise)
    return kernels


def search(
    rules: ModuleType, kernels: ModuleType, view: State, maximised: tuple[str, str], allowance: NodeAllowance
) -> Attempt:
    """Return the values of `solve`, by kernels over a game's rules."""
    rows = kernels.DEPTH + 1
    turns, progress = np.zeros((rows, kernels.TURN), np.int64), np.zeros(kernels.PROGRESS, np.int64)
    stack = (
        np.empty((rows, rules.SIZE), np.int32),
        np.empty((rows, rules.MAX_ACTIONS), np.int32),
        turns,
        np.empty((rows, rules.MAX_SEATS), np.float64),
        np.ones(1, np.int32),
        np.zeros(rules.MAX_SEATS, np.int64),
    )
    values = np.zeros(rules.MAX_ACTIONS)
    kind, total = utilities.UTILITIES.index(maximised[0]), maximised[1] == "total"
    kernels.begin(view, stack, progress)
    found = kernels.PAUSED
    while found == kernels.PAUSED and not allowance.is_over(made := int(progress[kernels.NODES])):
        found = kernels.solve(kind, total, allowance.share(made)[0], stack, progress, values)
    nodes = int(progress[kernels.NODES])
    return Attempt(values[: turns[0, kernels.COUNT]].copy() if found == kernels.SOLVED else None, nodes)


def solve(game: Game, view: State, maximised: tuple[str, str], allowance: NodeAllowance) -> Attempt:
    """Return the value of every action if all seats play on for themselves (max^n).

    maximised: (utility, opponent), as options of engines name them. Not known where chance has a
    say before the end and cannot be searched, where the allowance does not suffice, and beyond the kernels' depth.
    Compiled code is called for a slice of the allowance at a time.
    """
    if has_known_draws(game) and game.num_seats(view) == TWO and maximised[0] in BOUNDS:
        return _over_draws(game, view, BOUNDS[maximised[0]], allowance)
    return search(game.kernels(), kernels_of(cast(Any, game)), view, maximised, allowance)


def has_known_draws(game: Game) -> bool:
    """Whether what is left to chance in this game can be searched, and its points be weighed."""
    is_weighed = any(SCORE in weights for weights in game.evaluations.values())
    return game.traits.has_chance and game.traits.chance_is_listable and is_weighed


def prepare(game: Game) -> None:
    """Load what `solve` needs."""
    if has_known_draws(game):
        deepening.kernels_of(cast(Any, game))
    if not has_known_draws(game) or game.traits.max_seats > TWO:
        kernels_of(cast(Any, game))


def _over_draws(game: Game, view: State, bound: float, allowance: NodeAllowance) -> Attempt:
    """Search the tree of all draws that are left. bound: largest margin that counts, so 1 tells wins from losses."""
    actions, depth = game.legal_actions(view), sum(game.plies_left(view, seat) for seat in range(TWO))
    if len(actions) ** (depth - 1) > (allowance.nodes or 0):
        return Attempt(None, 0)
    kernels = deepening.kernels_of(cast(Any, game))
    weights = np.array([float(term == SCORE) for term in kernels.rules.evaluation.WEIGHTS])
    order = len(game.orderings) - 1 if game.orderings else 0
    plan = Plan(True, 1, True, True, False, order, weights, bound)
    run = Run(kernels, view, game.current_player(view), plan, depth)
    found = run.deepen(sorted({1, depth}), allowance)
    if found.depth < depth or found.done < len(actions):
        return Attempt(None, run.nodes)
    place = np.argsort(found.actions)[np.searchsorted(np.sort(found.actions), actions)]
    return Attempt(found.values[place], run.nodes, found.is_bound[place])


def attempt(game: Game, view: State, options: Any, seconds: float | None, cpu_clock: bool) -> Attempt:
    """Try to search the match to its end, within the option's actions and a share of the ply's seconds.

    options: with `endgame`, `utility`, `opponent`.
    """
    if not options.endgame:
        return Attempt(None, 0)
    time = None if seconds is None else SHARE * seconds
    allowance = NodeAllowance(options.endgame, time, cpu_clock)
    return solve(game, view, (options.utility, options.opponent), allowance)


def decision(actions: Actions, found: Attempt, clock: Clock, rng: Rng) -> Decision:
    """The best action of a match that is searched to its end; ties at random."""
    assert found.values is not None
    visits, n = np.ones(len(actions), np.int64), len(actions)
    is_bound = np.zeros(n, np.bool_) if found.is_bound is None else found.is_bound
    known = np.where(is_bound, -np.inf, found.values)
    best = np.flatnonzero(known == known.max())
    chosen = int(best[random_streams.below(rng, len(best))])
    return Decision(
        action=int(actions[chosen]),
        value=float(found.values[chosen]),
        table=Table(actions, found.values, visits, np.full(n, np.nan), found.is_bound),
        nodes=found.nodes,
        elapsed_s=clock.elapsed_s,
        cpu_s=clock.cpu_s,
    )
