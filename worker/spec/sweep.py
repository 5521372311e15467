"""Sweeps: some options or budgets of a line-up take several values, every combination is an arm.

An axis names the places that take its values, all of them the same one at a time. The
combinations are row-major: the first axis varies slowest. Other arms may stand beside those of
the sweep, after them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from engines import registry as engine_registry
from games import options as option_tools
from games.json_paths import Path, format_path
from games.options import Value, quote
from worker.spec.checks import SpecError, list_of, object_of, whole_number
from worker.spec.model import MAX_ARMS, ArmSpec, Axis, combinations, num_arms
from worker.spec.naming import arm_names
from worker.spec.seats import arm_from_json

PLACE = re.compile(r"seats\[(\d{1,2})\]\.(options|budget)\.([A-Za-z_]\w{0,59})")


class Sweep(NamedTuple):
    """A spec's "sweep". beside: how many arms, the last ones of the spec, are not of it."""

    axes: tuple[Axis, ...]
    beside: int


def sweep_from_json(data: Any, seats: int, given: int) -> Sweep:
    """Read a spec's "sweep"; what the values must be is for the engines to say.

    given: arms that the spec holds: the first or all of the sweep, then those beside it. Raises
    SpecError naming the place.
    """
    fields = object_of(data, ("sweep",), {"axes": True, "beside": False})
    beside = whole_number(fields.get("beside", 0), ("sweep", "beside"), 0, MAX_ARMS - 1)
    axes = _axes(fields["axes"], seats)
    size, of_sweep = num_arms(axes), given - beside
    if size + beside > MAX_ARMS:
        text = f"{_product(axes)} arms and {beside} beside them; at most {MAX_ARMS} fit one experiment"
        raise SpecError(("sweep", "axes"), text)
    if of_sweep not in (1, size):
        besides = f" before the {beside} beside it" if beside else ""
        text = f"makes {size} arms of one line-up; give that one or all {size}{besides}, not {of_sweep}"
        raise SpecError(("sweep",), text)
    return Sweep(axes, beside)


def _axes(data: Any, seats: int) -> tuple[Axis, ...]:
    found = list_of(data, ("sweep", "axes"), 1, MAX_ARMS)
    axes = tuple(_axis(row, ("sweep", "axes", i), seats) for i, row in enumerate(found))
    taken: set[Path] = set()
    for i, axis in enumerate(axes):
        for j, path in enumerate(axis.paths):
            if path in taken:
                raise SpecError(_place(i, "paths", j), f"{format_path(path)} already has its values")
            taken.add(path)
    size = num_arms(axes)
    if size > MAX_ARMS:
        raise SpecError(("sweep", "axes"), f"{_product(axes)} arms; at most {MAX_ARMS} fit one experiment")
    return axes


def _product(axes: Sequence[Axis]) -> str:
    return f"{' x '.join(str(len(axis.values)) for axis in axes)} = {num_arms(axes)}"


def _place(axis: int, part: str, index: int) -> Path:
    return ("sweep", "axes", axis, part, index)


def _axis(data: Any, path: Path, seats: int) -> Axis:
    fields = object_of(data, path, {"paths": True, "values": True})
    texts = list_of(fields["paths"], (*path, "paths"), 1, seats)
    places: list[tuple[int, str, str]] = []
    for i, text in enumerate(texts):
        found = PLACE.fullmatch(text) if isinstance(text, str) else None
        if found is None:
            good = "seats[0].options.NAME or seats[0].budget.KEY"
            raise SpecError((*path, "paths", i), f"must be like {good}, not {quote(text)}")
        seat, part, name = int(found[1]), found[2], found[3]
        if seat >= seats:
            raise SpecError((*path, "paths", i), f"there are seats 0 to {seats - 1}, not {seat}")
        places.append((seat, part, name))
        if (part, name) != places[0][1:]:
            text = "must name the same option as the first; others need an axis each"
            raise SpecError((*path, "paths", i), text)
    values = list_of(fields["values"], (*path, "values"), 2, MAX_ARMS)
    for i, value in enumerate(values):
        if not isinstance(value, bool | int | float | str):
            raise SpecError((*path, "values", i), f"must be a number, text, true or false, not {quote(value)}")
        if value in values[:i]:
            raise SpecError((*path, "values", i), f"{quote(value)} is there twice")
    return Axis(tuple(seat for seat, _, _ in places), *places[0][1:], tuple(values))


def stored_axes(spec: Mapping[str, Any]) -> tuple[Axis, ...]:
    """The axes of a stored spec, which has been checked; empty without a sweep."""
    return _axes(spec["sweep"]["axes"], spec["seats"]) if "sweep" in spec else ()


def num_beside(spec: Mapping[str, Any]) -> int:
    """How many arms of a stored spec with a sweep stand beside it: its last ones."""
    return int(spec["sweep"].get("beside", 0))


def sweep_arms(
    seats: Sequence[Mapping[str, Any]], axes: Sequence[Axis], given: Sequence[ArmSpec], game_id: str
) -> tuple[ArmSpec, ...]:
    """The arms of a sweep. Raises SpecError where a value does not fit, or a given arm is another one.

    seats: of the line-up that it starts from (JSON); given: that one, read, or all of them.
    """
    _check_names(axes, given[0])
    wanted = arm_names(axes, [seat.engine for seat in given[0].seats])
    names = [arm.name for arm in given] if len(given) > 1 else wanted
    arms: list[ArmSpec] = []
    for i, row in enumerate(expand(seats, axes)):
        try:
            arms.append(arm_from_json({"name": names[i], "seats": row}, ("arms", i), game_id, len(seats)))
        except SpecError as error:
            raise _at_its_value(error, axes, i) from None
        if len(given) > 1 and given[i].seats != arms[i].seats:
            raise SpecError(("arms", i), f"must be {wanted[i]!r} by the sweep, and otherwise like arms[0]")
    return tuple(arms)


def _check_names(axes: Sequence[Axis], base: ArmSpec) -> None:
    """Raise SpecError where an axis is of an agent, or its engine has no such option, or takes no such budget."""
    places = [(_place(i, "paths", j), axis, seat) for i, axis in enumerate(axes) for j, seat in enumerate(axis.seats)]
    for place, _, seat in places:
        if base.seats[seat].agent:
            raise SpecError(place, f"seat {seat} is an agent's: nothing of it can vary")
    for place, axis, seat in places:
        cls = engine_registry.get(base.seats[seat].engine)
        options = [row["name"] for row in option_tools.schema(cls.options_class)]
        known = options if axis.part == "options" else cls.budgets
        if axis.name not in known:
            what = f"{axis.part} of {cls.label}: {', '.join(known) or 'none'}"
            raise SpecError(place, f"{axis.name} is not among the {what}")


def expand(seats: Sequence[Mapping[str, Any]], axes: Sequence[Axis]) -> list[list[dict[str, Any]]]:
    """The seats (JSON) of every arm, from those of the line-up that the sweep starts from.

    A seat that gives no budget gets no other than the swept one.
    """
    arms = []
    for indices in combinations(axes):
        rows = [dict(seat) for seat in seats]
        for axis, index in zip(axes, indices, strict=True):
            for seat in axis.seats:
                rows[seat][axis.part] = {**rows[seat].get(axis.part, {}), axis.name: axis.values[index]}
        arms.append(rows)
    return arms


def _at_its_value(error: SpecError, axes: Sequence[Axis], arm: int) -> SpecError:
    """An error of an arm, put at the value that brought it in.

    error: of the first arm that has one, while the line-up that the sweep starts from has none.
    """
    inner = error.path[2:]  # without "arms", n
    indices = combinations(axes)[arm]
    last = max((k for k, index in enumerate(indices) if index), default=0)
    touching = [k for k, axis in enumerate(axes) if inner[:2] in {path[:2] for path in axis.paths}]
    named = [k for k, axis in enumerate(axes) if inner in axis.paths]
    k = named[0] if named else last if last in touching or not touching else touching[0]
    return SpecError(_place(k, "values", indices[k]), error.message)


def as_held(axes: Sequence[Axis], arms: Sequence[ArmSpec]) -> tuple[Axis, ...]:
    """The axes with their values as the arms hold them: 1 is 1.0 where the option is a decimal number."""
    held, step = [], len(arms)
    for axis in axes:
        step //= len(axis.values)
        seats = [arms[i * step].seats[axis.seats[0]] for i in range(len(axis.values))]
        rows = [seat.options if axis.part == "options" else seat.budget.to_json() for seat in seats]
        held.append(replace(axis, values=tuple(row[axis.name] for row in rows)))
    return tuple(held)


def values_of(axes: Sequence[Axis], arm: int) -> dict[str, Value]:
    """Place, as specs write it -> value of one arm; empty for an arm beside the sweep."""
    if not axes or arm >= num_arms(axes):
        return {}
    indices = combinations(axes)[arm]
    return {place: axis.values[i] for axis, i in zip(axes, indices, strict=True) for place in axis.places}
