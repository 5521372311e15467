"""Whose turn it is: experiments and studies share the workers of a queue.

Priority goes first, then whatever was served least lately, be it an experiment or a study.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import psycopg

from webapp.records import claims, drawn, piece_claims
from webapp.records.claims import Claim
from webapp.records.piece_claims import PieceClaim
from worker.spec import SpecError
from worker.studies import spec as study_specs

logger = logging.getLogger(__name__)

Connection = psycopg.Connection[Any]


class Source(NamedTuple):
    """A kind of owner of work.

    waiting: a query for those with work in the queue %(queue)s: source (its name), id, spec as
    text, priority, served_at. take: from (connection, worker, id, spec) to the claim, or None
    where nothing is left.
    """

    waiting: str
    take: Callable[[Connection, str, int, str], Any]


_ORDER = "order by priority desc, served_at nulls first, source, id"


def take(connection: Connection, worker: str, queue: str, sources: Mapping[str, Source]) -> Any:
    """Claim what comes next in a queue and hold its lock; None where nothing waits."""
    query = " union all ".join(f"({source.waiting})" for source in sources.values())
    for name, owner_id, spec_json, *_ in connection.execute(f"{query} {_ORDER}", {"queue": queue}).fetchall():  # type: ignore[arg-type]
        claim = sources[name].take(connection, worker, owner_id, spec_json)
        if claim is not None:
            return claim
    return None


def _from_experiment(connection: Connection, worker: str, experiment_id: int, spec_json: str) -> Claim | None:
    try:
        spec = drawn.read(connection, experiment_id, spec_json)
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


_EXPERIMENTS = """
select 'experiment' as source, e.id, e.spec::text as spec, e.priority, e.served_at from records_experiment e
where e.status = 'running' and %(queue)s = 'batch'
  and exists (select 1 from records_chunk c where c.experiment_id = e.id and c.status = 'waiting')
"""
_STUDIES = """
select 'study' as source, s.id, s.spec::text as spec, s.priority, s.served_at from records_study s
where s.status = 'running' and s.queue = %(queue)s
  and exists (select 1 from records_studypiece p where p.study_id = s.id and p.status = 'waiting')
"""

SOURCES = {"experiment": Source(_EXPERIMENTS, _from_experiment), "study": Source(_STUDIES, _from_study)}
"""By name. Rooms above may have more (`webapp.table.live.work`)."""
