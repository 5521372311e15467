"""The seed of an experiment with agents: the server draws it, and nobody sees it before all is over.

It stands in a column of its own, not in the spec that pages and files show.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import psycopg

from webapp.records.models import Experiment
from worker import spec as specs
from worker.spec import ExperimentSpec

Connection = psycopg.Connection[Any]


def read_spec(connection: Connection, experiment_id: int, spec_json: str) -> ExperimentSpec:
    """A stored spec, ready to be played. Raises SpecError where it is no longer valid."""
    spec = specs.from_json(json.loads(spec_json))
    if not spec.has_agents:
        return spec
    query = "select secret_seed from records_experiment where id = %s"
    row = connection.execute(query, (experiment_id,)).fetchone()
    return spec if row is None else _with(spec, row[0])


def spec_of(experiment: Experiment) -> ExperimentSpec:
    """The same from a row."""
    spec = specs.from_json(experiment.spec)
    return _with(spec, experiment.secret_seed) if spec.has_agents else spec


def _with(spec: ExperimentSpec, seed: int | None) -> ExperimentSpec:
    assert seed is not None, "an experiment with agents has a drawn seed"
    return replace(spec, seed=seed)
