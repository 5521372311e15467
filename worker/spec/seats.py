"""Rules and line-ups of a spec, read from JSON: a game's options, engines and agents in their seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engines import registry as engine_registry
from engines.own import engine as own
from engines.own.faults import SourceError
from engines.own.sources import is_own
from engines.protocol import Budget, Engine
from games import options as option_tools
from games import registry as game_registry
from games.json_paths import Path
from games.options import OptionError
from games.protocol import Game
from worker.spec.agents import check_name, is_agent, limits_from_json
from worker.spec.checks import SpecError, list_of, name_of, object_of, one_of
from worker.spec.model import ArmSpec, SeatSpec

SEAT_KEYS = {"engine": True, "options": False, "budget": False}
"""Field -> whether it must be there."""


def rules_from_json(data: Any, game: Game, num_seats: int) -> dict[str, Any]:
    """Check a game's options for `num_seats` seats, which its traits allow, and fill in defaults.

    Raises SpecError naming the place below ``options``.
    """
    try:
        options = option_tools.from_json(game.options, data)
        game.check(options, num_seats)
    except OptionError as error:
        raise _at(("options",), error) from None
    return option_tools.to_json(options)


def seat_from_json(data: Any, path: Path, game_id: str) -> SeatSpec:
    """Check an engine, its options and its budget, and fill in defaults. Raises SpecError naming the place."""
    fields = object_of(data, path, SEAT_KEYS)
    engine_id = _engine_id(fields, path)
    cls = engine_registry.get(engine_id)
    game = game_registry.get(game_id)
    try:
        given = engine_registry.complete_options(engine_id, game, fields.get("options", {}))
        options = option_tools.from_json(cls.options_class, given)
    except OptionError as error:
        raise _at((*path, "options"), error) from None
    budget = _budget(fields.get("budget", cls.default_budget), (*path, "budget"), cls, game)
    refusal = cls(options).refuses(game)
    if refusal is not None:
        raise SpecError((*path, "engine"), refusal)
    return SeatSpec(engine_id, option_tools.to_json(options), budget)


def _engine_id(fields: Mapping[str, Any], path: Path) -> str:
    """The id of an engine; of somebody's own with its version, the present one where none is given."""
    given = fields["engine"]
    if not is_own(given):
        return one_of(given, (*path, "engine"), engine_registry.ids())
    try:
        engine_id = engine_registry.complete_id(given)
        if engine_registry.absence(engine_id):
            own.remember_lost(engine_id, *(_object(fields.get(key)) for key in ("options", "budget")))
        engine_registry.get(engine_id)
    except (KeyError, SourceError) as error:
        raise SpecError((*path, "engine"), str(error)) from None
    return engine_id


def _object(data: Any) -> Mapping[str, Any]:
    """What is an object; an empty one in the place of anything else, which is refused where it is read."""
    return data if isinstance(data, Mapping) else {}


def _budget(data: Any, path: Path, cls: type[Engine], game: Game) -> Budget:
    try:
        budget = Budget.from_json(data)
    except OptionError as error:
        raise _at(path, error) from None
    for key in budget.to_json():
        if key not in cls.budgets:
            known = ", ".join(cls.budgets) or "no budget"
            raise SpecError((*path, key), f"{cls.label} takes {known}")
    for key, schedule in budget.schedules:
        if schedule.by == "round" and game.round_of is None:
            raise SpecError((*path, key, "by"), f"{game.label} has no rounds: give counts by ply")
    if cls.budgets and not budget.to_json():
        raise SpecError(path, f"{cls.label} needs one of {', '.join(cls.budgets)}")
    return budget


def _at(path: Path, error: OptionError) -> SpecError:
    """An error of options, or of a budget, which stand at a place of the spec."""
    is_of_all = error.field == path[-1]
    return SpecError(path if is_of_all else (*path, *error.path), error.message)


def arms_from_json(rows: Sequence[Any], game_id: str, seats: int) -> tuple[ArmSpec, ...]:
    """Line-ups whose names differ. Raises SpecError naming the place."""
    arms = tuple(arm_from_json(row, ("arms", i), game_id, seats) for i, row in enumerate(rows))
    names = [arm.name for arm in arms]
    for i, name in enumerate(names):
        if name in names[:i]:
            raise SpecError(("arms", i, "name"), f"{name!r} is the name of another arm")
    return arms


def arm_from_json(data: Any, path: Path, game_id: str, seats: int) -> ArmSpec:
    """One line-up with its name. Raises SpecError naming the place."""
    fields = object_of(data, path, {"name": True, "seats": True})
    name = name_of(fields["name"], (*path, "name"))
    rows = list_of(fields["seats"], (*path, "seats"), seats, seats)
    arm = ArmSpec(name, tuple(_place(row, (*path, "seats", i), game_id) for i, row in enumerate(rows)))
    limited = [(i, seat.budget) for i, seat in enumerate(arm.seats) if seat.agent]
    for i, limits in limited:
        if limits != limited[0][1]:
            raise SpecError((*path, "seats", i, "budget"), "all agents at a table have the same limits")
    return arm


def _place(data: Any, path: Path, game_id: str) -> SeatSpec:
    """An engine with its options and budget, or an agent with its limits."""
    if not isinstance(data, Mapping) or not is_agent(data.get("engine")):
        return seat_from_json(data, path, game_id)
    fields = object_of(data, path, SEAT_KEYS)
    check_name(fields["engine"], (*path, "engine"))
    object_of(fields.get("options", {}), (*path, "options"), {})
    return SeatSpec(fields["engine"], {}, limits_from_json(fields.get("budget", {}), (*path, "budget")))
