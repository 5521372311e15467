"""Experiment specs: JSON both ways, complete, checked before anything runs."""

from __future__ import annotations

import dataclasses
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engines import registry as engine_registry
from engines.protocol import Budget
from games import options as option_tools
from games import registry as game_registry
from games.options import OptionError, shown

VERSION = 1
ROTATIONS = ("all", "none")
RECORDS = ("matches", "standard", "full")
QUEUES = ("batch",)
STOP_RULES = ("fixed",)
MAX_ARMS = 64
MAX_DEALS = 1_000_000
MAX_MATCHES = 2_000_000
MAX_SEED = 2**63 - 1
MAX_NAME = 200
MAX_PRIORITY = 100


class SpecError(ValueError):
    """A bad spec. `path` names the place, e.g. ``arms[0].seats[1].options.epsilon``."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}" if path else message)
        self.path = path
        self.message = message


@dataclass(frozen=True)
class SeatSpec:
    """Who fills one place of a line-up; options are complete (defaults filled in)."""

    engine: str
    options: Mapping[str, Any]
    budget: Budget


@dataclass(frozen=True)
class ArmSpec:
    """One line-up compared in the experiment."""

    name: str
    seats: tuple[SeatSpec, ...]


@dataclass(frozen=True)
class ExperimentSpec:
    """A batch of matches: arms x deals x rotations."""

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

    @property
    def num_rotations(self) -> int:
        """Rotations played of each deal."""
        return self.seats if self.rotation == "all" else 1

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


def _object(data: Any, path: str, keys: Mapping[str, bool]) -> Mapping[str, Any]:
    """Check that `data` is an object with only `keys`; True marks those that must be there."""
    if not isinstance(data, Mapping):
        raise SpecError(path, f"{'' if path else 'a spec '}must be an object, not {shown(data)}")
    prefix = f"{path}." if path else ""
    for key in data:
        if key not in keys:
            raise SpecError(f"{prefix}{key}", f"unknown field; known: {', '.join(keys)}")
    for key, required in keys.items():
        if required and key not in data:
            raise SpecError(f"{prefix}{key}", "is missing")
    return data


def whole(data: Any, path: str, low: int, high: int) -> int:
    """The whole number from `low` to `high` that stands at `path`. Raises SpecError."""
    if isinstance(data, bool) or not isinstance(data, int) or not low <= data <= high:
        allowed = f"a whole number from {low} to {high}" if low != high else f"{low}"
        raise SpecError(path, f"must be {allowed}, not {shown(data)}")
    return data


def _one_of(data: Any, path: str, allowed: tuple[str, ...]) -> str:
    if data not in allowed:
        raise SpecError(path, f"must be one of {', '.join(allowed)}, not {shown(data)}")
    return str(data)


def _name(data: Any, path: str) -> str:
    """Text on one line that every file and database can hold."""
    text = data.strip() if isinstance(data, str) else ""
    if not 0 < len(text) <= MAX_NAME:
        raise SpecError(path, f"must be text of 1 to {MAX_NAME} characters")
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in text):
        raise SpecError(path, "must not hold control characters")
    return text


def listed(data: Any, path: str, low: int, high: int) -> list[Any]:
    """The list of `low` to `high` items that stands at `path`. Raises SpecError."""
    if not isinstance(data, list) or not low <= len(data) <= high:
        raise SpecError(path, f"must be a list of {low} to {high}" if low != high else f"must be a list of {low}")
    return data


def seat_from_json(data: Any, path: str, game_id: str) -> SeatSpec:
    """Check an engine, its options and its budget, and fill in defaults. Raises SpecError naming the place."""
    fields = _object(data, path, {"engine": True, "options": False, "budget": False})
    engine_id = _one_of(fields["engine"], f"{path}.engine", engine_registry.ids())
    cls = engine_registry.get(engine_id)
    try:
        options = option_tools.from_json(cls.options_class, fields.get("options", {}))
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
    refusal = cls(options).refuses(game_registry.get(game_id))
    if refusal is not None:
        raise SpecError(f"{path}.engine", refusal)
    return SeatSpec(engine_id, option_tools.to_json(options), budget)


def _join(path: str, field: str) -> str:
    return path if field in ("options", "budget") else f"{path}.{field}"


def _arm(data: Any, path: str, game_id: str, seats: int) -> ArmSpec:
    fields = _object(data, path, {"name": True, "seats": True})
    name = _name(fields["name"], f"{path}.name")
    rows = listed(fields["seats"], f"{path}.seats", seats, seats)
    return ArmSpec(name, tuple(seat_from_json(row, f"{path}.seats[{i}]", game_id) for i, row in enumerate(rows)))


SPEC_KEYS = {
    "version": True,
    "game": True,
    "options": False,
    "seats": True,
    "arms": True,
    "deals": True,
    "rotation": False,
    "seed": True,
    "stop": False,
    "record": False,
    "queue": False,
    "priority": False,
}


def from_json(data: Any) -> ExperimentSpec:
    """Check a spec and fill in its defaults. Raises SpecError naming the place."""
    fields = _object(data, "", SPEC_KEYS)
    whole(fields["version"], "version", VERSION, VERSION)
    game_id = _one_of(fields["game"], "game", game_registry.ids())
    game = game_registry.get(game_id)
    try:
        options = option_tools.to_json(option_tools.from_json(game.options, fields.get("options", {})))
    except OptionError as error:
        raise SpecError(_join("options", error.field), error.message) from None
    seats = whole(fields["seats"], "seats", game.traits.min_seats, game.traits.max_seats)
    rows = listed(fields["arms"], "arms", 1, MAX_ARMS)
    arms = tuple(_arm(row, f"arms[{i}]", game_id, seats) for i, row in enumerate(rows))
    names = [arm.name for arm in arms]
    for i, name in enumerate(names):
        if name in names[:i]:
            raise SpecError(f"arms[{i}].name", f"{name!r} is the name of another arm")
    stop = _object(fields.get("stop", {"rule": "fixed"}), "stop", {"rule": True})
    spec = ExperimentSpec(
        game=game_id,
        options=options,
        seats=seats,
        arms=arms,
        deals=whole(fields["deals"], "deals", 1, MAX_DEALS),
        rotation=_one_of(fields.get("rotation", "all"), "rotation", ROTATIONS),
        seed=whole(fields["seed"], "seed", 0, MAX_SEED),
        stop=_one_of(stop["rule"], "stop.rule", STOP_RULES),
        record=_one_of(fields.get("record", "standard"), "record", RECORDS),
        queue=_one_of(fields.get("queue", "batch"), "queue", QUEUES),
        priority=whole(fields.get("priority", 0), "priority", -MAX_PRIORITY, MAX_PRIORITY),
    )
    if spec.num_matches > MAX_MATCHES:
        raise SpecError("deals", f"{spec.num_matches} matches in all; at most {MAX_MATCHES} fit one experiment")
    return spec


def to_json(spec: ExperimentSpec) -> dict[str, Any]:
    """The complete spec: `from_json(to_json(spec)) == spec`."""
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
        "deals": spec.deals,
        "rotation": spec.rotation,
        "seed": spec.seed,
        "stop": {"rule": spec.stop},
        "record": spec.record,
        "queue": spec.queue,
        "priority": spec.priority,
    }


def replace(spec: ExperimentSpec, **changes: Any) -> ExperimentSpec:
    """A changed copy (unchecked)."""
    return dataclasses.replace(spec, **changes)
