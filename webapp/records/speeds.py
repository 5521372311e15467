"""Which machines may play what thinks by the clock: an experiment with seconds in its budgets stays with like speed.

The first machine that takes a match of it writes its speed down (`Experiment.speed`); others play if theirs is within
`settings.LAB_SPEED_FACTOR` of it. Budgets in counts mean the same everywhere, and go anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.conf import settings

from engines.protocol import CLOCKS, Budget
from webapp.records.claimed_task import SPEED, Worker
from worker.spec import ExperimentSpec

_BIND = "update records_experiment set speed = coalesce(speed, %s) where id = %s returning speed"


def has_clock(spec_json: Mapping[str, Any]) -> bool:
    """Whether somebody in a stored spec thinks by the clock."""
    seats = (seat for arm in spec_json.get("arms", ()) for seat in arm.get("seats", ()))
    return any(key in CLOCKS for seat in seats for key in seat.get("budget") or ())


def are_clocked(budgets: Iterable[Budget]) -> bool:
    """Whether somebody with one of these budgets thinks by the clock."""
    return any(budget.has_clock for budget in budgets)


def are_alike(speed: float, other: float) -> bool:
    """Whether two machines are of like speed."""
    return max(speed, other) <= float(settings.LAB_SPEED_FACTOR) * min(speed, other)


def admits(worker: Worker, experiment_id: int, spec: ExperimentSpec) -> bool:
    """Whether a worker may play this experiment, which is bound to the speed of the first that does.

    One whose speed nobody knows yet plays what nobody with a known speed has begun.
    """
    if not are_clocked(seat.budget for arm in spec.arms for seat in arm.seats):
        return True
    row = worker.connection.execute(_BIND, (worker.speed, experiment_id)).fetchone()
    bound = None if row is None else row[0]
    if bound is None or (worker.speed is not None and are_alike(worker.speed, bound)):
        return True
    own = "not measured yet" if worker.speed is None else f"{worker.speed:.2f}"
    worker.declined["experiment", experiment_id] = (SPEED, f"its speed is {own}, not about {bound:.2f}")
    return False
