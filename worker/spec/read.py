"""The spec of an experiment, read from JSON: complete, or an error that names its place."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from games import registry as game_registry
from games.options import OptionError
from worker.spec import ladder, seatings, stop
from worker.spec.checks import SpecError, list_of, object_of, one_of, whole_number
from worker.spec.model import (
    MAX_ARMS,
    MAX_DEALS,
    MAX_MATCHES,
    MAX_PRIORITY,
    MAX_SEED,
    QUEUES,
    RECORDS,
    ROTATIONS,
    UNDRAWN,
    VERSION,
    ArmSpec,
    Axis,
    ExperimentSpec,
    Ladder,
)
from worker.spec.seats import arms_from_json, rules_from_json
from worker.spec.stop import StopSpec
from worker.spec.sweep import as_held, sweep_arms, sweep_from_json
from worker.spec.write import arm_to_json

FIELDS = tuple(option.name for option in dataclasses.fields(StopSpec))
KEYS = {
    "version": True,
    "game": True,
    "options": False,
    "seats": True,
    "arms": False,
    "sweep": False,
    "baseline": False,
    "ladder": False,
    "deals": True,
    "rotation": False,
    "seed": False,
    "stop": False,
    "record": False,
    "queue": False,
    "priority": False,
}
"""Field -> whether it must be there, in the order of `write.to_json`."""


def from_json(data: Any) -> ExperimentSpec:
    """Check a spec and fill in its defaults. Raises SpecError naming the place."""
    fields = object_of(data, (), KEYS)
    whole_number(fields["version"], ("version",), VERSION, VERSION)
    game = game_registry.get(one_of(fields["game"], ("game",), game_registry.ids()))
    seats = whole_number(fields["seats"], ("seats",), game.traits.min_seats, game.traits.max_seats)
    options = rules_from_json(fields.get("options", {}), game, seats)
    found = ladder.from_json(fields["ladder"], game, seats) if "ladder" in fields else None
    arms, axes = _arms(fields, game.id, seats) if found is None else (_of_ladder(fields, found, seats), ())
    seed = _seed(fields, any(arm.has_agents for arm in arms))
    spec = ExperimentSpec(
        game=game.id,
        options=options,
        seats=seats,
        arms=arms,
        deals=whole_number(fields["deals"], ("deals",), 1, MAX_DEALS),
        rotation=_rotation(fields.get("rotation", seatings.ALL)),
        seed=seed,
        stop=_stop(fields.get("stop", {}), arms),
        record=one_of(fields.get("record", "standard"), ("record",), RECORDS),
        queue=one_of(fields.get("queue", "batch"), ("queue",), QUEUES),
        priority=whole_number(fields.get("priority", 0), ("priority",), -MAX_PRIORITY, MAX_PRIORITY),
        sweep=axes,
        ladder=found,
        baseline=whole_number(fields.get("baseline", 0), ("baseline",), 0, len(arms) - 1),
    )
    if spec.num_matches > MAX_MATCHES:
        raise SpecError(("deals",), f"{spec.num_matches} matches in all; at most {MAX_MATCHES} fit one experiment")
    return spec


def _of_ladder(fields: Mapping[str, Any], found: Ladder, seats: int) -> tuple[ArmSpec, ...]:
    """The tables of a ladder as arms. Raises SpecError where others are given, or what no ladder has."""
    for name in ("sweep", "baseline"):
        if name in fields:
            raise SpecError((name,), "cannot be combined with a ladder")
    if _rotation(fields.get("rotation", seatings.ALL)) != seatings.ALL:
        raise SpecError(("rotation",), "must be all: engines of a ladder sit in every seat")
    if not _stop(fields.get("stop", {}), ()).is_fixed:
        raise SpecError(("stop", "rule"), "must be fixed: a ladder ends with its deals")
    arms = ladder.arms(found, seats)
    if "arms" in fields and fields["arms"] != [arm_to_json(arm) for arm in arms]:
        raise SpecError(("arms",), "are not the tables of this ladder; leave them out, they follow from its entries")
    return arms


def _arms(fields: Mapping[str, Any], game_id: str, seats: int) -> tuple[tuple[ArmSpec, ...], tuple[Axis, ...]]:
    """The line-ups, and the axes whose combinations the first of them are where there is a sweep."""
    if "arms" not in fields:
        raise SpecError(("arms",), "is missing")
    rows = list_of(fields["arms"], ("arms",), 1, MAX_ARMS)
    if "sweep" not in fields:
        return arms_from_json(rows, game_id, seats), ()
    asked = sweep_from_json(fields["sweep"], seats, len(rows))
    given = arms_from_json(rows, game_id, seats)
    of_sweep = len(given) - asked.beside
    arms = sweep_arms(rows[0]["seats"], asked.axes, given[:of_sweep], game_id)
    for index, arm in enumerate(given[of_sweep:], start=of_sweep):
        if arm.name in [other.name for other in arms]:
            raise SpecError(("arms", index, "name"), f"{arm.name!r} is the name of an arm of the sweep")
    return (*arms, *given[of_sweep:]), as_held(asked.axes, arms)


def _rotation(value: Any) -> str:
    """One that experiments may have, or what only those of before have; that one is offered to nobody."""
    return seatings.TURNS if value == seatings.TURNS else one_of(value, ("rotation",), ROTATIONS)


def _stop(value: Any, arms: Sequence[ArmSpec]) -> StopSpec:
    """A stop rule that fits the arms."""
    try:
        rule = stop.from_json(object_of(value, ("stop",), dict.fromkeys(FIELDS, False)))
    except OptionError as error:
        raise SpecError(("stop", *error.path), error.message) from None
    if not rule.is_fixed and any(arm.has_agents for arm in arms):
        raise SpecError(("stop", "rule"), "must be fixed where agents take part: no two of their matches share a deal")
    if rule.rule == stop.SPRT and len(arms) > 2:
        raise SpecError(("stop", "rule"), f"a test decides between two arms, not {len(arms)}: take {stop.BEST_OF}")
    if rule.rule == stop.BEST_OF and len(arms) < stop.LEAST_ARMS:
        raise SpecError(("stop", "rule"), f"the best is found among {stop.LEAST_ARMS} arms or more, not {len(arms)}")
    return rule


def _seed(fields: Mapping[str, Any], has_agents: bool) -> int:
    if not has_agents:
        if "seed" not in fields:
            raise SpecError(("seed",), "is missing")
        return whole_number(fields["seed"], ("seed",), 0, MAX_SEED)
    if fields.get("seed") is not None:
        text = "must not be given where agents take part: the server draws it, and shows it when all is over"
        raise SpecError(("seed",), text)
    return UNDRAWN
