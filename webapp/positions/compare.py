"""Runs of the Star family beside Expectimax: how much of its tree they visit, and whether they agree.

With a window of full width every variant finds the value of Expectimax (Ballard 1983): a run
that differs in nothing but pruning must give the same value for the same depth. Bounds that are
fixed by hand can be too narrow for a position, so those promise no equal value.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

FAMILY = "expectimax"
PRUNING = ("algorithm", "probing", "order", "bounds", "bound")
"""Options that change how much is visited, and nothing that is found."""
TOLERANCE = 1e-9

Run = Mapping[str, Any]
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Beside:
    """A run beside Expectimax. share: its nodes as a share; is_equal: None where nothing is promised."""

    share: float | None
    is_equal: bool | None


def beside(runs: Sequence[Run], rows: Sequence[Row | None]) -> list[Beside | None]:
    """Each run beside the first plain Expectimax of the same search; None where there is none, and for itself."""
    found: list[Beside | None] = []
    for index, (run, row) in enumerate(zip(runs, rows, strict=True)):
        other = _reference(runs, run)
        plain = rows[other] if other is not None else None
        if row is None or plain is None or other == index:
            found.append(None)
            continue
        share = row["nodes"] / plain["nodes"] if plain["nodes"] else None
        found.append(Beside(share, _is_equal(run, row, plain)))
    return found


def _search(run: Run) -> tuple[Any, ...] | None:
    """What two runs have in common that search the same tree; None outside the family."""
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


def _is_equal(run: Run, row: Row, plain: Row) -> bool | None:
    if run["options"]["bounds"] != "dynamic" or row["value"] is None or plain["value"] is None:
        return None
    return math.isclose(row["value"], plain["value"], rel_tol=TOLERANCE, abs_tol=TOLERANCE)
