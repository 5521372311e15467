"""Whether the engines of a spec can play here: of engines of one's own the code may be gone, or another by now."""

from __future__ import annotations

from engines import registry as engine_registry
from engines.own.sources import is_own
from games.json_paths import Path
from worker.spec.checks import SpecError
from worker.spec.model import ExperimentSpec, SeatSpec


def check_presence(spec: ExperimentSpec) -> None:
    """Raises SpecError naming the first seat whose engine cannot play here, and why."""
    for i, arm in enumerate(spec.arms):
        for j, seat in enumerate(arm.seats):
            check_seat(seat, ("arms", i, "seats", j))


def has_own_engines(spec: ExperimentSpec) -> bool:
    """Whether engines of somebody's own take part: of all others the code is always here."""
    return any(is_own(seat.engine) for arm in spec.arms for seat in arm.seats)


def check_seat(seat: SeatSpec, path: Path) -> None:
    """Raises SpecError where the engine of a seat cannot play here."""
    if reason := "" if seat.agent else engine_registry.absence(seat.engine):
        raise SpecError((*path, "engine"), f"{seat.engine} cannot play here: {reason}")
