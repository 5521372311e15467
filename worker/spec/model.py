"""Specs: line-ups that are compared, over deals, in a game with its rules."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from engines import registry as engine_registry
from engines.protocol import Budget
from games.json_paths import Path, format_path
from games.options import Value
from worker.spec import seatings
from worker.spec.agents import PREFIX, is_agent
from worker.spec.stop import StopSpec

VERSION = 1
ROTATIONS = (seatings.ALL, seatings.NONE)
RECORDS = ("matches", "standard", "full")
QUEUES = ("batch",)
MAX_ARMS = 64
MAX_TABLES = 300
"""Line-ups of a ladder: 24 engines in pairs, or 9 by fours."""
MAX_DEALS = 1_000_000
MAX_MATCHES = 2_000_000
MAX_SEED = 2**63 - 1
MAX_PRIORITY = 100
UNDRAWN = -1
"""Seed of a spec with agents, until the server has drawn it."""


@dataclass(frozen=True)
class SeatSpec:
    """Player at one place of a line-up; options are complete (defaults filled in)."""

    engine: str
    options: Mapping[str, Any]
    budget: Budget

    @property
    def peeks(self) -> bool:
        """Whether an engine sits there that is shown the true state."""
        return not self.agent and engine_registry.peeks(self.engine, self.options)

    @property
    def agent(self) -> str:
        """Name of the agent that sits there; empty where it is an engine."""
        return self.engine.removeprefix(PREFIX) if is_agent(self.engine) else ""


@dataclass(frozen=True)
class ArmSpec:
    """One line-up compared in the experiment."""

    name: str
    seats: tuple[SeatSpec, ...]

    @cached_property
    def has_agents(self) -> bool:
        """Whether an agent sits anywhere."""
        return any(seat.agent for seat in self.seats)


@dataclass(frozen=True)
class Axis:
    """Values that one option or budget takes, the same in all its seats at a time.

    seats: places of the line-up; part: ``options`` or ``budget``; name: of the option, or key of the
    budget; values: in order, all different.
    """

    seats: tuple[int, ...]
    part: str
    name: str
    values: tuple[Value, ...]

    @property
    def paths(self) -> tuple[Path, ...]:
        """Paths of what varies, within an arm."""
        return tuple(("seats", seat, self.part, self.name) for seat in self.seats)

    @property
    def places(self) -> tuple[str, ...]:
        """The paths as specs write them, e.g. ``seats[0].options.c``."""
        return tuple(map(format_path, self.paths))

    @property
    def is_numeric(self) -> bool:
        """Whether all values are numbers."""
        return all(isinstance(value, int | float) and not isinstance(value, bool) for value in self.values)


def num_arms(axes: Sequence[Axis]) -> int:
    """Number of combinations of values."""
    return math.prod(len(axis.values) for axis in axes)


def combinations(axes: Sequence[Axis]) -> list[tuple[int, ...]]:
    """Places of the axes' values, for each arm of a sweep; the first axis varies slowest."""
    return list(itertools.product(*(range(len(axis.values)) for axis in axes)))


ROUND_ROBIN, GAUNTLET, UNCERTAINTY = "round_robin", "gauntlet", "uncertainty"
PAIRINGS = (ROUND_ROBIN, GAUNTLET, UNCERTAINTY)
"""Who meets whom: all, the challengers all others, or those whose order is open (`worker.ladders.rounds`)."""


@dataclass(frozen=True)
class Entry:
    """Engine of a ladder.

    version: of the engine when it entered; an entry of another version plays no more. is_late: whether it entered a
    ladder that had begun; then it plays the planned deals itself, where the others play them on average.
    """

    name: str
    seat: SeatSpec
    version: str
    is_challenger: bool = False
    is_late: bool = False

    @property
    def is_present(self) -> bool:
        """Whether the engine still is of this version, so that it can play."""
        found = engine_registry.get(self.seat.engine).version
        return found == self.version and not engine_registry.absence(self.seat.engine)


@dataclass(frozen=True)
class Ladder:
    """Engines that are rated by matches with each other. sides: of a match, each filled by one of them."""

    pairing: str
    entries: tuple[Entry, ...]
    sides: int

    @cached_property
    def tables(self) -> tuple[tuple[int, ...], ...]:
        """Entries of each arm: ordered by their last one, so that a later entry only adds arms at the end.

        Two versions of one configuration never sit at a table, since one of them cannot play.
        """
        found = itertools.combinations(range(len(self.entries)), self.sides)
        return tuple(sorted(filter(self._is_wanted, found), key=lambda table: table[::-1]))

    def _is_wanted(self, table: tuple[int, ...]) -> bool:
        entries = [self.entries[i] for i in table]
        seats = [entry.seat for entry in entries]
        is_asked = self.pairing != GAUNTLET or any(entry.is_challenger for entry in entries)
        return is_asked and all(seats.count(seat) == 1 for seat in seats)

    def can_play(self, table: tuple[int, ...]) -> bool:
        """Whether all at a table are of the present version."""
        return all(self.entries[i].is_present for i in table)


@dataclass(frozen=True)
class ExperimentSpec:
    """A batch of matches: arms x deals x seatings.

    sweep: the axes whose combinations the first arms are, in row-major order; empty without a sweep.
    Arms after these stand beside it. baseline: the arm that the others are compared with.
    ladder: the engines whose tables the arms are; then `deals` is the most of an arm, and by uncertainty what each
    entry plays on average.
    With agents the seed is UNDRAWN until the server puts it in, and every match has a deal of its
    own: who saw one cannot know what comes in another.
    """

    game: str
    options: Mapping[str, Any]
    seats: int
    arms: tuple[ArmSpec, ...]
    deals: int
    rotation: str = "all"
    seed: int = 0
    stop: StopSpec = field(default_factory=StopSpec)
    record: str = "standard"
    queue: str = "batch"
    priority: int = 0
    sweep: tuple[Axis, ...] = ()
    ladder: Ladder | None = None
    baseline: int = 0

    @property
    def num_swept(self) -> int:
        """Arms that the sweep makes; 0 without one."""
        return num_arms(self.sweep) if self.sweep else 0

    def num_seatings(self, arm: int) -> int:
        """Matches of each deal in an arm."""
        return self._seatings[arm]

    @cached_property
    def _seatings(self) -> tuple[int, ...]:
        return tuple(seatings.num_seatings(self.rotation, arm.seats) for arm in self.arms)

    def num_sides(self, arm: int) -> int:
        """Places of an arm's line-up that are told apart: place i belongs to side i mod this number."""
        return seatings.num_sides(self.rotation, self.arms[arm].seats)

    def arm_matches(self, arm: int) -> int:
        """Matches of an arm."""
        return self.deals * self.num_seatings(arm)

    @property
    def has_agents(self) -> bool:
        """Whether an agent takes part anywhere."""
        return any(arm.has_agents for arm in self.arms)

    @property
    def num_matches(self) -> int:
        """Matches in all, over all arms."""
        if self.ladder is not None and self.ladder.pairing == UNCERTAINTY:
            return self.ladder.sides * self.ladder_deals
        return sum(map(self.arm_matches, range(len(self.arms))))

    @property
    def ladder_deals(self) -> int:
        """Deals that are played by uncertainty, over all tables: those of each late entry come on top."""
        assert self.ladder is not None
        late = sum(entry.is_late for entry in self.ladder.entries)
        first = -(-self.deals * (len(self.ladder.entries) - late) // self.ladder.sides)
        return min(first + self.deals * late, self.deals * len(self.arms))


@dataclass(frozen=True)
class MatchSpec:
    """One match to play; `seats` and `lineup` are in seat order (see MatchRecord)."""

    game: str
    options: Mapping[str, Any]
    seats: tuple[SeatSpec, ...]
    lineup: tuple[int, ...]
    arm: int
    deal: int
    rotation: int
    seed: int
    deal_seed: int
    record: str = "standard"
