"""A tiny game and a few engines that misbehave on purpose.

In the game *dice*, chance rolls a die of six (each face once per round of six, in the order
of the deal) and the seat on turn takes 0 to that many points; each seat has three turns.
State: num_seats, seat on turn, turns left, die (0 = still to roll), then points per seat.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from engines.protocol import Decision, Table
from games import rng as random_streams
from games.costs import Costs
from games.options import option
from games.protocol import CHANCE, TERMINAL, IllegalActionError, Metric, Traits

TURNS = 3
FACES = 6


@dataclass(frozen=True)
class DiceOptions:
    bonus: int = option(0, "Bonus", minimum=0, maximum=9)


class DiceDeal:
    def __init__(self, rng):
        self._rng = rng
        self._bag: list[int] = []

    def draw(self, state):
        if not self._bag:
            self._bag = list(range(1, FACES + 1))
            for i in range(FACES - 1, 0, -1):
                j = random_streams.below(self._rng, i + 1)
                self._bag[i], self._bag[j] = self._bag[j], self._bag[i]
        return self._bag.pop()


class Dice:
    id = "dice"
    version = "3"
    label = "Dice"
    traits = Traits(2, 4, True, True, False, False, FACES + 1, TURNS * 4)
    options = DiceOptions
    policies = ("random",)
    usual_policy = "random"
    metric_table = (Metric("taken", "Taken", "points", "points"),)
    ply_notes: ClassVar[Mapping[str, Any]] = {}
    round_of = None
    folder = Path(__file__).parent / "dice"
    costs = Costs(plies=60, legal_actions=10, playout_s=1e-4, action_s=1e-6, ply_s=1e-3)
    """Made up, so that estimates can be reckoned by hand."""

    def kernels(self, *, journal=False, mode="jit"):
        """Its rules are those below."""

    def policy(self, name):
        """It has none to ask."""

    def usual_plies(self, options, num_seats):
        return self.costs.plies

    def check(self, options, num_seats):
        pass

    def initial_state(self, options, num_seats):
        state = np.zeros(4 + num_seats, np.int32)
        state[:3] = num_seats, 0, TURNS * num_seats
        state[4:] = options.bonus
        return state

    def deal(self, options, num_seats, rng):
        return DiceDeal(rng)

    def num_seats(self, state):
        return int(state[0])

    def current_player(self, state):
        if state[2] == 0:
            return TERMINAL
        return int(state[1]) if state[3] else CHANCE

    def is_terminal(self, state):
        return self.current_player(state) == TERMINAL

    def legal_actions(self, state):
        return np.arange(state[3] + 1 if state[3] else 0, dtype=np.int32)

    def apply(self, state, action):
        after = state.copy()
        if self.current_player(state) == CHANCE:
            after[3] = action
            return after
        if not 0 <= action <= state[3] or self.is_terminal(state):
            raise IllegalActionError(f"{action} is not legal")
        after[4 + state[1]] += action
        after[1] = (state[1] + 1) % state[0]
        after[2] -= 1
        after[3] = 0
        return after

    def scores(self, state):
        return tuple(int(points) for points in state[4:])

    def ranks(self, state):
        scores = self.scores(state)
        return tuple(1 + sum(other > own for other in scores) for own in scores)

    def view(self, state, seat):
        hidden = state.copy()
        hidden[2] = -1
        return hidden

    def key(self, state):
        return random_streams.mix(*(int(word) for word in state))

    def notation(self, state, action):
        return f"take {action} of {state[3]}"

    def metrics(self, state):
        return tuple({"taken": float(points)} for points in self.scores(state))


@dataclass(frozen=True)
class NoOptions:
    pass


@dataclass(frozen=True)
class TakerOptions:
    share: float = option(1.0, "Share", minimum=0.0, maximum=1.0)
    draws: int = option(0, "Random numbers drawn", minimum=0, maximum=100)


class FakeEngine:
    version = "7"
    summary = "for tests"
    options_class: ClassVar[type] = NoOptions
    budgets: ClassVar[tuple[str, ...]] = ()
    default_budget: ClassVar[dict[str, Any]] = {}
    peeks = False

    def __init__(self, options):
        self.options = options

    @property
    def label(self):
        return type(self).__name__

    def refuses(self, game):
        return None

    def seconds(self, costs, budget, num_seats):
        return budget.seconds(costs.plies / num_seats, {"playouts": costs.played_s(0.0)})

    def prepare(self, game):
        pass


class Taker(FakeEngine):
    """Takes a share of the die after drawing some random numbers."""

    id = "taker"
    options_class = TakerOptions

    def choose(self, game, view, seat, budget, rng):
        for _ in range(self.options.draws):
            random_streams.next_u64(rng)
        return Decision(int(view[3] * self.options.share))


class Dicer(FakeEngine):
    """Takes a random legal number."""

    id = "dicer"

    def choose(self, game, view, seat, budget, rng):
        return Decision(random_streams.below(rng, int(view[3]) + 1), cpu_s=time.thread_time())


@dataclass(frozen=True)
class AimerOptions:
    aim: float = option(0.9, "Aim", minimum=0.0, maximum=1.0)
    tries: int = option(1, "Tries", minimum=1, maximum=3)


class Aimer(FakeEngine):
    """Takes the whole die the more often the nearer it aims to 0.3, and nothing else; tries change nothing."""

    id = "aimer"
    options_class = AimerOptions

    def choose(self, game, view, seat, budget, rng):
        hits = random_streams.uniform(rng) < 1 - abs(self.options.aim - 0.3)
        return Decision(int(view[3]) if hits else 0)


class Weigher(FakeEngine):
    """Values every action by minus itself, and takes the worst."""

    id = "weigher"
    budgets = ("playouts",)
    default_budget = {"playouts": 40}

    def choose(self, game, view, seat, budget, rng):
        actions = game.legal_actions(view)
        visits = np.arange(len(actions), dtype=np.int64)
        deviations = np.where(visits > 1, 3.0, np.nan)
        values = np.where(visits > 0, -actions.astype(np.float64), np.nan)
        worst = int(actions[-1])
        return Decision(worst, float(-worst), Table(actions, values, visits, deviations), playouts=budget.playouts)


class Raiser(FakeEngine):
    """Fails at its second ply."""

    id = "raiser"

    def choose(self, game, view, seat, budget, rng):
        if game.scores(view)[seat]:
            raise RuntimeError("no idea")
        return Decision(1)


class Liar(FakeEngine):
    """Answers whatever the test says."""

    id = "liar"
    answer: ClassVar[Any] = Decision(99)

    def choose(self, game, view, seat, budget, rng):
        return self.answer


class Clocked(FakeEngine):
    """Says that it spent a given time and notes what it was offered."""

    id = "clocked"
    budgets = ("seconds_per_ply", "seconds_per_match")
    default_budget = {"seconds_per_match": 10.0}
    spends: ClassVar[float] = 3.0
    offered: ClassVar[list[Any]] = []

    def choose(self, game, view, seat, budget, rng):
        self.offered.append(budget)
        return replace(Decision(0), cpu_s=self.spends, elapsed_s=100.0)


class Peeker(FakeEngine):
    """Notes the turns left, which only the true state tells."""

    id = "peeker"
    peeks = True
    seen: ClassVar[list[int]] = []

    def choose(self, game, view, seat, budget, rng):
        self.seen.append(int(view[2]))
        view[:] = 0
        return Decision(0)


class Quitter(FakeEngine):
    """Stands for a person who presses Ctrl-C."""

    id = "quitter"

    def choose(self, game, view, seat, budget, rng):
        raise KeyboardInterrupt


class Picky(FakeEngine):
    """Fits no game."""

    id = "picky"

    def refuses(self, game):
        return f"{game.label} is beneath it."


ENGINES = (Taker, Aimer, Dicer, Weigher, Raiser, Liar, Clocked, Peeker, Quitter, Picky)
