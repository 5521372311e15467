"""Chance between two plies in words, for people who do not know a game's notation (`Game.draw_words`)."""

from __future__ import annotations

from collections.abc import Sequence

from games.protocol import Draw, Game, State


def describe_draws(game: Game, state: State, outcomes: Sequence[int]) -> str:
    """``dominoes 3 (...), 33 (...)``: outcomes, one after the other from `state` on; empty where there are none.

    Seats are called by number or colour, and never begin it. Notation where a game has no words for what it draws.
    Raises IllegalActionError for an outcome that cannot be.
    """
    drawn = []
    for outcome in outcomes:
        after = game.apply(state, outcome)
        drawn.append(Draw(state, outcome, after))
        state = after
    if not drawn:
        return ""
    if game.draw_words is None:
        return ", ".join(game.outcome_notation(one.before, one.outcome) for one in drawn)
    return game.draw_words(drawn)
