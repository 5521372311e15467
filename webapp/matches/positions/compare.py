"""Runs of the Star family beside Expectimax: how much of its tree they visit, and whether they agree.

With a window of full width every variant finds the value of Expectimax (Ballard 1983): a run
that differs in nothing but pruning must give the same value for the same depth.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engines import registry as engine_registry
from engines.expectimax import PRUNING
from games import options as option_tools
from webapp.common.option_forms import value_label
from webapp.lab.results.sides import configuration_words

FAMILY = "expectimax"
TOLERANCE = 1e-9

Run = Mapping[str, Any]
Row = Mapping[str, Any]


@dataclass(frozen=True)
class RunComparison:
    """A run beside Expectimax. share: its nodes as a share; is_equal: whether it found the same value."""

    share: float
    is_equal: bool


def compare_runs(runs: Sequence[Run], rows: Sequence[Row | None]) -> list[RunComparison | None]:
    """Each run beside the first plain Expectimax of the same search; None where there is none, and for itself."""
    found: list[RunComparison | None] = []
    for index, (run, row) in enumerate(zip(runs, rows, strict=True)):
        other = _reference(runs, run)
        plain = rows[other] if other is not None else None
        if row is None or plain is None or other == index or not plain["nodes"]:
            found.append(None)
            continue
        is_equal = math.isclose(row["value"], plain["value"], rel_tol=TOLERANCE, abs_tol=TOLERANCE)
        found.append(RunComparison(row["nodes"] / plain["nodes"], is_equal))
    return found


def words(run: Run) -> list[str]:
    """A run in words: engine, options off their default, budget; one of the family goes by its algorithm."""
    parts = configuration_words(run)
    if run["engine"] != FAMILY:
        return parts
    cls = engine_registry.get(FAMILY)
    row = next(row for row in option_tools.schema(cls.options_class) if row["name"] == "algorithm")
    name = value_label(row, run["options"]["algorithm"])
    return [name, *(part for part in parts[1:] if part != name.lower())]


def _search(run: Run) -> tuple[Any, ...] | None:
    """Key of a run's search, alike for runs that search the same tree; None outside the family."""
    if run["engine"] != FAMILY or set(run["budget"]) != {"depth"}:
        return None
    options = {key: value for key, value in run["options"].items() if key not in PRUNING}
    return run["budget"]["depth"], tuple(sorted(options.items()))


def _reference(runs: Sequence[Run], run: Run) -> int | None:
    search = _search(run)
    if search is None:
        return None
    same = (i for i, other in enumerate(runs) if _search(other) == search and other["options"]["algorithm"] == FAMILY)
    return next(same, None)
