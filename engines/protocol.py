"""Engines as the lab sees them: budgets, decisions, and the protocol of an engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from engines.schedules import Schedule
from games.costs import Costs
from games.options import OptionError, format_bound, quote
from games.protocol import Game, Rng, State

BUDGET_LABELS = {
    "playouts": ("Playouts a ply", "playouts", int),
    "playouts_per_action": ("Playouts per legal action", "playouts", int),
    "simulations": ("Simulations a ply", "simulations", int),
    "nodes": ("Nodes a ply", "nodes", int),
    "depth": ("Depth", "plies", int),
    "seconds_per_ply": ("Seconds a ply", "s", float),
    "seconds_per_match": ("Seconds a match and seat", "s", float),
}
"""Budget key -> (label, unit, type), in the order forms list them."""

COUNTED = ("playouts", "playouts_per_action", "simulations", "nodes")
"""Budget keys that may have a count for each round or ply of the match (`engines.schedules`)."""
CLOCKS = ("seconds_per_ply", "seconds_per_match")
"""Budget keys that count seconds."""
LARGEST = 10_000_000
"""Most of what a budget counts, where BUDGET_MAXIMUM says nothing else."""
BUDGET_MAXIMUM = {"depth": 20, "seconds_per_ply": 600.0, "seconds_per_match": 36_000.0}


@dataclass(frozen=True)
class Budget:
    """Budget of a decision; None = not limited by this key.

    schedules: counts by round or ply, by key, of what a whole match is played with; an engine is asked with those of
    its ply (`at`), so none knows of them.

    Seconds are CPU seconds of the deciding thread when `cpu_clock`, wall seconds otherwise
    (people's matches). wants_line: whether the principal variation is asked for, which may cost
    time after the clock has run out.
    """

    playouts: int | None = None
    playouts_per_action: int | None = None
    simulations: int | None = None
    nodes: int | None = None
    depth: int | None = None
    seconds_per_ply: float | None = None
    seconds_per_match: float | None = None
    cpu_clock: bool = True
    wants_line: bool = False
    schedules: tuple[tuple[str, Schedule], ...] = ()

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Budget:
        """Raises OptionError naming the key."""
        if not isinstance(data, Mapping):
            raise OptionError("budget", f"must be an object, not {quote(data)}")
        values: dict[str, Any] = {}
        schedules: dict[str, Schedule] = {}
        for key, value in data.items():
            if key not in BUDGET_LABELS:
                raise OptionError(str(key), f"unknown budget; known: {', '.join(BUDGET_LABELS)}")
            kind, limit = BUDGET_LABELS[key][2], BUDGET_MAXIMUM.get(key, LARGEST)
            if isinstance(value, Mapping) and key in COUNTED:
                schedules[key] = Schedule.from_json(key, value, int(limit))
                continue
            if isinstance(value, bool) or not isinstance(value, int if kind is int else (int, float)):
                raise OptionError(key, f"must be a {'whole ' if kind is int else ''}number, not {quote(value)}")
            if not 0 < value <= limit:
                raise OptionError(key, f"must be above 0 and at most {format_bound(limit)}, not {quote(value)}")
            values[key] = kind(value)
        return cls(**values, schedules=tuple((key, schedules[key]) for key in BUDGET_LABELS if key in schedules))

    def to_json(self) -> dict[str, Any]:
        """Only the keys that limit something: numbers, and schedules as objects."""
        by_key: dict[str, Any] = {key: schedule.to_json() for key, schedule in self.schedules}
        by_key |= {key: getattr(self, key) for key in BUDGET_LABELS if getattr(self, key) is not None}
        return {key: by_key[key] for key in BUDGET_LABELS if key in by_key}

    @property
    def has_clock(self) -> bool:
        """Whether it limits seconds: then no two decisions need be alike."""
        return any(getattr(self, key) is not None for key in CLOCKS)

    def at(self, ply: int, round: int | None) -> Budget:
        """The budget of one ply: without schedules, their counts in their place.

        ply: of the match, from 1; round: likewise, None in games without. Raises ValueError where counts go by it.
        """
        if not self.schedules:
            return self
        numbers = {"ply": ply, "round": round}
        counts: dict[str, int] = {}
        for key, schedule in self.schedules:
            number = numbers[schedule.by]
            if number is None:
                raise ValueError(f"{key} counts rounds, and this game has none")
            counts[key] = schedule.at(number)
        return replace(self, schedules=(), **counts)  # type: ignore[arg-type]  # counts by the names of fields

    def seconds(self, own_plies: float, unit_s: Mapping[str, float]) -> float:
        """Seconds of a decision: the tightest limit.

        own_plies: of a seat in a match, which its seconds are shared over; unit_s: what a unit of each
        key takes that counts units. 0 without a limit.
        """
        clocks = {"seconds_per_ply": 1.0, "seconds_per_match": 1.0 / own_plies}
        units = {**clocks, **unit_s}
        means = {key: schedule.mean(key != "nodes") for key, schedule in self.schedules}
        amounts = {**self.to_json(), **means}
        return min((value * units[key] for key, value in amounts.items() if key in units), default=0.0)


@dataclass(frozen=True)
class Table:
    """Table of the actions considered: one row per root action, any order.

    actions: int32[n]; values: float64[n] in the engine's utility; visits: int64[n], how often
    each was tried (searches without samples: nodes below it); deviations: float64[n], sample
    standard deviation of one visit (NaN where visits < 2 or nothing was sampled); is_bound:
    bool[n], where the value is only known not to be better than this. None: nowhere.
    """

    actions: NDArray[np.int32]
    values: NDArray[np.float64]
    visits: NDArray[np.int64]
    deviations: NDArray[np.float64]
    is_bound: NDArray[np.bool_] | None = None


@dataclass(slots=True)
class Decision:
    """The action chosen, and what it rests on. `value` is in the engine's utility.

    line: the principal variation, starting with the action: actions and chance outcomes as
    they would be applied one after another; empty where the budget does not ask for it, or the
    search keeps none.
    """

    action: int
    value: float | None = None
    table: Table | None = None
    playouts: int = 0
    nodes: int = 0
    depth: int = 0
    elapsed_s: float = 0.0
    cpu_s: float = 0.0
    line: tuple[int, ...] = ()


class EngineFaultError(Exception):
    """A fault of an engine whose code is not the lab's; kind: as in `worker.records.Failure`."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Engine(Protocol):
    """Fills a seat. An instance is made per (options) and keeps no state between plies."""

    id: str
    version: str
    label: str
    summary: str
    options_class: type
    budgets: Sequence[str]
    """Budget keys that it understands; empty: needs none."""
    default_budget: Mapping[str, int | float]
    peeks: bool
    """True: gets the true state, and every table says so."""

    def __init__(self, options: Any) -> None: ...
    def refuses(self, game: Game) -> str | None:
        """Say in one sentence why this configuration does not fit the game, or None."""

    def seconds(self, costs: Costs, budget: Budget, num_seats: int) -> float:
        """Estimate the CPU seconds of one decision within a budget, averaged over a match.

        costs: of the game, in matches as they are played, with so many seats. `budget.seconds` bounds it.
        """

    def prepare(self, game: Game) -> None:
        """Have every kernel that `choose` calls in a game that it fits compiled and loaded, before a clock runs.

        `choose` does so, too, before its own clock begins.
        """

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        """Decide for `seat`, which must be on turn. Raises ValueError for an illegal state."""
