"""Engines and a study that misbehave or wait, known only to the processes of the crash tests."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engines import registry
from engines.protocol import Budget, Decision
from games.costs import Costs
from games.protocol import Game, Rng, State
from games.rng import below
from tests import counting
from worker.studies import registry as studies
from worker.studies.protocol import StudySpec

FATAL_PLY_LEGAL_COUNT = 20
"""`dies` waits for a position with more legal actions than this before it kills its process."""

LINGER = "linger"
"""`lingers` thinks while this file of the data folder holds the number of plies that its seat has left, or `ALWAYS`."""
ALWAYS = "always"

TICKETS = "tickets"
"""Where the data folder has this folder, `waits` and `Held` take a file out of it before they go on."""
MIDDLE = 18
"""`waits` takes its ticket when its seat has so many plies left."""
WAIT_S = 0.02


@dataclass(frozen=True)
class NoOptions:
    """Nothing to choose."""


class Misbehaving:
    """What they have in common."""

    version = "1"
    summary = ""
    options_class = NoOptions
    budgets = ()
    default_budget: dict[str, int | float] = {}
    peeks = False

    def __init__(self, options: Any) -> None: ...

    def refuses(self, game: Game) -> str | None:
        return None

    def seconds(self, costs: Costs, budget: Budget, num_seats: int) -> float:
        return 0.0

    def prepare(self, game: Game) -> None: ...


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


class Ends(Misbehaving):
    """Ends its process at once, always."""

    id = label = "ends"

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError


class Overruns(Misbehaving):
    """Takes five seconds more than it has."""

    id = label = "overruns"
    budgets = ("seconds_per_ply",)
    default_budget = {"seconds_per_ply": 0.01}

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        spent = (budget.seconds_per_ply or 0.0) + 5.0
        return Decision(int(game.legal_actions(view)[0]), elapsed_s=spent, cpu_s=spent)


class Ponders(Misbehaving):
    """Takes a second of the wall for the first legal action, and none of the processor's."""

    id = label = "ponders"

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        time.sleep(1.0)
        return Decision(int(game.legal_actions(view)[0]), elapsed_s=1.0)


class Lingers(Misbehaving):
    """Plays at random, and thinks as long as it is told to at some ply of a match: a good moment to kill it."""

    id = label = "lingers"

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        legal = game.legal_actions(view)
        chosen = int(legal[below(rng, len(legal))])
        told, left = Path(os.environ["LAB_DATA"], LINGER), str(game.plies_left(view, seat))
        while told.exists() and told.read_text() in (left, ALWAYS):
            time.sleep(WAIT_S)
        return Decision(chosen)


class Waits(Misbehaving):
    """Plays at random; in the middle of a match it takes a ticket, or waits for one: a good moment to kill it."""

    id = label = "waits"

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        legal = game.legal_actions(view)
        chosen = int(legal[below(rng, len(legal))])
        if game.plies_left(view, seat) == MIDDLE:
            take_ticket()
        return Decision(chosen)


class Held(counting.Counting):
    """Counts, and takes a ticket before each number but the first."""

    id = "held"

    def piece(self, spec: StudySpec, index: int) -> dict[str, Any]:
        """Square a number."""
        if index > 0:
            take_ticket()
        return super().piece(spec, index)


def take_ticket() -> None:
    """Wait for a ticket, and take it; return at once where none is asked for."""
    tickets = Path(os.environ["LAB_DATA"], TICKETS)
    while tickets.exists():
        with contextlib.suppress(FileNotFoundError):  # another process was quicker
            for ticket in tickets.iterdir():
                ticket.unlink()
                return
        time.sleep(WAIT_S)


def register() -> None:
    """Make all of them known to this process."""
    register_engines()
    studies.STUDIES[Held.id] = f"{__name__}:{Held.__name__}"


def register_engines() -> None:
    """Make the engines known to this process."""
    for engine in (Raises, Cheats, Dies, Sleeps, Ends, Overruns, Ponders, Lingers, Waits):
        registry.ENGINES[engine.id] = f"{__name__}:{engine.__name__}"
