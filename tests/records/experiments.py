"""Experiments in the database, made without forms: for tests and benchmarks."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from webapp.people.accounts.models import User
from webapp.records.models import Arm, EngineConfiguration, Experiment, LineupEntry
from webapp.records.recorder import Target


def spec(**changes: Any) -> dict[str, Any]:
    """A small spec: 4 deals of 2 seatings."""
    seats = [{"engine": engine, "options": {}, "budget": {}} for engine in ("random", "scripted")]
    whole: dict[str, Any] = {
        "version": 1,
        "game": "carcassonne",
        "seats": 2,
        "arms": [{"name": "random", "seats": seats}],
        "deals": 4,
        "seed": 7,
    }
    return whole | changes


def make_experiment(owner: User | None = None, **fields: Any) -> Experiment:
    """An experiment with its arms and configurations, without chunks."""
    if owner is None:
        owner = User.objects.create_user(f"owner-{uuid.uuid4().hex[:8]}")
    chosen = {"title": "A test", "game": "carcassonne", "spec": spec(), "num_matches": 8} | fields
    experiment = Experiment.objects.create(owner=owner, **chosen)
    for index, arm in enumerate(experiment.spec["arms"]):
        row = Arm.objects.create(experiment=experiment, index=index, name=arm["name"])
        for place, seat in enumerate(arm["seats"]):
            configuration = _configuration(seat)
            LineupEntry.objects.create(arm=row, lineup_index=place, configuration=configuration)
    return experiment


def _configuration(seat: dict[str, Any]) -> EngineConfiguration:
    key = uuid.uuid5(uuid.NAMESPACE_OID, repr(sorted(seat.items()))).hex
    fields = {"engine": seat["engine"], "options": seat["options"], "budget": seat["budget"]}
    return EngineConfiguration.objects.get_or_create(key=key, defaults=fields)[0]


def target(experiment: Experiment, shard: int = 0) -> Target:
    """Where the recorder writes for this experiment."""
    configurations: dict[int, Sequence[int]] = {}
    for arm in experiment.arms.order_by("index"):
        entries = arm.entries.order_by("lineup_index")
        configurations[arm.index] = [entry.configuration_id for entry in entries]
    return Target(experiment.pk, configurations, "test", shard)
