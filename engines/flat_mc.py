"""Flat Monte Carlo (Heyden 2009, section 4.2; MCE in Gedda, Lagerkvist, Butler 2018)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from engines import endgame, game_adapter, playing_options
from engines.driver import Clock, seconds_for_ply, spend
from engines.flat_playouts import LOT, OWN, Kernels, kernels_of
from engines.kernel_arguments import Stage, Task
from engines.protocol import Budget, Decision
from games import rng as random_streams
from games.costs import Costs
from games.options import option
from games.protocol import Game, Rng, State
from games.values import NONE, Weights


@dataclass(frozen=True)
class FlatMonteCarloOptions:
    """Options of flat Monte Carlo: the worth of a playout, and the policy that plays it."""

    utility: str = playing_options.utility("difference", "Utility of a playout")
    opponent: str = playing_options.opponent()
    policy: str = playing_options.policy()
    epsilon: float = playing_options.epsilon()
    playout_plies: int = playing_options.playout_plies()
    value: str = playing_options.value(
        "What a playout counts that stops early: the points that were learned from self-play to be expected there. "
        "Candidates are chosen by it, too."
    )
    value_plies: int = option(
        0,
        "Plies by the value",
        "The first plies of a playout in which seats take what the learned value likes best, before the policy "
        "plays on: slower, and closer to good play.",
        minimum=0,
        maximum=1000,
    )
    value_seats: str = option(
        "all",
        "Seats by the value",
        "Who takes what the learned value likes best in those plies.",
        choices=(("all", "all seats"), (OWN, "the seat that decides")),
    )
    value_candidates: int = option(
        0,
        "Candidates by the value",
        "Actions that such a ply weighs: the most promising by the estimate of the game, and by the points of their "
        "seat alone. 0: all actions, by the utility.",
        minimum=0,
        maximum=10_000,
    )
    value_denies: bool = option(
        False,
        "Denial by the value",
        "With two seats such a ply counts what it takes from the other seat like what it gains: slower. With more "
        "seats, or without candidates by the value, it changes nothing.",
    )
    candidates: int = option(
        0,
        "Candidates",
        "Number of actions that are tried, the most promising by the learned value, or else by the estimate of the "
        "game if it has one; 0: all.",
        minimum=0,
        maximum=10_000,
    )
    allocation: str = option(
        "even",
        "Allocation",
        "Even: the same number of playouts for every action. Halving: stages of equal cost, after each of which the "
        "better half of the actions stays (Karnin, Koren, Somekh 2013; here playouts of all stages count). By "
        "lot: each playout draws its action, as the program of Gedda, Lagerkvist and Butler (2018) does.",
        choices=(("even", "even"), ("halving", "sequential halving"), (LOT, "by lot")),
    )
    means: str = option(
        "exact",
        "Means compared",
        "Cut to whole numbers, towards zero: as programs have them that divide a whole sum by a whole count. A mean of "
        "wins, draws and losses (1, 0, -1) is then 0 unless all playouts end alike.",
        choices=(("exact", "as they are"), ("whole", "cut to whole numbers")),
    )
    paired: bool = option(
        False,
        "Same luck for all",
        "Playout number m of every action meets the same draws, so that differences say more of the actions.",
    )
    endgame: int = playing_options.endgame()
    forced: str = playing_options.forced()
    peek: bool = playing_options.peek()


class _Run:
    """One decision: what was tried, how often, and with what result."""

    def __init__(self, kernels: Kernels, task: Task, weights: Weights = NONE, are_whole: bool = False) -> None:
        n = len(task.actions)
        self.task, self.tally, self.moves, self._are_whole = task, kernels.tally(n), 0, are_whole
        self.places = np.arange(n)
        self._kernels, self._buffers = kernels, kernels.buffers(weights)
        self._before = (0, 0)  # playouts and deals of the stages that are over

    def preselect(self, candidates: int) -> None:
        """Go on with the actions that the game's own guess likes best, in their order."""
        promised = np.zeros(len(self.task.actions))
        self._kernels.flat.promises(self.task, self._buffers, promised)
        self.places = np.sort(np.argsort(-promised, kind="stable")[:candidates])

    def sample(self, places: NDArray[np.int64], first: int, count: int) -> None:
        """Playouts number first .. first + count - 1 of the present stage."""
        stage = Stage(places, *self._before)
        self.moves += int(self._kernels.sample(self.task, stage, self.tally.arrays, self._buffers, first, count))

    def end_stage(self, playouts: int) -> None:
        """The next stage goes on with playouts, and deals, that none has met."""
        self._before = (self._before[0] + playouts, self._before[1] + -(-playouts // len(self.places)))

    def standing(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Places of this stage's actions that were tried, and their means as they are compared."""
        tried = self.places[self.tally.visits[self.places] > 0]
        means = self.tally.means(tried)
        return tried, np.trunc(means) if self._are_whole else means

    def halve(self) -> None:
        """Go on with the better half of the actions that were tried, of equals the first."""
        tried, means = self.standing()
        self.places = np.sort(tried[np.argsort(-means, kind="stable")[: -(-len(tried) // 2)]])


class FlatMonteCarlo:
    """Tries actions by playouts; the best mean wins."""

    id = "flat_mc"
    version = "1"
    label = "Flat Monte Carlo"
    summary = (
        "Shares its playouts over the legal actions, evenly or by sequential halving, plays each to the end of the "
        "match and takes the action with the best mean utility."
    )
    options_class = FlatMonteCarloOptions
    budgets: Sequence[str] = ("playouts_per_action", "playouts", "seconds_per_ply", "seconds_per_match")
    default_budget: Mapping[str, int | float] = {"playouts_per_action": 20}
    peeks = False

    def __init__(self, options: FlatMonteCarloOptions) -> None:
        self.options = options
        self.peeks = options.peek

    def refuses(self, game: Game) -> str | None:
        """Say so when the game lacks what an option asks for, or hides what an exact endgame must know."""
        is_learned = self.options.value != playing_options.NO_VALUE
        if self.options.candidates and not game.has_promises and not is_learned:
            return f"{game.label} has no guess of what an action promises: set candidates to 0."
        if self.options.value_plies and not is_learned:
            return "Plies by the value need a learned value: name one, or set value_plies to 0."
        if self.options.value_candidates and not game.has_promises:
            return f"{game.label} has no guess of what an action promises: set value_candidates to 0."
        if self.options.paired and self.options.allocation == LOT:
            return "Actions drawn by lot have no playouts of the same number: set paired to false."
        return game_adapter.refusal(game, self.options)

    def seconds(self, costs: Costs, budget: Budget, num_seats: int) -> float:
        """Seconds of its playouts."""
        playout_s = costs.played_s(costs.policy_s(self.options.policy), playing_options.plies_played(self.options))
        unit_s = {"playouts": playout_s, "playouts_per_action": playout_s * costs.legal_actions}
        return budget.seconds(costs.plies / num_seats, unit_s)

    def prepare(self, game: Game) -> None:
        """Load the playouts, and the search of endings where it is asked for."""
        self._kernels(game)

    def _kernels(self, game: Game) -> Kernels:
        if self.options.endgame:
            endgame.prepare(game)
        value, is_greedy = game_adapter.value_of(game, self.options), self.options.value_plies > 0
        return kernels_of(game, self.options.policy, value, is_greedy)

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        """Best mean over playouts; ties at random; a single legal action is played at once.

        Raises ValueError when `seat` is not on turn or no budget is given.
        """
        clock = Clock()
        actions = game_adapter.actions_of(game, view, seat, self.options)
        if len(actions) == 1:
            return Decision(int(actions[0]), elapsed_s=clock.elapsed_s, cpu_s=clock.cpu_s)
        units = _units(budget, min(len(actions), self.options.candidates or len(actions)))
        seconds = seconds_for_ply(budget, game, view, seat)
        if units is None and seconds is None:
            raise ValueError(f"flat_mc needs a budget of {', '.join(self.budgets)}")
        kernels = self._kernels(game)
        clock = Clock()  # anew: the first decision of a process loads or compiles its kernels
        attempt = endgame.attempt(game, view, self.options, seconds, budget.cpu_clock)
        if attempt.values is not None:
            return endgame.decision(actions, attempt, clock, rng)
        task = kernels.task(game, self.options, view, actions, random_streams.next_u64(rng))
        run = _Run(kernels, task, game_adapter.weights_of(game, self.options), self.options.means == "whole")
        if 0 < self.options.candidates < len(actions):
            run.preselect(self.options.candidates)
        done = self._spend(run, units, seconds, budget.cpu_clock, clock)
        left, means = run.standing()
        best = left[means == means.max()]
        chosen, table = int(best[random_streams.below(rng, len(best))]), run.tally.table(actions)
        return Decision(
            action=int(actions[chosen]),
            value=float(table.values[chosen]),
            table=table,
            playouts=done,
            nodes=attempt.nodes + run.moves,
            elapsed_s=clock.elapsed_s,
            cpu_s=clock.cpu_s,
        )

    def _spend(self, run: _Run, units: int | None, seconds: float | None, cpu_clock: bool, clock: Clock) -> int:
        """Share what is left of the budget over stages; return the playouts made.

        clock: of the decision, which has spent some of its seconds. `run.places`: those that the last stage tried.
        """
        done = 0
        stages = max(1, (len(run.places) - 1).bit_length()) if self.options.allocation == "halving" else 1
        for left in range(stages, 0, -1):
            n = least = len(run.places)
            share = time = None
            if units is not None:
                share = min(units - done, max(n, (units - done) // left))
                least = min(n, share)
            if seconds is not None:
                time = max(0.0, seconds - (clock.cpu_s if cpu_clock else clock.elapsed_s)) / left
            if share == 0:
                break
            spent = spend(partial(run.sample, run.places), share, time, cpu_clock, least).units
            done += spent
            run.end_stage(spent)
            if left > 1:
                run.halve()
        return done


def _units(budget: Budget, num_actions: int) -> int | None:
    limits = []
    if budget.playouts is not None:
        limits.append(budget.playouts)
    if budget.playouts_per_action is not None:
        limits.append(budget.playouts_per_action * num_actions)
    return min(limits) if limits else None
