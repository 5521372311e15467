"""Whether the engines of a spec can play here: of engines of one's own the code may be gone, or another by now."""

from __future__ import annotations

from engines import registry as engine_registry
from worker.spec.checks import SpecError
from worker.spec.model import ExperimentSpec


def check_presence(spec: ExperimentSpec) -> None:
    """Raises SpecError naming the first seat whose engine cannot play here, and why."""
    for i, arm in enumerate(spec.arms):
        for j, seat in enumerate(arm.seats):
            if reason := "" if seat.agent else engine_registry.absence(seat.engine):
                raise SpecError(("arms", i, "seats", j, "engine"), f"{seat.engine} cannot play here: {reason}")
