"""How the results of an experiment depend on what its sweep varies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from psycopg import sql

from webapp.lab.results import counted, method, queries
from webapp.lab.results.cache import per_version
from webapp.lab.results.sides import lineups
from webapp.records.models import Experiment
from worker.responses import Response, response
from worker.spec import sweep
from worker.spec.model import num_arms


@dataclass(frozen=True)
class Responses:
    """Responses of both measures, None while too few deals are whole; rates are from 0 to 1."""

    wins: Response | None
    margins: Response | None


@per_version
def responses(experiment: Experiment) -> Responses | None:
    """The responses as of now; None for what is no sweep."""
    axes = sweep.stored_axes(experiment.spec)
    if not axes:
        return None
    side = counted.side_of(experiment, sql.Literal(lineups(experiment).focus))
    rows = queries.rows(queries.SWEPT, experiment, {"side": side, "arms": num_arms(axes)})
    if not rows:
        return Responses(None, None)
    wins, margins, sizes = (np.array(column, dtype=np.float64) for column in zip(*rows, strict=True))
    how = method.method(experiment)
    return Responses(response(axes, wins, how, list(sizes.mean(axis=0))), response(axes, margins, how))
