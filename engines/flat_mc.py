"""Flat Monte Carlo (Heyden 2009, section 4.2; MCE in Gedda, Lagerkvist, Butler 2018)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from types import ModuleType
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from engines import endgame, utilities
from engines.driver import Clock, NodeAllowance, seconds_for_ply, spend
from engines.playing import policy_number
from engines.protocol import Budget, Decision, Table
from games import loader
from games import rng as random_streams
from games.options import option
from games.protocol import Game, Rng, State

ENDGAME_SHARE = 0.5
"""Of a ply's time for the attempt to search the match through; playouts have the rest if it fails."""


@dataclass(frozen=True)
class FlatMonteCarloOptions:
    """What a playout is worth, and who plays it."""

    utility: str = option(
        "difference",
        "Utility of a playout",
        "The margin in points; 1 for a win, 0 for a draw, -1 for a loss; own points as a share of own and "
        "opponents'; or own points alone.",
        choices=(
            ("difference", "score difference"),
            ("wdl", "win, draw or loss"),
            ("relative", "share of the points"),
            ("own", "own score"),
        ),
    )
    opponent: str = option(
        "best",
        "Opponents' score",
        "With more than two seats: the best other seat, or all others together.",
        choices=(("best", "best other seat"), ("total", "sum of all others")),
    )
    policy: str = option(
        "random", "Playout policy", "A policy of the game that plays every seat to the end.", names="policies"
    )
    epsilon: float = option(
        0.0,
        "Random share of playouts",
        "Probability that a playout takes a random action instead of the policy's.",
        minimum=0.0,
        maximum=1.0,
    )
    candidates: int = option(
        0,
        "Candidates",
        "Only so many actions are tried: those that promise most by the game's own guess, where it has one; 0: all.",
        minimum=0,
        maximum=10_000,
    )
    allocation: str = option(
        "even",
        "Allocation",
        "As many playouts for every action, or in stages of equal cost, after each of which the better half goes on "
        "(Karnin, Koren, Somekh 2013).",
        choices=(("even", "even"), ("halving", "sequential halving")),
    )
    paired: bool = option(
        False,
        "Same luck for all",
        "Playout number m of every action meets the same draws, so that differences say more of the actions.",
    )
    endgame: int = option(
        0,
        "Exact endgame",
        "Once nothing is left to chance, and so many actions are enough for it, the rest of the match is searched "
        "through, every seat playing for itself (max^n), in half of a ply's time at most; 0: never.",
        minimum=0,
        maximum=10_000_000,
    )


class _Search:
    """Compiled kernels for one game, with or without a journal."""

    def __init__(self, game: Game, journal: bool) -> None:
        self.rules = game.kernels(journal=journal)
        self.kernels: ModuleType = utilities.load("flat", game.folder, journal)
        self._journal_words = loader.JOURNAL_WORDS if journal else 1
        loader.ensure_compiled(self.kernels, lambda: self._exercise(game))

    def buffers(self) -> tuple[Any, ...]:
        """Scratch arrays for one decision: state, two generators, actions, journal, points."""
        rules = self.rules
        return (
            np.empty(rules.SIZE, np.int32),
            np.empty(4, np.uint64),
            np.empty(4, np.uint64),
            np.empty(rules.MAX_ACTIONS, np.int32),
            np.ones(self._journal_words, np.int32),
            np.zeros(rules.MAX_SEATS, np.int64),
        )

    def _exercise(self, game: Game) -> None:
        r = random_streams.new_stream(0, random_streams.ANALYSIS)
        state = game.initial_state(game.options(), game.traits.min_seats)
        while game.current_player(state) < 0:
            state = game.apply(state, game.sample_chance(state, r))
        run = _Run(self, FlatMonteCarloOptions(), state, game.legal_actions(state)[:1].copy(), 0)
        run.preselect(1)
        run.sample(run.places, 0, 1)


@cache
def _search(game: Any, journal: bool) -> _Search:  # games are one object each, by identity
    return _Search(game, journal)


class _Run:
    """One decision: what was tried, how often, and with what result."""

    def __init__(
        self, search: _Search, options: FlatMonteCarloOptions, view: State, actions: NDArray[np.int32], seed: int
    ) -> None:
        self.view, self.actions, self.moves = view, actions, 0
        n, seat = len(actions), int(search.rules.current_player(view))
        self.sums, self.squares, self.visits = np.zeros(n), np.zeros(n), np.zeros(n, np.int64)
        self.places = np.arange(n)
        self._kernels, self._buffers, self._before = search.kernels, search.buffers(), (0, 0)
        kind, total = utilities.UTILITIES.index(options.utility), options.opponent == "total"
        policy = policy_number(search.rules, options.policy, seat)
        self._how = (actions, np.uint64(seed), policy, options.epsilon, options.paired, kind, total)

    def preselect(self, candidates: int) -> None:
        """Go on with the actions that the game's own guess likes best, in their order."""
        promised = np.zeros(len(self.actions))
        self._kernels.promises(self.view, self.actions, self._buffers[3], promised)
        self.places = np.sort(np.argsort(-promised, kind="stable")[:candidates])

    def sample(self, places: NDArray[np.int64], first: int, count: int) -> None:
        """Playouts number first .. first + count - 1 of the present stage."""
        tally = (self.sums, self.squares, self.visits)
        self.moves += self._kernels.sample(
            self.view, self._how, places, self._before, first, count, tally, self._buffers
        )

    def end_stage(self, playouts: int) -> None:
        """The next stage goes on with playouts, and deals, that none has met."""
        self._before = (self._before[0] + playouts, self._before[1] + -(-playouts // len(self.places)))

    def standing(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Places of this stage's actions that were tried, and their means."""
        tried = self.places[self.visits[self.places] > 0]
        return tried, self.sums[tried] / self.visits[tried]

    def halve(self) -> None:
        """Go on with the better half of the actions that were tried, of equals the first."""
        tried, means = self.standing()
        self.places = np.sort(tried[np.argsort(-means, kind="stable")[: -(-len(tried) // 2)]])

    def table(self) -> Table:
        """Means and sample standard deviations; NaN where an action had too few playouts."""
        visits = self.visits
        with np.errstate(invalid="ignore", divide="ignore"):
            means = np.where(visits > 0, self.sums / visits, np.nan)
            variances = np.where(visits > 1, (self.squares - visits * means**2) / (visits - 1), np.nan)
        return Table(self.actions, means, visits, np.sqrt(np.maximum(variances, 0.0)))


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

    def refuses(self, game: Game) -> str | None:
        """Say so when the game hides information or has no policy of that name."""
        if game.traits.has_hidden_information:
            return f"Flat Monte Carlo sees all or nothing: {game.label} hides information from its seats."
        if self.options.policy not in game.policies:
            return f"{game.label} has the policies {', '.join(game.policies)}, not {self.options.policy!r}"
        if self.options.candidates and not (game.folder / "promise.py").exists():
            return f"{game.label} has no guess of what an action promises: set candidates to 0."
        return None

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        """Best mean over playouts; ties at random; a single legal action is played at once.

        Raises ValueError when `seat` is not on turn or no budget is given.
        """
        if game.current_player(view) != seat:
            raise ValueError(f"seat {seat} is not on turn")
        clock = Clock()
        actions = game.legal_actions(view).copy()
        n = len(actions)
        if n == 1:
            return Decision(int(actions[0]), elapsed_s=clock.elapsed_s, cpu_s=clock.cpu_s)
        units = _units(budget, min(n, self.options.candidates or n))
        seconds = seconds_for_ply(budget, game, view, seat)
        if units is None and seconds is None:
            raise ValueError(f"flat_mc needs a budget of {', '.join(self.budgets)}")
        search: _Search = _search(cast(Any, game), self.options.policy in game.kernels().policies.NEEDS_JOURNAL)
        if self.options.endgame:
            endgame.kernels_of(cast(Any, game))
        clock = Clock()  # anew: the first decision of a process loads or compiles its kernels
        attempt = self._attempt(game, view, seconds, budget.cpu_clock)
        if attempt.values is not None:
            return self._exact(actions, attempt.values, attempt.nodes, clock, rng)
        run = _Run(search, self.options, view, actions, random_streams.next_u64(rng))
        if 0 < self.options.candidates < n:
            run.preselect(self.options.candidates)
        done = self._spend(run, units, seconds, budget.cpu_clock, clock)
        table = run.table()
        left, means = run.standing()
        best = left[means == means.max()]
        chosen = int(best[random_streams.below(rng, len(best))])
        return Decision(
            action=int(actions[chosen]),
            value=float(table.values[chosen]),
            table=table,
            playouts=done,
            nodes=attempt.nodes + run.moves,
            elapsed_s=clock.elapsed_s,
            cpu_s=clock.cpu_s,
        )

    def _attempt(self, game: Game, view: State, seconds: float | None, cpu_clock: bool) -> endgame.Attempt:
        """Try to search the match to its end, within the option's actions and a share of the ply's seconds."""
        if not self.options.endgame:
            return endgame.Attempt(None, 0)
        time = None if seconds is None else ENDGAME_SHARE * seconds
        allowance = NodeAllowance(self.options.endgame, time, cpu_clock)
        return endgame.solve(game, view, (self.options.utility, self.options.opponent), allowance)

    def _exact(
        self, actions: NDArray[np.int32], values: NDArray[np.float64], nodes: int, clock: Clock, rng: Rng
    ) -> Decision:
        """The best action of a match that is searched to its end; ties at random."""
        visits = np.ones(len(actions), np.int64)
        best = np.flatnonzero(values == values.max())
        chosen = int(best[random_streams.below(rng, len(best))])
        return Decision(
            action=int(actions[chosen]),
            value=float(values[chosen]),
            table=Table(actions, values, visits, np.full(len(actions), np.nan)),
            nodes=nodes,
            elapsed_s=clock.elapsed_s,
            cpu_s=clock.cpu_s,
        )

    def _spend(self, run: _Run, units: int | None, seconds: float | None, cpu_clock: bool, clock: Clock) -> int:
        """Share what is left of the budget over stages; return the playouts made.

        clock: of the decision, which has spent some of its seconds. `run.places`: those that the last stage tried.
        """
        done = 0
        stages = (len(run.places) - 1).bit_length() if self.options.allocation == "halving" else 1
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
