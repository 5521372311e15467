"""The best few actions of a seat, by playouts that are shared out in stages.

Where the game has a level that searches, its table says which actions are worth a look; what
they are worth is found by playouts, in points, on the same luck for all of them.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engines import levels
from engines import registry as engine_registry
from engines.levels import Level
from engines.protocol import Budget
from games import rng
from games.protocol import Game, State
from worker.action_values.action_playouts import Playouts

PROPOSED = 6
"""Actions that a search puts forward: this number by their value, and as many by how often it tried them."""
LEAST = 12
"""Playouts of an action, at least, before it may be dropped."""

Tick = Callable[[float], None]
"""Function that takes how much of the work is done, 0 to 1; it may raise to end the work."""


@dataclass(frozen=True)
class Effort:
    """Effort that may be spent: playouts in all, and seconds of the wall (None: as long as it takes)."""

    playouts: int
    seconds: float | None = None


@dataclass
class ScoredAction:
    """One action and what its playouts came to: margins of the deciding seat by number of the playout."""

    action: int
    margins: list[float] = field(default_factory=list)

    @property
    def mean(self) -> float:
        """Expected margin; -inf without playouts."""
        return float(np.mean(self.margins)) if self.margins else -math.inf

    def less(self, other: ScoredAction) -> NDArray[np.float64]:
        """Differences to another action, playout by playout that both have."""
        both = min(len(self.margins), len(other.margins))
        found: NDArray[np.float64] = np.subtract(self.margins[:both], other.margins[:both])
        return found


def searcher(game: Game) -> Level | None:
    """The strongest level of a game that searches with what its seat may know; None where none does."""
    for level in reversed(levels.for_game(game.id)):
        engine = engine_registry.make(level.engine, level.options)
        if engine.budgets and not engine.peeks and engine.refuses(game) is None:
            return level
    return None


def proposals(game: Game, view: State, seat: int, seed: int) -> list[int]:
    """Actions worth a look, in the order of the rules: those of the strongest search, all where there is none."""
    legal = [int(action) for action in game.legal_actions(view)]
    level = searcher(game)
    if level is None or len(legal) <= PROPOSED:
        return legal
    engine = engine_registry.make(level.engine, level.options)
    budget = Budget.from_json(level.budget)
    decision = engine.choose(game, view.copy(), seat, budget, rng.new_stream(seed, rng.SEARCH, seat))
    kept, table = {int(decision.action)}, decision.table
    if table is None:
        return legal
    values = np.where(np.isnan(table.values), -np.inf, table.values)
    for order in (np.lexsort((table.actions, -values)), np.lexsort((table.actions, -values, -table.visits))):
        kept.update(int(table.actions[i]) for i in order[:PROPOSED] if table.visits[i])
    return [action for action in legal if action in kept]


def best(
    playouts: Playouts, view: State, seat: int, actions: Sequence[int], seed: int, effort: Effort, keep: int, tick: Tick
) -> list[ScoredAction]:
    """The `keep` best of some actions, best first: sequential halving (Karnin, Koren, Somekh 2013).

    view: as `seat`, which is on turn, sees the position. Every playout deals what the seat cannot
    know anew, alike for all actions.
    """
    field_ = [ScoredAction(action) for action in actions]
    stages = max(1, math.ceil(math.log2(max(1, len(field_) / keep))) + 1)
    began, spent, stage = time.monotonic(), 0, 0
    while True:
        share = (effort.playouts - spent) // (stages - stage)
        rounds = max(LEAST, share // len(field_))
        until = None if effort.seconds is None else began + effort.seconds * (stage + 1) / stages
        for _ in range(rounds):
            _weigh(playouts, view, seat, field_, seed)
            spent += len(field_)
            tick(min(1.0, max(spent / effort.playouts, _passed(began, effort))))
            if until is not None and time.monotonic() >= until and len(field_[0].margins) >= LEAST:
                break
        stage += 1
        field_.sort(key=lambda one: (-one.mean, one.action))
        if stage == stages:
            return field_[:keep]
        field_ = field_[: max(keep, -(-len(field_) // 2))]


def value_actions(
    playouts: Playouts, view: State, seat: int, actions: Sequence[int], seed: int, effort: Effort, tick: Tick
) -> list[ScoredAction]:
    """Values of chosen actions, best first: as many playouts for each of them.

    seed: another one than they were chosen with, for what was chosen by its luck looks better than it is.
    """
    field_ = [ScoredAction(action) for action in actions]
    began = time.monotonic()
    rounds = max(LEAST, effort.playouts // len(field_))
    for number in range(rounds):
        _weigh(playouts, view, seat, field_, seed)
        tick(min(1.0, max((number + 1) / rounds, _passed(began, effort))))
        if number + 1 >= LEAST and _passed(began, effort) >= 1:
            break
    return sorted(field_, key=lambda one: (-one.mean, one.action))


def _weigh(playouts: Playouts, view: State, seat: int, field_: Sequence[ScoredAction], seed: int) -> None:
    """One more playout of every action, of the number that comes next, in one world."""
    number = len(field_[0].margins)
    world = playouts.world(view, seed, number)
    for one in field_:
        one.margins.append(float(playouts.margins(world, one.action, seed, number)[seat]))


def _passed(began: float, effort: Effort) -> float:
    return 0.0 if effort.seconds is None else (time.monotonic() - began) / effort.seconds
