"""Measures what the rules alone tell of a game's costs (`games.costs`): ``python -m games costs GAME``.

What engines and the runner take stays as it stands: seconds of a ply are measured by ``python -m worker costs``,
`action_s` and `hands` by ``python -m engines bench``, `outcomes` is counted there.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from games import bench, loader, rng
from games.costs import Costs
from games.protocol import CHANCE, TERMINAL, Game, State

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
    states = _decisions(game, game.traits.max_seats)
    usual = _decisions(game, bench.usual_seats(game))
    playout_s = _playout_s(game, states[:: max(1, len(states) // DECISIONS)], seconds)
    actions = [len(game.legal_actions(state)) for state in usual]
    return replace(
        game.costs,
        plies=rounded(len(states) / MATCHES, 3),
        legal_actions=rounded(sum(actions) / len(actions)),
        playout_s=rounded(playout_s),
        policies=policies,
    )


def _decisions(game: Game, seats: int) -> list[State]:
    """The states of some matches, all seats played by the usual policy, in which a seat was on turn."""
    return [state for number in range(MATCHES) for state in _match(game, seats, number)]


def _match(game: Game, seats: int, number: int) -> list[State]:
    r = rng.new_stream(SEED, rng.ANALYSIS, number)
    rules, choose = game.kernels(), game.policy(game.usual_policy)
    policy = list(rules.policies.NAMES).index(game.usual_policy)
    actions = np.zeros(rules.MAX_ACTIONS, np.int32)
    journal = np.ones(loader.JOURNAL_WORDS, np.int32)
    state, found = game.initial_state(game.options(), seats), []
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
    return {policy: rounded(max(LEAST_S, ply_s(policy) - rules_s)) for policy in game.policies if policy != "random"}


def rounded(value: float, digits: int = DIGITS) -> float:
    """A figure with as many digits as it deserves."""
    return float(f"{value:.{digits}g}")
