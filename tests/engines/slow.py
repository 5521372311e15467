"""Expectimax and max^n from their definitions, through the face of a game: sharing no code with engines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from games.protocol import CHANCE, TERMINAL, State

Totals = Callable[[State], Sequence[float]]


def evaluation(game: Any, weights: dict[str, float]) -> Totals:
    """Every seat's total by the game's own evaluation."""
    kernels = game.kernels()
    row = np.array([weights[term] for term in kernels.evaluation.WEIGHTS], np.float64)

    def totals(state: State) -> Sequence[float]:
        out = np.zeros(kernels.MAX_SEATS)
        kernels.evaluation.evaluate(state, row, out)
        return out[: game.num_seats(state)].tolist()  # type: ignore[no-any-return]

    return totals


def margins(totals: Sequence[float], bound: float) -> list[float]:
    """Own total minus the best other, for every seat, within the bounds."""
    others = [max(*totals[:seat], *totals[seat + 1 :], -np.inf) for seat in range(len(totals))]
    return [min(bound, max(-bound, own - other)) for own, other in zip(totals, others, strict=True)]


def value(game: Any, totals: Totals, state: State, depth: int, root: int, bound: float) -> float:
    """The root seat maximises its margin, every other seat minimises it; chance nodes are no plies."""
    player = game.current_player(state)
    if depth == 0 or player == TERMINAL:
        return margins(totals(state), bound)[root]
    if player == CHANCE:
        outcomes = zip(*game.chance_outcomes(state), strict=True)
        return sum(p * value(game, totals, game.apply(state, int(o)), depth, root, bound) for o, p in outcomes)
    choose = max if player == root else min
    return choose(
        value(game, totals, game.apply(state, action), depth - 1, root, bound)
        for action in game.legal_actions(state).tolist()
    )


def maxn(game: Any, totals: Totals, state: State, depth: int, bound: float) -> list[float]:
    """Every seat maximises its own margin, the first of equals."""
    player = game.current_player(state)
    if depth == 0 or player == TERMINAL:
        return margins(totals(state), bound)
    if player == CHANCE:
        outcomes, probabilities = game.chance_outcomes(state)
        rows = [maxn(game, totals, game.apply(state, int(outcome)), depth, bound) for outcome in outcomes]
        return (probabilities @ np.array(rows)).tolist()  # type: ignore[no-any-return]
    rows = [
        maxn(game, totals, game.apply(state, action), depth - 1, bound) for action in game.legal_actions(state).tolist()
    ]
    return max(rows, key=lambda row: round(row[player], 9))


def table(game: Any, totals: Totals, state: State, depth: int, bound: float) -> dict[int, float]:
    """Value of every action for the seat on turn."""
    seat = game.current_player(state)
    return {
        action: value(game, totals, game.apply(state, action), depth - 1, seat, bound)
        for action in game.legal_actions(state).tolist()
    }
