"""Names of the axes of a sweep, of their values and of its arms."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from engines import registry as engine_registry
from engines.protocol import BUDGET_LABELS
from games import options as option_tools
from games.options import Value
from worker.spec.checks import MAX_NAME
from worker.spec.model import Axis

ORDINALS = ("first", "second", "third", "fourth", "fifth")
"""Seats in words, by their number."""


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
    """Name of an axis on pages. engines: their ids, by place of the line-up."""
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
    """Names of the axes side by side: those of one name say which seats they are of."""
    plain = [label(axis, engines) for axis in axes]
    repeated = Counter(plain)
    return [
        f"{text} of the {in_words(axis.seats)}" if repeated[text] > 1 else text
        for axis, text in zip(axes, plain, strict=True)
    ]


def with_value(head: str, axis: Axis, words: str) -> str:
    """ "C 0.5", or "Policy: greedy"."""
    return f"{head}{' ' if axis.is_numeric else ': '}{words}"


def in_words(seats: Sequence[int]) -> str:
    """Seats within a sentence: "first seat", "first and third seat"."""
    *others, last = (ORDINALS[seat] for seat in seats)
    return f"{', '.join(others)} and {last} seat" if others else f"{last} seat"


def _seats_words(axis: Axis) -> str:
    """Seats in names of arms, which are kept in specs: "seat 0", or "seats 0 and 1"."""
    *first, last = map(str, axis.seats)
    return f"seats {', '.join(first)} and {last}" if first else f"seat {last}"


def arm_names(axes: Sequence[Axis], engines: Sequence[str]) -> list[str]:
    """Names of all arms, made from their values: "C 0.5, simulations 1000"."""
    heads = [axis.name.replace("_", " ") if axis.part == "budget" else label(axis, engines) for axis in axes]
    repeated = Counter(heads)
    heads = [
        f"{_seats_words(axis)} {head}" if repeated[head] > 1 else head for axis, head in zip(axes, heads, strict=True)
    ]
    parts = [
        [with_value(head, axis, value_words(axis, engines, value)) for value in axis.values]
        for head, axis in zip(heads, axes, strict=True)
    ]
    names = [", ".join(texts) for texts in itertools.product(*parts)]
    if max(map(len, names)) > MAX_NAME or len(set(names)) < len(names):
        names = [f"{i + 1}. {text}"[:MAX_NAME].rstrip() for i, text in enumerate(names)]
    return names
