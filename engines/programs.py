"""Engines that a kernel of whole matches plays: by a policy of the game, or by numbers (`games.courses.Program`)."""

from __future__ import annotations

from engines.protocol import Engine
from engines.scripted import policy_of
from engines.shrewd import Shrewd
from engines.strategy import Strategy
from games.courses import Program
from games.protocol import Game


def program_of(engine: Engine, game: Game) -> str | Program | None:
    """The policy, or the numbers, that an engine plays a game by and nothing else; None for an engine that does more.

    None, too, for an engine that refuses the game.
    """
    if engine.refuses(game) is not None:
        return None
    if isinstance(engine, Strategy) and game.strategies is not None:
        return game.strategies.program(game.strategies.check(engine.options.strategy))
    if isinstance(engine, Shrewd) and game.hands is not None:
        return game.hands.program()
    return policy_of(engine)
