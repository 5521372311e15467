"""What a tuning may change: numeric options of an engine, each between two bounds, and how people write them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engines import registry as engine_registry
from games import options as option_tools
from games.json_paths import Path
from games.options import quote
from worker.analysis.halving import PRIMES
from worker.analysis.trend import LOG, NATURAL
from worker.spec import SpecError, checks, naming

KEYS = {"name": True, "low": True, "high": True, "scale": False}
TEXT = re.compile(r"(\w+)\s+(-?[\d.eE+-]+)\s+to\s+(-?[\d.eE+-]+)(?:\s+(log))?")
FIGURES = 4
"""Figures that a value has."""


@dataclass(frozen=True)
class TunedValue:
    """An option between two bounds. scale: how values are spread; is_whole: whether it takes whole numbers."""

    name: str
    label: str
    low: float
    high: float
    scale: str
    is_whole: bool

    def at(self, share: float) -> float | int:
        """The value so far along the way from the low end to the high one."""
        value: float
        if self.scale == LOG:
            value = self.low * (self.high / self.low) ** share
        else:
            value = self.low + (self.high - self.low) * share
        if self.is_whole:
            return min(int(self.high), max(int(self.low), round(value)))
        return min(self.high, max(self.low, float(f"{value:.{FIGURES}g}")))

    def to_json(self) -> dict[str, Any]:
        """As parameters have it: `read` of it is the same."""
        return {"name": self.name, "low": self.low, "high": self.high, "scale": self.scale}


def parse(text: str) -> list[dict[str, Any]]:
    """Read what people write: "c 0.1 to 100 log, epsilon 0 to 0.5". Raises SpecError."""
    rows = []
    for part in filter(None, (part.strip() for part in re.split(r"[,;\n]", text))):
        found = TEXT.fullmatch(part)
        try:
            low, high = (float(found[2]), float(found[3])) if found else (math.nan, math.nan)
        except ValueError:
            low = math.nan
        if found is None or not (math.isfinite(low) and math.isfinite(high)):
            raise SpecError((), f"must be like c 0.1 to 100 log, epsilon 0 to 0.5, not {quote(part)}")
        rows.append({"name": found[1], "low": low, "high": high, "scale": LOG if found[4] else NATURAL})
    return rows


def spell(rows: Sequence[Mapping[str, Any]]) -> str:
    """The inverse of `parse`."""
    return ", ".join(
        f"{row['name']} {naming.number_text(row['low'])} to {naming.number_text(row['high'])}"
        + (" log" if row["scale"] == LOG else "")
        for row in rows
    )


def read(data: Any, path: Path, engine: str) -> tuple[TunedValue, ...]:
    """The options of an engine that are tuned. Raises SpecError naming the place."""
    rows = checks.list_of(data, path, 1, len(PRIMES))
    found = tuple(_value(row, (*path, i), engine) for i, row in enumerate(rows))
    for i, value in enumerate(found):
        if value.name in [other.name for other in found[:i]]:
            raise SpecError((*path, i, "name"), f"{value.name} is there twice")
    return found


def numeric_options(engine: str) -> dict[str, Mapping[str, Any]]:
    """Options that take numbers, by name, as schemas declare them."""
    schema = option_tools.schema(engine_registry.get(engine).options_class)
    return {row["name"]: row for row in schema if row["type"] in ("int", "float") and not row["choices"]}


def _value(data: Any, path: Path, engine: str) -> TunedValue:
    fields = checks.object_of(data, path, KEYS)
    known = numeric_options(engine)
    if fields["name"] not in known:
        label = engine_registry.get(engine).label
        raise SpecError(
            (*path, "name"), f"{fields['name']} is no number of {label}: {', '.join(known) or 'it has none'}"
        )
    row = known[fields["name"]]
    low, high = (_bound(fields[end], (*path, end), row) for end in ("low", "high"))
    if low >= high:
        raise SpecError((*path, "high"), f"must be above {naming.number_text(low)}, not {naming.number_text(high)}")
    scale = checks.one_of(fields.get("scale", NATURAL), (*path, "scale"), (NATURAL, LOG))
    if scale == LOG and low <= 0:
        raise SpecError((*path, "low"), f"must be above 0 on a logarithmic scale, not {naming.number_text(low)}")
    return TunedValue(row["name"], str(row["label"]), low, high, scale, row["type"] == "int")


def _bound(value: Any, path: Path, row: Mapping[str, Any]) -> float:
    """One end, within the bounds of the option."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise SpecError(path, f"must be a number, not {quote(value)}")
    if row["type"] == "int" and value != int(value):
        raise SpecError(path, f"must be a whole number, not {quote(value)}")
    low, high = row["minimum"], row["maximum"]
    if (low is not None and value < low) or (high is not None and value > high):
        ends = f"{'' if low is None else naming.number_text(low)} to {'' if high is None else naming.number_text(high)}"
        raise SpecError(
            path, f"must lie within the bounds of {row['name']}, {ends}, not at {naming.number_text(value)}"
        )
    return float(value)
