"""Rewards: what each seat is given after a ply, and at the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from games.protocol import Game, State
from worker.records import margin
from worker.runner import results

RESULT, MARGIN, SCORE = "result", "margin", "score"
VALUES = {"win": 1.0, "draw": 0.0, "loss": -1.0}
"""Reward by the result of a match (`worker.runner.results`)."""
Reward = Callable[[Game, State, Sequence[int]], tuple[float, ...]]


def _result(game: Game, state: State, before: Sequence[int]) -> tuple[float, ...]:
    if not game.is_terminal(state):
        return (0.0,) * len(before)
    return tuple(VALUES[one] for one in results(game.ranks(state), game.traits.has_teams))


def _margin(game: Game, state: State, before: Sequence[int]) -> tuple[float, ...]:
    if not game.is_terminal(state):
        return (0.0,) * len(before)
    scores = game.scores(state)
    return tuple(float(margin(scores, seat, game.traits.has_teams)) for seat in range(len(scores)))


def _score(game: Game, state: State, before: Sequence[int]) -> tuple[float, ...]:
    return tuple(float(now - then) for now, then in zip(game.scores(state), before, strict=True))


REWARDS: Mapping[str, Reward] = {RESULT: _result, MARGIN: _margin, SCORE: _score}
"""Function of game, state after the ply, and points of every seat before it.

result: at the end 1 for a win, 0 where the best place is shared, -1 else; margin: at the end the own points less the
best opponent's; score: points as they come, so that a match adds up to the final ones.
"""
