"""Adapts a game to searches by simulations: what they are shown, which actions they weigh, what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np

from engines.playing_options import NO_VALUE
from games.protocol import Actions, Game, State
from games.values import NONE, GameValue, Weights


def knows_all(game: Game, options: Any) -> bool:
    """Whether the state that a search is given is the true one: nobody hides anything, or it peeks."""
    return not game.traits.has_hidden_information or bool(options.peek)


def refusal(game: Game, options: Any) -> str | None:
    """Say why options of a search do not fit the game; None where they fit.

    options: with `policy`, `peek`, `forced`, and `value` where the engine has it.
    """
    if options.policy not in game.policies:
        return f"{game.label} has the policies {', '.join(game.policies)}, not {options.policy!r}"
    if options.peek and not game.traits.has_hidden_information:
        return f"{game.label} hides nothing: set peek to false."
    if options.forced and not game.has_free_actions:
        return f"{game.label} knows no actions that cost nothing: leave forced empty."
    return refuses_value(game, getattr(options, "value", NO_VALUE))


def value_of(game: Game, options: Any) -> GameValue | None:
    """The value that a search uses, None where it uses none. options: with `value`, or without one."""
    return game.value if getattr(options, "value", NO_VALUE) != NO_VALUE else None


def weights_of(game: Game, options: Any) -> Weights:
    """The weights of that value."""
    value = value_of(game, options)
    return value.weights(options.value) if value else NONE


def refuses_value(game: Game, name: str) -> str | None:
    """Say so when a game has no learned value of that name."""
    if name == NO_VALUE or name in game.values:
        return None
    if not game.values:
        return f"{game.label} has no learned value: set value to {NO_VALUE}."
    return f"{game.label} has the learned values {', '.join(game.values)}, not {name!r}"


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
