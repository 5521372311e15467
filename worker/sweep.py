"""Sweeps: some options or budgets of a line-up take several values, every combination is an arm.

An axis names the places that take its values, all of them the same one at a time. The
combinations are row-major: the first axis varies slowest.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engines import registry as engine_registry
from engines.protocol import BUDGET_LABELS
from games import options as option_tools
from games.options import Value, shown
from worker import checks
from worker.checks import SpecError

PLACE = re.compile(r"seats\[(\d{1,2})\]\.(options|budget)\.([A-Za-z_]\w{0,59})")


@dataclass(frozen=True)
class Axis:
    """paths: e.g. ``seats[0].options.c``, all of one option or budget key; values: in order, all different."""

    paths: tuple[str, ...]
    values: tuple[Value, ...]

    @property
    def part(self) -> str:
        """``options`` or ``budget``."""
        return self.paths[0].split(".")[1]

    @property
    def name(self) -> str:
        """Name of the option, or key of the budget."""
        return self.paths[0].split(".")[2]

    @property
    def seats(self) -> tuple[int, ...]:
        """Places of the line-up that take the values."""
        return tuple(int(path[len("seats[") : path.index("]")]) for path in self.paths)

    @property
    def is_numeric(self) -> bool:
        """Whether all values are numbers."""
        return all(isinstance(value, int | float) and not isinstance(value, bool) for value in self.values)


def axes_from_json(data: Any, seats: int, max_arms: int) -> tuple[Axis, ...]:
    """The axes of a spec's "sweep"; what the values must be is for the engines to say.

    Raises SpecError naming the place.
    """
    found = checks.listed(checks.object_of(data, "sweep", {"axes": True})["axes"], "sweep.axes", 1, max_arms)
    axes = tuple(_axis(row, f"sweep.axes[{i}]", seats, max_arms) for i, row in enumerate(found))
    taken: set[str] = set()
    for i, axis in enumerate(axes):
        for j, path in enumerate(axis.paths):
            if path in taken:
                raise SpecError(f"sweep.axes[{i}].paths[{j}]", f"{path} has its values already")
            taken.add(path)
    if num_arms(axes) > max_arms:
        product = " x ".join(str(len(axis.values)) for axis in axes)
        raise SpecError("sweep.axes", f"{product} = {num_arms(axes)} arms; at most {max_arms} fit one experiment")
    return axes


def _axis(data: Any, path: str, seats: int, max_arms: int) -> Axis:
    fields = checks.object_of(data, path, {"paths": True, "values": True})
    paths = checks.listed(fields["paths"], f"{path}.paths", 1, seats)
    for i, text in enumerate(paths):
        place = PLACE.fullmatch(text) if isinstance(text, str) else None
        if place is None:
            good = "seats[0].options.NAME or seats[0].budget.KEY"
            raise SpecError(f"{path}.paths[{i}]", f"must be like {good}, not {shown(text)}")
        if int(place[1]) >= seats:
            raise SpecError(f"{path}.paths[{i}]", f"there are seats 0 to {seats - 1}, not {int(place[1])}")
        if text.partition(".")[2] != paths[0].partition(".")[2]:
            raise SpecError(f"{path}.paths[{i}]", "must name the same option as the first; others need an axis each")
    values = checks.listed(fields["values"], f"{path}.values", 2, max_arms)
    for i, value in enumerate(values):
        if not isinstance(value, bool | int | float | str):
            raise SpecError(f"{path}.values[{i}]", f"must be a number, text, true or false, not {shown(value)}")
        if value in values[:i]:
            raise SpecError(f"{path}.values[{i}]", f"{shown(value)} is there twice")
    return Axis(tuple(paths), tuple(values))


def to_json(axes: Sequence[Axis]) -> dict[str, Any]:
    """What a spec holds as "sweep"."""
    return {"axes": [{"paths": list(axis.paths), "values": list(axis.values)} for axis in axes]}


def stored(spec: Mapping[str, Any]) -> tuple[Axis, ...]:
    """The axes of a stored spec, which has been checked; empty without a sweep."""
    rows = spec.get("sweep", {}).get("axes", ())
    return tuple(Axis(tuple(row["paths"]), tuple(row["values"])) for row in rows)


def num_arms(axes: Sequence[Axis]) -> int:
    """How many combinations there are."""
    return math.prod(len(axis.values) for axis in axes)


def combinations(axes: Sequence[Axis]) -> list[tuple[int, ...]]:
    """For each arm, which value of each axis it has."""
    return list(itertools.product(*(range(len(axis.values)) for axis in axes)))


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


def values_of(axes: Sequence[Axis], arm: int) -> dict[str, Value]:
    """Path -> value of one arm."""
    indices = combinations(axes)[arm] if axes else ()
    return {path: axis.values[i] for axis, i in zip(axes, indices, strict=True) for path in axis.paths}


def check_names(axes: Sequence[Axis], engines: Sequence[str]) -> None:
    """Raise SpecError where an engine has no such option, or takes no such budget.

    engines: their ids, by place of the line-up.
    """
    for i, axis in enumerate(axes):
        for j, seat in enumerate(axis.seats):
            cls = engine_registry.get(engines[seat])
            options = [row["name"] for row in option_tools.schema(cls.options_class)]
            known = options if axis.part == "options" else cls.budgets
            if axis.name not in known:
                what = f"{axis.part} of {cls.label}: {', '.join(known) or 'none'}"
                raise SpecError(f"sweep.axes[{i}].paths[{j}]", f"{axis.name} is not among the {what}")


def place_of(error: SpecError, axes: Sequence[Axis], arm: int) -> SpecError:
    """An error of an arm, put at the value that brought it in.

    error: of the first arm that has one, while the line-up that the sweep starts from has none.
    """
    inner = error.path.partition("].")[2]  # without "arms[n]."
    indices = combinations(axes)[arm]
    last = max((k for k, index in enumerate(indices) if index), default=0)
    touching = [
        k for k, axis in enumerate(axes) if inner.startswith(tuple(path.partition(".")[0] for path in axis.paths))
    ]
    named = [k for k, axis in enumerate(axes) if inner in axis.paths]
    k = named[0] if named else last if last in touching or not touching else touching[0]
    return SpecError(f"sweep.axes[{k}].values[{indices[k]}]", error.message)


def number_text(value: float) -> str:
    """A number as short as it can be read back."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else repr(value)


def _row(axis: Axis, engines: Sequence[str]) -> Mapping[str, Any] | None:
    """The declaration of a swept option; None for budgets and for engines of another version."""
    if axis.part == "budget":
        return None
    try:
        cls = engine_registry.get(engines[axis.seats[0]])
    except KeyError:
        return None
    return next((row for row in option_tools.schema(cls.options_class) if row["name"] == axis.name), None)


def label(axis: Axis, engines: Sequence[str]) -> str:
    """What an axis is called on pages. engines: their ids, by place of the line-up."""
    if axis.part == "budget":
        return BUDGET_LABELS[axis.name][0] if axis.name in BUDGET_LABELS else axis.name
    row = _row(axis, engines)
    return str(row["label"]) if row else axis.name


def value_words(axis: Axis, engines: Sequence[str], value: Value) -> str:
    """A value in words: the label of a choice, yes or no, or the number."""
    row = _row(axis, engines)
    for choice in row["choices"] if row else ():
        if choice["value"] == value:
            return str(choice["label"])
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else number_text(value)


def labels(axes: Sequence[Axis], engines: Sequence[str]) -> list[str]:
    """What the axes are called side by side: those of one name say which seats they are of."""
    plain = [label(axis, engines) for axis in axes]
    repeated = Counter(plain)
    return [
        f"{text} of {seats_words(axis)}" if repeated[text] > 1 else text for axis, text in zip(axes, plain, strict=True)
    ]


def with_value(head: str, axis: Axis, words: str) -> str:
    """ "C 0.5", or "Policy: greedy"."""
    return f"{head}{' ' if axis.is_numeric else ': '}{words}"


def seats_words(axis: Axis) -> str:
    """ "seat 0", or "seats 0 and 1"."""
    *first, last = map(str, axis.seats)
    return f"seats {', '.join(first)} and {last}" if first else f"seat {last}"


def arm_names(axes: Sequence[Axis], engines: Sequence[str]) -> list[str]:
    """Names of all arms, made from their values: "C 0.5, simulations 1000"."""
    heads = [axis.name.replace("_", " ") if axis.part == "budget" else label(axis, engines) for axis in axes]
    repeated = Counter(heads)
    heads = [
        f"{seats_words(axis)} {head}" if repeated[head] > 1 else head for axis, head in zip(axes, heads, strict=True)
    ]
    names = []
    for indices in combinations(axes):
        parts = [
            with_value(head, axis, value_words(axis, engines, axis.values[index]))
            for head, axis, index in zip(heads, axes, indices, strict=True)
        ]
        names.append(", ".join(parts))
    if max(map(len, names)) > checks.MAX_NAME or len(set(names)) < len(names):
        names = [f"{i + 1}. {text}"[: checks.MAX_NAME].rstrip() for i, text in enumerate(names)]
    return names
