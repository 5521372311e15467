"""Adapts a game to searches by simulations: what they are shown, which actions they weigh, what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np

from games.protocol import Actions, Game, State


def knows_all(game: Game, options: Any) -> bool:
    """Whether the state that a search is given is the true one: nobody hides anything, or it peeks."""
    return not game.traits.has_hidden_information or bool(options.peek)


def refusal(game: Game, options: Any) -> str | None:
    """Say why options of a search do not fit the game; None where they fit.

    options: with `policy`, `peek`, `forced`.
    """
    if options.policy not in game.policies:
        return f"{game.label} has the policies {', '.join(game.policies)}, not {options.policy!r}"
    if options.peek and not game.traits.has_hidden_information:
        return f"{game.label} hides nothing: set peek to false."
    if options.forced and not game.has_free_actions:
        return f"{game.label} knows no actions that cost nothing: leave forced empty."
    return None


def actions_of(game: Game, view: State, seat: int, options: Any) -> Actions:
    """The actions that a search weighs: all legal ones, or one that costs nothing where `options.forced`.

    Raises ValueError when `seat` is not on turn.
    """
    if game.current_player(view) != seat:
        raise ValueError(f"seat {seat} is not on turn")
    free = free_action(game, view) if options.forced else None
    return game.legal_actions(view).copy() if free is None else np.array([free], np.int32)


def free_action(game: Game, state: State) -> int | None:
    """The first action of the seat on turn that costs nothing, where there is one."""
    free = int(game.kernels().policies.forced(state))
    return (free & -free).bit_length() - 1 if free else None
