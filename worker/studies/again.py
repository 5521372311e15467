"""Does a piece of a study again, and compares its row with the one that is stored.

Seconds differ each time and are left out: the fields of `SECONDS`, and those that a kind names in `timed_fields`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engines.protocol import CLOCKS
from games import registry as game_registry
from worker.studies import pieces, registry
from worker.studies.protocol import StudySpec, stage_of

SECONDS = frozenset({"cpu_s", "elapsed_s"})
ROUNDING = 1e-9
"""Relative difference of two values that are the same: processors round differently."""


class Again(NamedTuple):
    """Outcome: why it cannot be done again, or the first field that differs; both empty where it is as stored."""

    refusal: str = ""
    difference: str = ""
    is_older: bool = False  # refused since another version did it


def refusal(spec: StudySpec, versions: Mapping[str, str]) -> Again | None:
    """Why a piece that these versions did cannot be done again; None where it can."""
    if spec.study not in registry.ids() or spec.game not in game_registry.ids():
        return Again("its kind or its game is not part of this lab any more")
    kind, game = registry.get(spec.study), game_registry.get(spec.game)
    for name, ours in {kind.id: kind.version, game.id: game.version}.items():
        if versions.get(name, ours) != ours:
            return Again(f"done with version {versions[name]} of {name}, this is version {ours}", is_older=True)
    if getattr(kind, "measures_time", False):
        return Again("it measures seconds, which no two runs have alike")
    if _has_clock(spec.parameters):
        return Again("its engines thought by the clock")
    return None


def needed(spec: StudySpec, index: int) -> int:
    """The pieces before this one are those of the stages before its own, whose rows it needs; 0 without stages."""
    return stage_of(registry.get(spec.study), spec, index).start


def compare(spec: StudySpec, index: int, stored: Mapping[str, Any], earlier: Mapping[int, dict[str, Any]]) -> Again:
    """Do a piece again and compare. earlier: rows of those before it that it needs (`needed`)."""
    outcome = pieces.carry_out(spec, index, earlier)
    if outcome.row is None:
        return Again(difference=f"it failed this time: {outcome.failure}")
    timed = SECONDS | frozenset(getattr(registry.get(spec.study), "timed_fields", ()))
    return Again(difference=first_difference(stored, outcome.row, timed) or "")


def first_difference(kept: Any, found: Any, left_out: frozenset[str] = SECONDS, path: str = "") -> str | None:
    """The place of the first value that differs, e.g. "moves.3.value"; None where all are alike."""
    if isinstance(kept, Mapping) and isinstance(found, Mapping):
        names = (name for name in sorted(kept.keys() | found.keys()) if name not in left_out)
        pairs = [(name, kept.get(name), found.get(name)) for name in names]
    elif _is_list(kept) and _is_list(found) and len(kept) == len(found):
        pairs = [(str(i), one, other) for i, (one, other) in enumerate(zip(kept, found, strict=True))]
    else:
        return None if _are_alike(kept, found) else path or "its row"
    for name, one, other in pairs:
        if (place := first_difference(one, other, left_out, f"{path}.{name}" if path else name)) is not None:
            return place
    return None


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _are_alike(kept: Any, found: Any) -> bool:
    numbers = [value for value in (kept, found) if isinstance(value, int | float) and not isinstance(value, bool)]
    if len(numbers) == 2:
        return math.isclose(*numbers, rel_tol=ROUNDING, abs_tol=ROUNDING)
    return bool(kept == found)


def _has_clock(parameters: Any) -> bool:
    if isinstance(parameters, Mapping):
        clocks = (parameters.get(name) for name in CLOCKS)
        return any(value is not None for value in clocks) or any(map(_has_clock, parameters.values()))
    return _is_list(parameters) and any(map(_has_clock, parameters))
