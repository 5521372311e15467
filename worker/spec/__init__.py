"""Experiment specs: JSON both ways, complete, checked before anything runs.

`model` is what a spec is, `read` and `write` are its JSON. `read` asks `seats` for line-ups, `sweep`
for the axes whose combinations are arms, and `checks` for all that is not of the lab's own.
"""

from worker.spec.checks import MAX_NAME, SpecError
from worker.spec.model import (
    MAX_ARMS,
    MAX_DEALS,
    MAX_MATCHES,
    MAX_PRIORITY,
    MAX_SEED,
    QUEUES,
    ROTATIONS,
    UNDRAWN,
    VERSION,
    ArmSpec,
    Axis,
    Entry,
    ExperimentSpec,
    Ladder,
    MatchSpec,
    SeatSpec,
)
from worker.spec.presence import check_presence, check_seat, has_own_engines
from worker.spec.read import from_json
from worker.spec.seats import rules_from_json, seat_from_json
from worker.spec.write import entry_to_json, seat_to_json, to_json

__all__ = [
    "MAX_ARMS",
    "MAX_DEALS",
    "MAX_MATCHES",
    "MAX_NAME",
    "MAX_PRIORITY",
    "MAX_SEED",
    "QUEUES",
    "ROTATIONS",
    "UNDRAWN",
    "VERSION",
    "ArmSpec",
    "Axis",
    "Entry",
    "ExperimentSpec",
    "Ladder",
    "MatchSpec",
    "SeatSpec",
    "SpecError",
    "check_presence",
    "check_seat",
    "entry_to_json",
    "from_json",
    "has_own_engines",
    "rules_from_json",
    "seat_from_json",
    "seat_to_json",
    "to_json",
]
