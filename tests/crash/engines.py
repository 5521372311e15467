"""Engines that misbehave, known only to the processes of the crash tests."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from typing import Any

from engines import registry
from engines.protocol import Budget, Decision
from games.protocol import Game, Rng, State

FATAL_PLY_LEGAL_COUNT = 20
"""`dies` waits for a position with more legal actions than this before it kills its process."""


@dataclass(frozen=True)
class NoOptions:
    """Nothing to choose."""


class Misbehaving:
    """What the four have in common."""

    version = "1"
    summary = ""
    options_class = NoOptions
    budgets = ()
    default_budget: dict[str, int | float] = {}
    peeks = False

    def __init__(self, options: Any) -> None: ...

    def refuses(self, game: Game) -> str | None:
        return None


class Raises(Misbehaving):
    id = label = "raises"

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        raise ZeroDivisionError("an engine's fault")


class Cheats(Misbehaving):
    id = label = "cheats"

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        return Decision(2**30)


class Dies(Misbehaving):
    id = label = "dies"

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        legal = game.legal_actions(view)
        if len(legal) > FATAL_PLY_LEGAL_COUNT:
            os.kill(os.getpid(), signal.SIGKILL)
        return Decision(int(legal[0]))


class Sleeps(Misbehaving):
    id = label = "sleeps"

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        time.sleep(600)
        return Decision(int(game.legal_actions(view)[0]))


def register() -> None:
    """Make them known to this process."""
    for engine in (Raises, Cheats, Dies, Sleeps):
        registry.ENGINES[engine.id] = f"{__name__}:{engine.__name__}"
