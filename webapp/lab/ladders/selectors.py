"""Reading: ratings of a ladder, and what strength costs.

All numbers of the page, the file, the shared page and its card are those of `state`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from django.db import connection

from webapp.lab.results import cache
from webapp.records import ladders, waiting_summaries
from webapp.records.models import Experiment
from worker.ladders import report
from worker.ladders import standing as standings
from worker.ladders.report import Cost, Json
from worker.ladders.rounds import Round
from worker.ladders.standing import Standing
from worker.spec import ExperimentSpec, Ladder, from_json

MEAN = 1500
"""Points of the mean of the pool, as pages show them."""


@dataclass(frozen=True)
class State:
    """A ladder as its rows have it now."""

    spec: ExperimentSpec
    ladder: Ladder
    standing: Standing
    costs: Mapping[int, Cost]


@cache.patient
def state(experiment: Experiment) -> State:
    """Read the rows, and rate."""
    spec = from_json(experiment.spec)
    assert spec.ladder is not None
    connection.ensure_connection()
    found = standings.of_rows(spec, ladders.rows(connection.connection, experiment.pk))
    return State(spec, spec.ladder, found, _costs(experiment, spec.ladder))


def _costs(experiment: Experiment, ladder: Ladder) -> dict[int, Cost]:
    """Entry -> CPU seconds of its decisions; empty where plies are not recorded."""
    found: dict[int, Cost] = defaultdict(Cost)
    for row in waiting_summaries.rows(experiment.pk, ["cpu_s"]):
        entry = ladder.tables[row.arm][row.lineup % ladder.sides]
        found[entry] += Cost(row.total, row.n if row.lineup < ladder.sides else 0)
    return dict(found)


def last_round(experiment: Experiment) -> Round:
    """The round that is being played, or after which nothing came."""
    return Round.from_json(experiment.plan) if experiment.plan else Round(())


def result_json(experiment: Experiment) -> Json:
    """All numbers as a file."""
    now = state(experiment)
    return report.to_json(now.spec, now.standing, now.costs, last_round(experiment))
