"""Arms and their engine configurations as rows: one row for each configuration that ever sat at a table."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import psycopg

from webapp.records.models import Arm, EngineConfiguration, Experiment, LineupEntry
from worker.spec import ArmSpec, SeatSpec, agents, seat_to_json

PERSON, AGENT, REPLACED = "person", agents.PREFIX, "replaced"
"""Names in place of an engine id: where a person sat (option `name`), before an agent's name,
and where an engine took over in the middle (option `name`: both)."""


def add_arms(experiment: Experiment, arms: Sequence[ArmSpec], first: int = 0) -> None:
    """Insert arms of an experiment with their line-ups. first: number of the first one."""
    rows = Arm.objects.bulk_create(
        Arm(experiment=experiment, index=index, name=arm.name) for index, arm in enumerate(arms, start=first)
    )
    places = [(rows[i], place, seat) for i, arm in enumerate(arms) for place, seat in enumerate(arm.seats)]
    known = configurations(seat for _, _, seat in places)
    LineupEntry.objects.bulk_create(
        LineupEntry(arm=arm, lineup_index=place, configuration_id=known[configuration_key(seat)])
        for arm, place, seat in places
    )


def configuration_key(seat: SeatSpec) -> str:
    """SHA-256 of the configuration's canonical JSON."""
    return hashlib.sha256(json.dumps(seat_to_json(seat), sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def configurations(seats: Iterable[SeatSpec]) -> dict[str, int]:
    """Ids of configurations by key, made where they are new."""
    wanted = {configuration_key(seat): seat for seat in seats}
    EngineConfiguration.objects.bulk_create(
        (
            EngineConfiguration(key=key, engine=seat.engine, options=dict(seat.options), budget=seat.budget.to_json())
            for key, seat in sorted(wanted.items())
        ),
        ignore_conflicts=True,
    )
    return dict(EngineConfiguration.objects.filter(key__in=wanted).values_list("key", "id"))


def configurations_by_arm(connection: psycopg.Connection[Any], experiment_id: int) -> dict[int, list[int]]:
    """Arm -> configuration id by place of the line-up, over a connection that need not be Django's."""
    query = """
        select a.index, l.configuration_id from records_arm a join records_lineupentry l on l.arm_id = a.id
        where a.experiment_id = %s order by a.index, l.lineup_index
    """
    by_arm: dict[int, list[int]] = defaultdict(list)
    for arm, configuration in connection.execute(query, (experiment_id,)):
        by_arm[arm].append(configuration)
    return dict(by_arm)
