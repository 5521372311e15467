"""Searches a tree of plies and chance to a depth, or deeper and deeper, on the kernels of `search/star.py`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engines import templates
from engines.driver import UNLIMITED, NodeAllowance
from games import loader, readiness
from games import rng as random_streams
from games.protocol import CHANCE, TERMINAL, Game, State

SCORE = "score"
"""Term of evaluations that dynamic bounds move with."""
NO_MODEL = np.zeros((2, 1, 3))
"""Model of ChanceProbCut that foretells nothing."""
MAX_LEVELS = 1024
"""Nodes on a path of Max^n: plies, and more chance nodes than any game has in a row."""


@dataclass(frozen=True)
class Plan:
    """Orders for the kernels (see `search/star.py`).

    probing: actions of an outcome probed, 0 none; keeps: goes on behind them; killers: tries
    first what was best after the same outcome; order: number of the move order; weights: float64
    in the kernels' order; bound: largest value of a leaf. cycles: probes come in rounds; replies: others have
    one reply between them; reduces: plies that ChanceProbCut leaves out, 0 without it; model: float64[2, depths, 3].
    """

    prunes: bool
    probing: int
    keeps: bool
    killers: bool
    is_maxn: bool
    order: int
    weights: NDArray[np.float64]
    bound: float
    cycles: bool = False
    replies: bool = False
    reduces: int = 0
    model: NDArray[np.float64] = field(default_factory=lambda: NO_MODEL)


class Kernels:
    """Rules with a journal, and the search over them, for one game. by_value: leaves have the game's learned value."""

    def __init__(self, game: Game, by_value: bool) -> None:
        self._game = game
        self.rules = game.kernels(journal=True)
        self.star: ModuleType = templates.load("star", game.folder, True, value=game.value if by_value else None)
        self._by_value = self.star.V is not None
        loader.ensure_loaded(self.star, lambda: self._exercise(game))

    def totals(self) -> NDArray[np.float64]:
        """A buffer for what leaves are worth to all seats."""
        return np.zeros(self.star.V.ROOM if self._by_value else self.rules.MAX_SEATS)

    def weights(self, by_term: Mapping[str, float]) -> NDArray[np.float64]:
        """Weights of the evaluation's terms in the kernels' order."""
        return np.array([by_term[term] for term in self.rules.evaluation.WEIGHTS], np.float64)

    def order(self, name: str, is_backwards: bool = False) -> int:
        """Number of a move order, none where the game knows none; is_backwards: what it ranks alike, last one first."""
        known = self._game.orderings.index(name) if self._game.orderings else 0
        return known + is_backwards * int(self.star.BACKWARDS)

    def score_difference(self, state: State, seat: int, weights: NDArray[np.float64]) -> float:
        """Weighted points of a seat so far minus those of the best other seat; by a value, those expected."""
        if self._by_value:
            return float(self.star.leaf(state, seat, np.inf, weights, self.totals()))
        is_score = np.array([term == SCORE for term in self.rules.evaluation.WEIGHTS])
        only_score = np.where(is_score, weights, 0.0)
        return float(self.star.leaf(state, seat, np.inf, only_score, self.totals()))

    def _exercise(self, game: Game) -> None:
        r = random_streams.new_stream(0, random_streams.ANALYSIS)
        state = game.initial_state(game.options(), game.traits.min_seats)
        while game.current_player(state) < 0:
            state = game.apply(state, game.sample_chance(state, r))
        seat = game.current_player(state)
        weights = np.zeros(1 + self.star.V.NUM_FEATURES if self._by_value else len(self.rules.evaluation.WEIGHTS))
        self.score_difference(state, seat, weights)
        run = Run(self, state, seat, Plan(True, 1, False, True, False, 0, weights, 1.0), 2)
        run.line(run.deepen([1], NodeAllowance(None, None, True)))


def kernels_of(game: Any, by_value: bool = False) -> Kernels:
    """Kernels of a game, compiled or loaded on first use."""
    return _kernels(game, readiness.usual_mode(), by_value)


@cache
def _kernels(game: Any, mode: str, by_value: bool) -> Kernels:  # games are one object each, by identity
    return Kernels(game, by_value)


class Iteration:
    """Actions of one position in the order of search, and what is found of the first `done`.

    values: float64[n], seen from the root seat, NaN where not done; nodes: int64[n] below each;
    is_bound: bool[n], the value is only known not to be better than this; sign: -1.0 where the
    seat on turn minimises.
    """

    def __init__(self, actions: NDArray[np.int32], depth: int, sign: float = 1.0) -> None:
        self.actions, self.depth, self.sign, self.done = actions, depth, sign, 0
        self.values = np.full(len(actions), np.nan)
        self.nodes = np.zeros(len(actions), np.int64)
        self.is_bound = np.zeros(len(actions), np.bool_)

    @property
    def best(self) -> int:
        """Place of the best action done, the first of equals."""
        return int(np.argmax(self.sign * self.values[: self.done]))

    @property
    def action(self) -> int:
        """The best action done."""
        return int(self.actions[self.best])

    def reordered(self) -> NDArray[np.int32]:
        """The actions with the best one first, the others as they were."""
        return np.concatenate([self.actions[[self.best]], np.delete(self.actions, self.best)])


class Run:
    """One decision: the position it is about, and the kernels' arrays for a depth."""

    def __init__(self, kernels: Kernels, view: State, seat: int, plan: Plan, depth: int) -> None:
        rules, star = kernels.rules, kernels.star
        self._rules, self._star, self._plan = rules, star, plan
        self._state, self._journal = view.copy(), np.empty(loader.JOURNAL_WORDS, np.int32)
        self._journal[0] = 1
        self._work = np.zeros(star.WORK, np.int64)
        self._work[star.HINT :] = -1
        self._work[star.SEAT] = seat
        self._work[star.PRUNES] = plan.prunes
        self._work[star.PROBING] = plan.probing
        self._work[star.KEEPS] = plan.keeps
        self._work[star.KILLERS] = plan.killers
        self._work[star.MAXN] = plan.is_maxn
        self._work[star.ORDER] = plan.order
        self._work[star.CYCLES] = plan.cycles
        self._work[star.REPLIES] = plan.replies
        self._work[star.REDUCES] = plan.reduces
        room = depth * rules.MAX_ACTIONS + 8 * star.ROOM
        self._stack, self._chances = np.empty(room, np.int32), np.empty((3, room))
        self._totals, self._values = kernels.totals(), np.empty((MAX_LEVELS, rules.MAX_SEATS))

    @property
    def nodes(self) -> int:
        """Actions made by `deepen`."""
        return int(self._work[self._star.NODES])

    def deepen(self, depths: Iterable[int], allowance: NodeAllowance) -> Iteration:
        """Search depth after depth, the best action of the last one first; return the deepest that counts.

        One that is cut short counts when its first action was done. The first depth has at
        least its first action searched, so it must be 1 where the allowance is limited.
        """
        actions, deepest = self._actions(), None
        for depth in depths:
            iteration = Iteration(actions, depth)
            while iteration.done < len(actions) and not (self.nodes and allowance.is_over(self.nodes)):
                self._sweep(iteration, *allowance.share(self.nodes))
            if iteration.done:
                deepest, actions = iteration, iteration.reordered()
            if iteration.done < len(actions):
                break
        assert deepest is not None, "the first depth has its first action done"
        return deepest

    def line(self, iteration: Iteration) -> tuple[int, ...]:
        """The best action, the most probable outcome, the best reply to it, ... to the iteration's depth.

        Replies are searched anew, to the depth that is left, and not counted in `nodes`. Moves
        the run's position on: it comes last.
        """
        counted, left, action = self.nodes, iteration.depth - 1, iteration.action
        line = [action]
        self._apply(action)
        while left and (player := int(self._rules.current_player(self._state))) != TERMINAL:
            if player == CHANCE:
                self._star.list_outcomes(self._state, 0.0, 0, self._stack, self._chances)
                line.append(int(self._stack[0]))
            else:
                line.append(self._reply(player, left))
                left -= 1
            self._apply(line[-1])
        self._work[self._star.NODES] = counted
        return tuple(line)

    def _reply(self, player: int, depth: int) -> int:
        """The best action of the seat on turn; the first in order where another seat has had the only reply."""
        star, is_own = self._star, player == self._work[self._star.SEAT]
        shares = self._plan.replies and not is_own
        actions = self._actions()
        if shares and self._work[star.SPENT]:
            actions = actions[:1]
        reply = Iteration(actions, depth, 1.0 if self._plan.is_maxn or is_own else -1.0)
        self._sweep(reply, UNLIMITED, UNLIMITED)
        self._work[star.SPENT] = shares and (bool(self._work[star.SPENT]) or reply.best > 0)
        return reply.action

    def _actions(self) -> NDArray[np.int32]:
        """Legal actions in move order."""
        n = self._star.list_actions(self._state, self._plan.order, 0, self._stack)
        return self._stack[:n].copy()

    def _apply(self, action: int) -> None:
        self._rules.apply(self._state, action, self._journal)
        self._journal[0] = 1

    def _sweep(self, iteration: Iteration, pause: int, limit: int) -> None:
        """Go on with an iteration until `pause` nodes are reached between two actions, or `limit` nodes at all."""
        star, work = self._star, self._work
        work[star.LIMIT], work[star.STOPPED] = limit, 0
        found = (iteration.values, iteration.nodes, iteration.is_bound)
        iteration.done = star.sweep(
            self._state,
            self._journal,
            iteration.depth,
            iteration.actions,
            iteration.done,
            pause,
            *found,
            work,
            self._plan.bound,
            self._plan.weights,
            self._totals,
            self._stack,
            self._chances,
            self._values,
            self._plan.model,
        )
        if work[star.STOPPED] == star.OUT_OF_ROOM:
            raise RuntimeError("more chance nodes in a row than the search has room for")
