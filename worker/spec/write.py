"""The spec of an experiment, written as JSON."""

from __future__ import annotations

from typing import Any

from worker.spec import stop
from worker.spec.model import VERSION, ArmSpec, Axis, Entry, ExperimentSpec, SeatSpec


def to_json(spec: ExperimentSpec) -> dict[str, Any]:
    """The complete spec: `from_json(to_json(spec)) == spec` while its seed is not one that the server drew."""
    return {
        "version": VERSION,
        "game": spec.game,
        "options": dict(spec.options),
        "seats": spec.seats,
        "arms": [arm_to_json(arm) for arm in spec.arms],
        **({"sweep": _sweep(spec)} if spec.sweep else {}),
        **({"baseline": spec.baseline} if spec.baseline else {}),
        **({"ladder": _ladder(spec)} if spec.ladder else {}),
        "deals": spec.deals,
        "rotation": spec.rotation,
        **({} if spec.has_agents else {"seed": spec.seed}),
        "stop": stop.to_json(spec.stop),
        "record": spec.record,
        "queue": spec.queue,
        "priority": spec.priority,
    }


def arm_to_json(arm: ArmSpec) -> dict[str, Any]:
    """One line-up, complete."""
    return {"name": arm.name, "seats": [seat_to_json(seat) for seat in arm.seats]}


def seat_to_json(seat: SeatSpec) -> dict[str, Any]:
    """One seat, complete: `seat_from_json(seat_to_json(seat), ...) == seat`."""
    return {"engine": seat.engine, "options": dict(seat.options), "budget": seat.budget.to_json()}


def _ladder(spec: ExperimentSpec) -> dict[str, Any]:
    assert spec.ladder is not None
    return {"pairing": spec.ladder.pairing, "entries": [entry_to_json(entry) for entry in spec.ladder.entries]}


def entry_to_json(entry: Entry) -> dict[str, Any]:
    """An engine of a ladder, complete."""
    challenger = {"challenger": True} if entry.is_challenger else {}
    late = {"late": True} if entry.is_late else {}
    return {"name": entry.name, **seat_to_json(entry.seat), "version": entry.version, **challenger, **late}


def _sweep(spec: ExperimentSpec) -> dict[str, Any]:
    beside = len(spec.arms) - spec.num_swept
    return {"axes": [_axis(axis) for axis in spec.sweep], **({"beside": beside} if beside else {})}


def _axis(axis: Axis) -> dict[str, Any]:
    return {"paths": list(axis.places), "values": list(axis.values)}
