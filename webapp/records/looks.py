"""Looks of workers at an experiment that has a stop rule: in every transaction that writes matches, as its last step.

What the rule says is a function of the rows alone (`worker.looks`), so it does not matter who looks
when; the one who holds the experiment's lock, and so sees what all before have written, writes it
down. `Experiment.outcome` holds how many deals count, and of arms that were dropped how many of theirs.
"""

from __future__ import annotations

import json

from webapp.records.jobs import EXPERIMENTS, Connection
from worker.analysis.stop_rules.model import MARGIN, StopRule
from worker.looks import Looks, Row, Ruling, num_sides
from worker.spec import ExperimentSpec, seatings

_ENDED = """
select arm_index, deal, count(*), count(*) filter (where status = 'finished')
from records_match where experiment_id = %s group by arm_index, deal
"""

_VALUES = """
select arm_index, deal, avg({value}) filter (where is_own), avg({value}) filter (where not is_own)
from (
    select arm_index, deal, result, margin,
           lineup_index %% (%s::int[])[arm_index + 1] = (%s::int[])[arm_index + 1] as is_own
    from records_seat where experiment_id = %s and result is not null
) as seat group by arm_index, deal
"""

_DROP = """
delete from records_chunk where id in (
    select id from records_chunk where experiment_id = %s and arm_index = %s and status = 'waiting' and first >= %s
    for update skip locked
)
"""
"""One that is locked is being claimed, by somebody who may wait for our lock of the experiment."""


def look(connection: Connection, experiment_id: int, spec: ExperimentSpec) -> None:
    """Write down what the stop rule says now, and end the experiment where it says so.

    One that was stopped by hand stays so, but what ended after the stop is looked at, too.
    """
    if spec.stop.is_fixed:
        return
    with connection.transaction():
        EXPERIMENTS.lock(connection, experiment_id)
        query = "select status from records_experiment where id = %s"
        rows = connection.execute(query, (experiment_id,)).fetchall()
        if rows and rows[0][0] != "finished":
            _keep(connection, experiment_id, spec, read(connection, experiment_id, spec).ruling())


def read(connection: Connection, experiment_id: int, spec: ExperimentSpec, rule: StopRule | None = None) -> Looks:
    """The rows that the stop rule, that of the spec if none is given, looks at."""
    sides = [num_sides(spec, arm) for arm in range(len(spec.arms))]
    place = seatings.focus([arm.seats for arm in spec.arms])
    value = "margin" if spec.stop.on == MARGIN else "(result = 'win')::int"
    ended = connection.execute(_ENDED, (experiment_id,)).fetchall()
    values = connection.execute(
        _VALUES.format(value=value), (sides, [place % number for number in sides], experiment_id)
    ).fetchall()
    means = {row[:2]: row[2:] for row in values}
    found = Looks(spec, rule)
    for arm, deal, number, finished in ended:
        own, others = means.get((arm, deal), (0, 0))
        found.add([Row(arm, deal, number, finished, float(own), float(own if others is None else others))])
    return found


def _keep(connection: Connection, experiment_id: int, spec: ExperimentSpec, said: Ruling) -> None:
    connection.execute(
        "update records_experiment set outcome = %s where id = %s", (json.dumps(said.to_json()), experiment_id)
    )
    for arm, deals in said.dropped.items():
        connection.execute(_DROP, (experiment_id, arm, deals * spec.num_seatings(arm)))
    if said.deals is not None:
        connection.execute(
            """
            update records_experiment set status = 'finished', finished_at = clock_timestamp()
            where id = %s and status in ('running', 'paused')
            """,
            (experiment_id,),
        )
