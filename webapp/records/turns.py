"""Whose turn it is: experiments and studies share the workers of a queue.

Priority goes first, then whatever was served least lately, be it an experiment or a study.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any

import psycopg

from webapp.records import claims, piece_claims
from webapp.records.claims import Claim
from webapp.records.piece_claims import PieceClaim
from worker import spec as specs
from worker.spec import SpecError
from worker.studies import spec as study_specs

logger = logging.getLogger(__name__)

Connection = psycopg.Connection[Any]

_IN_TURN = """
select 'experiment' as source, e.id, e.spec::text, e.priority, e.served_at from records_experiment e
where e.status = 'running' and %(queue)s = 'batch'
  and exists (select 1 from records_chunk c where c.experiment_id = e.id and c.status = 'waiting')
union all
select 'study', s.id, s.spec::text, s.priority, s.served_at from records_study s
where s.status = 'running' and s.queue = %(queue)s
  and exists (select 1 from records_studypiece p where p.study_id = s.id and p.status = 'waiting')
order by priority desc, served_at nulls first, source, id
"""


def take(connection: Connection, worker: str, queue: str) -> Claim | PieceClaim | None:
    """Claim what comes next in a queue and hold its lock; None where nothing waits."""
    for source, owner_id, spec_json, *_ in connection.execute(_IN_TURN, {"queue": queue}).fetchall():
        claim = _SOURCES[source](connection, worker, owner_id, spec_json)
        if claim is not None:
            return claim
    return None


def _from_experiment(connection: Connection, worker: str, experiment_id: int, spec_json: str) -> Claim | None:
    try:
        spec = specs.from_json(json.loads(spec_json))
    except Exception as error:  # whatever it is, it must not keep others of the queue from their turn
        claims.stop(connection, experiment_id, _notice(error))
        return None
    return claims.take_from(connection, worker, experiment_id, spec)


def _from_study(connection: Connection, worker: str, study_id: int, spec_json: str) -> PieceClaim | None:
    try:
        spec = study_specs.from_json(json.loads(spec_json))
    except Exception as error:  # as above
        piece_claims.stop(connection, study_id, _notice(error))
        return None
    return piece_claims.take_from(connection, worker, study_id, spec)


def _notice(error: Exception) -> str:
    """Why something cannot go on; what nobody foresaw stands in the log, too."""
    if isinstance(error, SpecError):
        return f"Stopped: its specification is no longer valid ({error})."
    logger.exception("a specification cannot be read")
    return "Stopped: its specification cannot be read, the log says why."


_SOURCES: dict[str, Callable[[Connection, str, int, str], Claim | PieceClaim | None]] = {
    "experiment": _from_experiment,
    "study": _from_study,
}
