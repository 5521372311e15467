"""Measures what the rules alone tell of a game's costs (`games.costs`): ``python -m games costs GAME``.

What engines and the recording of matches take stays as it stands: `ply_s` is timed by ``python -m worker run``
with players that do not think, `action_s` and `hands` by ``python -m engines bench``, `outcomes` is counted there.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from games import bench, loader, rng
from games.costs import Costs
from games.protocol import CHANCE, TERMINAL, Game, Rng, State

SEED = 2026
MATCHES = 20
DECISIONS = 40
"""Number of decisions that playouts are timed from, evenly spread over all that were made."""
SHARES = 10
"""Measured slices of the time for one figure."""
LEAST_S = 1e-8
"""Least time of a decision by a policy: where playouts by it are hardly longer than random ones."""
DIGITS = 2


def measure(game: Game, seconds: float) -> Costs:
    """The game's figures with those that the rules tell measured anew. seconds: for playouts, and for each policy.

    Raises ValueError for seconds that make no sense.
    """
    policies = _policies(game, seconds)
    matches = [_decisions(game, rng.new_stream(SEED, rng.ANALYSIS, number)) for number in range(MATCHES)]
    states = [state for match in matches for state in match]
    playout_s = _playout_s(game, states[:: max(1, len(states) // DECISIONS)], seconds)
    actions = [len(game.legal_actions(state)) for state in states]
    return replace(
        game.costs,
        plies=_rounded(len(states) / len(matches), 3),
        legal_actions=_rounded(sum(actions) / len(actions)),
        playout_s=_rounded(playout_s),
        policies=policies,
    )


def _decisions(game: Game, r: Rng) -> list[State]:
    """The states of a match with the most seats, all played by the usual policy, in which a seat was on turn."""
    rules, choose = game.kernels(), game.policy(game.usual_policy)
    policy = list(rules.policies.NAMES).index(game.usual_policy)
    actions = np.zeros(rules.MAX_ACTIONS, np.int32)
    journal = np.ones(loader.JOURNAL_WORDS, np.int32)
    state, found = game.initial_state(game.options(), game.traits.max_seats), []
    while (seat := game.current_player(state)) != TERMINAL:
        if seat == CHANCE:
            state = game.apply(state, game.sample_chance(state, r))
            continue
        found.append(state)
        journal[0] = 1
        state = game.apply(state, int(choose(policy, state.copy(), r, actions, journal)))
    return found


def _playout_s(game: Game, states: Sequence[State], seconds: float) -> float:
    """CPU seconds of a random playout from these states: the best of several slices, averaged over the states."""
    playouts, best = bench.Playouts(game, "random"), []
    for state in states:
        rates: list[float] = []
        number, count, slice_s = 0, 1, seconds / (SHARES * len(states))
        while len(rates) < SHARES:
            start = time.thread_time()
            playouts.run(state, number, count, SEED)
            taken = time.thread_time() - start
            number += count
            if taken < slice_s:
                count *= 2
            else:
                rates.append(taken / count)
        best.append(min(rates))
    return sum(best) / len(best)


def _policies(game: Game, seconds: float) -> dict[str, float]:
    """CPU seconds of a decision by each policy: a ply of its matches less one of random matches."""

    def ply_s(policy: str) -> float:
        return 1.0 / float(bench.measure(game, policy, seconds)["plies_per_s"])

    rules_s = ply_s("random")
    return {policy: _rounded(max(LEAST_S, ply_s(policy) - rules_s)) for policy in game.policies if policy != "random"}


def _rounded(value: float, digits: int = DIGITS) -> float:
    return float(f"{value:.{digits}g}")
