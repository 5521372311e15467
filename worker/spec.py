"""Experiment specs: JSON both ways, complete, checked before anything runs."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engines import registry as engine_registry
from engines.protocol import Budget
from games import options as option_tools
from games import registry as game_registry
from games.options import OptionError
from games.protocol import Game
from worker import agents, checks, sweep
from worker.checks import MAX_NAME as MAX_NAME
from worker.checks import SpecError as SpecError
from worker.checks import listed as listed
from worker.checks import object_of as object_of
from worker.checks import one_of as one_of
from worker.checks import whole as whole
from worker.sweep import Axis

VERSION = 1
ROTATIONS = ("all", "none")
RECORDS = ("matches", "standard", "full")
QUEUES = ("batch",)
STOP_RULES = ("fixed",)
MAX_ARMS = 64
MAX_DEALS = 1_000_000
MAX_MATCHES = 2_000_000
MAX_SEED = 2**63 - 1
MAX_PRIORITY = 100
UNDRAWN = -1
"""Seed of a spec with agents, until the server has drawn it."""


@dataclass(frozen=True)
class SeatSpec:
    """Who fills one place of a line-up; options are complete (defaults filled in)."""

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
        return self.engine.removeprefix(agents.PREFIX) if agents.is_agent(self.engine) else ""


@dataclass(frozen=True)
class ArmSpec:
    """One line-up compared in the experiment."""

    name: str
    seats: tuple[SeatSpec, ...]

    @property
    def has_agents(self) -> bool:
        """Whether an agent sits anywhere."""
        return any(seat.agent for seat in self.seats)


@dataclass(frozen=True)
class ExperimentSpec:
    """A batch of matches: arms x deals x rotations.

    sweep: the axes whose combinations the arms are, in row-major order; empty without a sweep.
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
    stop: str = "fixed"
    record: str = "standard"
    queue: str = "batch"
    priority: int = 0
    sweep: tuple[Axis, ...] = ()

    @property
    def num_rotations(self) -> int:
        """Rotations played of each deal."""
        return self.seats if self.rotation == "all" else 1

    @property
    def has_agents(self) -> bool:
        """Whether an agent takes part anywhere."""
        return any(arm.has_agents for arm in self.arms)

    @property
    def num_matches(self) -> int:
        """Matches in all, over all arms."""
        return len(self.arms) * self.deals * self.num_rotations


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


def rules_from_json(data: Any, game: Game, num_seats: int) -> dict[str, Any]:
    """Check a game's options for so many seats, which its traits allow, and fill in defaults.

    Raises SpecError naming the place below ``options``.
    """
    try:
        options = option_tools.from_json(game.options, data)
        game.check(options, num_seats)
    except OptionError as error:
        raise SpecError(_join("options", error.field), error.message) from None
    return option_tools.to_json(options)


def seat_from_json(data: Any, path: str, game_id: str) -> SeatSpec:
    """Check an engine, its options and its budget, and fill in defaults. Raises SpecError naming the place."""
    fields = object_of(data, path, {"engine": True, "options": False, "budget": False})
    engine_id = one_of(fields["engine"], f"{path}.engine", engine_registry.ids())
    cls = engine_registry.get(engine_id)
    game = game_registry.get(game_id)
    try:
        given = engine_registry.completed(engine_id, game, fields.get("options", {}))
        options = option_tools.from_json(cls.options_class, given)
    except OptionError as error:
        raise SpecError(_join(f"{path}.options", error.field), error.message) from None
    try:
        budget = Budget.from_json(fields.get("budget", cls.default_budget))
    except OptionError as error:
        raise SpecError(_join(f"{path}.budget", error.field), error.message) from None
    for key in budget.to_json():
        if key not in cls.budgets:
            known = ", ".join(cls.budgets) or "no budget"
            raise SpecError(f"{path}.budget.{key}", f"{cls.label} takes {known}")
    if cls.budgets and not budget.to_json():
        raise SpecError(f"{path}.budget", f"{cls.label} needs one of {', '.join(cls.budgets)}")
    refusal = cls(options).refuses(game)
    if refusal is not None:
        raise SpecError(f"{path}.engine", refusal)
    return SeatSpec(engine_id, option_tools.to_json(options), budget)


def _join(path: str, field: str) -> str:
    return path if field in ("options", "budget") else f"{path}.{field}"


def _arm(data: Any, path: str, game_id: str, seats: int) -> ArmSpec:
    fields = object_of(data, path, {"name": True, "seats": True})
    name = checks.name_of(fields["name"], f"{path}.name")
    rows = listed(fields["seats"], f"{path}.seats", seats, seats)
    arm = ArmSpec(name, tuple(_place(row, f"{path}.seats[{i}]", game_id) for i, row in enumerate(rows)))
    limited = [(i, seat.budget) for i, seat in enumerate(arm.seats) if seat.agent]
    for i, limits in limited:
        if limits != limited[0][1]:
            raise SpecError(f"{path}.seats[{i}].budget", "all agents at a table have the same limits")
    return arm


def _place(data: Any, path: str, game_id: str) -> SeatSpec:
    """An engine with its options and budget, or an agent with its limits."""
    if not isinstance(data, Mapping) or not agents.is_agent(data.get("engine")):
        return seat_from_json(data, path, game_id)
    fields = object_of(data, path, {"engine": True, "options": False, "budget": False})
    agents.check_name(fields["engine"], f"{path}.engine")
    object_of(fields.get("options", {}), f"{path}.options", {})
    return SeatSpec(fields["engine"], {}, agents.limits_from_json(fields.get("budget", {}), f"{path}.budget"))


def _arms(rows: list[Any], game_id: str, seats: int) -> tuple[ArmSpec, ...]:
    arms = tuple(_arm(row, f"arms[{i}]", game_id, seats) for i, row in enumerate(rows))
    names = [arm.name for arm in arms]
    for i, name in enumerate(names):
        if name in names[:i]:
            raise SpecError(f"arms[{i}].name", f"{name!r} is the name of another arm")
    return arms


def _swept_arms(rows: list[Any], axes: tuple[Axis, ...], game_id: str, seats: int) -> tuple[ArmSpec, ...]:
    """The arms of a sweep: made from one, or, where all are given, checked to be those."""
    size = sweep.num_arms(axes)
    if len(rows) not in (1, size):
        raise SpecError("sweep", f"makes {size} arms of one line-up; give that one or all {size}, not {len(rows)}")
    base = _arm(rows[0], "arms[0]", game_id, seats)
    given = _arms(rows, game_id, seats) if len(rows) > 1 else ()
    engines = [seat.engine for seat in base.seats]
    for i, axis in enumerate(axes):
        for j, place in enumerate(axis.seats):
            if base.seats[place].agent:
                raise SpecError(f"sweep.axes[{i}].paths[{j}]", f"seat {place} is an agent's: nothing of it can vary")
    sweep.check_names(axes, engines)
    wanted = sweep.arm_names(axes, engines)
    names = [arm.name for arm in given] or wanted
    arms: list[ArmSpec] = []
    for i, row in enumerate(sweep.expand(rows[0]["seats"], axes)):
        try:
            arms.append(_arm({"name": names[i], "seats": row}, f"arms[{i}]", game_id, seats))
        except SpecError as error:
            raise sweep.place_of(error, axes, i) from None
        if given and given[i].seats != arms[i].seats:
            raise SpecError(f"arms[{i}]", f"must be {wanted[i]!r} by the sweep, and otherwise like arms[0]")
    return tuple(arms)


def _as_held(axes: tuple[Axis, ...], arms: tuple[ArmSpec, ...]) -> tuple[Axis, ...]:
    """The axes with their values as the arms hold them: 1 is 1.0 where the option is a decimal number."""
    held, step = [], len(arms)
    for axis in axes:
        step //= len(axis.values)
        seats = [arms[i * step].seats[axis.seats[0]] for i in range(len(axis.values))]
        rows = [seat.options if axis.part == "options" else seat.budget.to_json() for seat in seats]
        held.append(Axis(axis.paths, tuple(row[axis.name] for row in rows)))
    return tuple(held)


SPEC_KEYS = {
    "version": True,
    "game": True,
    "options": False,
    "seats": True,
    "arms": True,
    "sweep": False,
    "deals": True,
    "rotation": False,
    "seed": False,
    "stop": False,
    "record": False,
    "queue": False,
    "priority": False,
}


def from_json(data: Any) -> ExperimentSpec:
    """Check a spec and fill in its defaults. Raises SpecError naming the place."""
    fields = object_of(data, "", SPEC_KEYS)
    whole(fields["version"], "version", VERSION, VERSION)
    game_id = one_of(fields["game"], "game", game_registry.ids())
    game = game_registry.get(game_id)
    seats = whole(fields["seats"], "seats", game.traits.min_seats, game.traits.max_seats)
    options = rules_from_json(fields.get("options", {}), game, seats)
    rows = listed(fields["arms"], "arms", 1, MAX_ARMS)
    axes: tuple[Axis, ...] = ()
    if "sweep" in fields:
        axes = sweep.axes_from_json(fields["sweep"], seats, MAX_ARMS)
        arms = _swept_arms(rows, axes, game_id, seats)
        axes = _as_held(axes, arms)
    else:
        arms = _arms(rows, game_id, seats)
    seed = _seed(fields, any(arm.has_agents for arm in arms))
    stop = object_of(fields.get("stop", {"rule": "fixed"}), "stop", {"rule": True})
    spec = ExperimentSpec(
        game=game_id,
        options=options,
        seats=seats,
        arms=arms,
        deals=whole(fields["deals"], "deals", 1, MAX_DEALS),
        rotation=one_of(fields.get("rotation", "all"), "rotation", ROTATIONS),
        seed=seed,
        stop=one_of(stop["rule"], "stop.rule", STOP_RULES),
        record=one_of(fields.get("record", "standard"), "record", RECORDS),
        queue=one_of(fields.get("queue", "batch"), "queue", QUEUES),
        priority=whole(fields.get("priority", 0), "priority", -MAX_PRIORITY, MAX_PRIORITY),
        sweep=axes,
    )
    if spec.num_matches > MAX_MATCHES:
        raise SpecError("deals", f"{spec.num_matches} matches in all; at most {MAX_MATCHES} fit one experiment")
    return spec


def _seed(fields: Mapping[str, Any], has_agents: bool) -> int:
    if not has_agents:
        if "seed" not in fields:
            raise SpecError("seed", "is missing")
        return whole(fields["seed"], "seed", 0, MAX_SEED)
    if fields.get("seed") is not None:
        text = "must not be given where agents take part: the server draws it, and shows it when all is over"
        raise SpecError("seed", text)
    return UNDRAWN


def to_json(spec: ExperimentSpec) -> dict[str, Any]:
    """The complete spec: `from_json(to_json(spec)) == spec` while its seed is not one that the server drew."""
    return {
        "version": VERSION,
        "game": spec.game,
        "options": dict(spec.options),
        "seats": spec.seats,
        "arms": [
            {
                "name": arm.name,
                "seats": [
                    {"engine": seat.engine, "options": dict(seat.options), "budget": seat.budget.to_json()}
                    for seat in arm.seats
                ],
            }
            for arm in spec.arms
        ],
        **({"sweep": sweep.to_json(spec.sweep)} if spec.sweep else {}),
        "deals": spec.deals,
        "rotation": spec.rotation,
        **({} if spec.has_agents else {"seed": spec.seed}),
        "stop": {"rule": spec.stop},
        "record": spec.record,
        "queue": spec.queue,
        "priority": spec.priority,
    }


def replace(spec: ExperimentSpec, **changes: Any) -> ExperimentSpec:
    """A changed copy (unchecked)."""
    return dataclasses.replace(spec, **changes)
