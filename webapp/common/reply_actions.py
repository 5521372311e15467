"""Actions that answer to something played before: lists of moves set them in."""

from __future__ import annotations

from games.protocol import Game, State


def is_reply(game: Game, state: State, action: int) -> bool:
    """Whether an action that is legal in `state` begins with a step that the game calls a reply."""
    replies = {step.name for step in game.steps if step.is_reply}
    return bool(replies) and game.parts(state, action)[0].name in replies
