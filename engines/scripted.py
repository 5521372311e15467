"""Players without search: any named policy of the game, and chance alone."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engines.driver import Clock
from engines.policy_numbers import policy_number
from engines.protocol import Budget, Decision, Engine
from games import loader
from games.costs import Costs
from games.options import option
from games.protocol import Game, Rng, State


class _Buffers(threading.local):
    """Arrays for one thread's calls, by use, so that a ply allocates nothing."""

    def __init__(self) -> None:
        self.by_use: dict[tuple[str, int], np.ndarray] = {}

    def of(self, use: str, length: int) -> np.ndarray:
        if (use, length) not in self.by_use:
            self.by_use[use, length] = np.ones(length, np.int32)
        return self.by_use[use, length]


_buffers = _Buffers()


def choose_by_policy(game: Game, view: State, seat: int, policy: str, rng: Rng) -> Decision:
    """Let one of the game's policies decide. Raises ValueError when `seat` is not on turn."""
    if game.current_player(view) != seat:
        raise ValueError(f"seat {seat} is not on turn")
    rules, choose = game.kernels(), game.policy(policy)
    clock = Clock()
    actions = _buffers.of("actions", rules.MAX_ACTIONS)
    journal = _buffers.of("journal", loader.JOURNAL_WORDS)
    journal[0] = 1
    action = choose(policy_number(rules, policy, seat), view.copy(), rng, actions, journal)
    return Decision(int(action), elapsed_s=clock.elapsed_s, cpu_s=clock.cpu_s)


@dataclass(frozen=True)
class NoOptions:
    """No options."""


class Random:
    """Chooses uniformly among all legal actions."""

    id = "random"
    version = "1"
    label = "Random"
    summary = "Chooses uniformly among all legal actions: the floor that every other engine must beat."
    options_class = NoOptions
    budgets: Sequence[str] = ()
    default_budget: Mapping[str, int | float] = {}
    peeks = False

    def __init__(self, options: NoOptions) -> None:
        self.options = options

    def refuses(self, game: Game) -> str | None:
        """Fits every game."""
        return None

    def seconds(self, costs: Costs, budget: Budget, num_seats: int) -> float:
        """A draw is part of the rules."""
        return 0.0

    def prepare(self, game: Game) -> None:
        """Load the policy."""
        game.policy("random")

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        """One uniform draw. Raises ValueError when `seat` is not on turn."""
        return choose_by_policy(game, view, seat, "random", rng)


def policy_of(engine: Engine) -> str | None:
    """The policy that an engine asks at every ply, and nothing else; None for an engine that does more."""
    if isinstance(engine, Random):
        return "random"
    return engine.options.policy if isinstance(engine, Scripted) else None


@dataclass(frozen=True)
class ScriptedOptions:
    """Option: the policy of the game that plays."""

    policy: str = option(
        "greedy",
        "Policy",
        "A rule of thumb of the game; its page says what each does.",
        names="policies",
    )


class Scripted:
    """Plays one of the game's named policies."""

    id = "scripted"
    version = "1"
    label = "Scripted policy"
    summary = "Plays a fixed rule of thumb of the game, without search: quick, and a good sparring partner."
    options_class = ScriptedOptions
    budgets: Sequence[str] = ()
    default_budget: Mapping[str, int | float] = {}
    peeks = False

    def __init__(self, options: ScriptedOptions) -> None:
        self.options = options

    def refuses(self, game: Game) -> str | None:
        """Say so when the game has no policy of that name."""
        if self.options.policy in game.policies:
            return None
        return f"{game.label} has the policies {', '.join(game.policies)}, not {self.options.policy!r}"

    def seconds(self, costs: Costs, budget: Budget, num_seats: int) -> float:
        """Seconds of the policy."""
        return costs.policy_s(self.options.policy)

    def prepare(self, game: Game) -> None:
        """Load the policy."""
        game.policy(self.options.policy)

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        """Ask the policy. Raises ValueError when `seat` is not on turn or the policy is unknown."""
        refusal = self.refuses(game)
        if refusal:
            raise ValueError(refusal)
        return choose_by_policy(game, view, seat, self.options.policy, rng)
