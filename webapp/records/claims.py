"""The life of a claim in SQL: taking a chunk, moving it on, finishing it, giving it back.

Locks on rows are taken in the order experiment, chunk wherever both matter: whoever deletes
an experiment locks it first and its chunks later.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import psycopg

from webapp.records import locks
from worker.spec import ExperimentSpec

logger = logging.getLogger(__name__)

Connection = psycopg.Connection[Any]


class ClaimLostError(Exception):
    """A chunk or piece is ours no longer: what it belongs to was deleted, or another worker has it."""


@dataclass(frozen=True)
class Claim:
    """A chunk as it was when it was claimed; `claimed_at` tells claims apart."""

    chunk_id: int
    experiment_id: int
    arm: int
    first: int
    size: int
    written: int
    worker: str
    claimed_at: datetime
    spec: ExperimentSpec
    configurations: Mapping[int, Sequence[int]]


_NEXT = """
select id from records_chunk where experiment_id = %s and status = 'waiting'
order by first, arm_index limit 1 for update skip locked
"""

_CLAIM = """
update records_chunk set status = 'claimed', worker = %s, claimed_at = clock_timestamp() where id = %s
returning arm_index, first, size, written, claimed_at
"""

_SERVE = """
update records_experiment set served_at = clock_timestamp(), started_at = coalesce(started_at, clock_timestamp())
where id = %s and status = 'running'
"""


def take_from(connection: Connection, worker: str, experiment_id: int, spec: ExperimentSpec) -> Claim | None:
    """Claim the next waiting chunk of a running experiment and hold its lock."""
    locked: int | None = None
    claim = None
    try:
        with connection.transaction():
            keep_experiment(connection, experiment_id)
            row = connection.execute(_NEXT, (experiment_id,)).fetchone()
            if row is None or not locks.take(connection, locks.CHUNK, row[0]):
                return None
            locked = row[0]
            chunk = connection.execute(_CLAIM, (worker, locked)).fetchone()
            if connection.execute(_SERVE, (experiment_id,)).rowcount == 0:
                raise psycopg.Rollback  # paused or stopped a moment ago
            assert chunk is not None
            claim = Claim(
                locked, experiment_id, *chunk[:4], worker, chunk[4], spec, configurations(connection, experiment_id)
            )
    finally:
        if claim is None and locked is not None and not connection.closed:
            locks.release(connection, locks.CHUNK, locked)
    return claim


def configurations(connection: Connection, experiment_id: int) -> dict[int, list[int]]:
    """Arm -> configuration id by place of the line-up."""
    query = """
        select a.index, l.configuration_id from records_arm a join records_lineupentry l on l.arm_id = a.id
        where a.experiment_id = %s order by a.index, l.lineup_index
    """
    found: dict[int, list[int]] = defaultdict(list)
    for arm, configuration in connection.execute(query, (experiment_id,)):
        found[arm].append(configuration)
    return dict(found)


def is_running(connection: Connection, experiment_id: int) -> bool:
    """Whether the experiment wants to be played on."""
    row = connection.execute("select status from records_experiment where id = %s", (experiment_id,)).fetchone()
    return row is not None and row[0] == "running"


def stop(connection: Connection, experiment_id: int, notice: str) -> None:
    """End an experiment that cannot go on, and say why on it."""
    logger.error("experiment %s: %s", experiment_id, notice)
    connection.execute(
        "update records_experiment set status = 'stopped', finished_at = clock_timestamp(), notice = %s "
        "where id = %s and status in ('running', 'paused')",
        (notice, experiment_id),
    )


def advance(connection: Connection, claim: Claim, written: int, more: int) -> None:
    """Say, in the caller's transaction, that `more` matches follow the `written` ones.

    Raises ClaimLostError.
    """
    query = """
        update records_chunk set written = written + %s
        where id = %s and status = 'claimed' and claimed_at = %s and written = %s and written + %s <= size
    """
    values = (more, claim.chunk_id, claim.claimed_at, written, more)
    if connection.execute(query, values).rowcount == 0:
        raise ClaimLostError(f"chunk {claim.chunk_id} of experiment {claim.experiment_id} is no longer ours")


def finish(connection: Connection, claim: Claim) -> None:
    """Mark the chunk as done, and the experiment as finished where it was the last one."""
    query = """
        update records_chunk set status = 'done', done_at = clock_timestamp()
        where id = %s and status = 'claimed' and claimed_at = %s
    """
    with connection.transaction():
        lock_experiment(connection, claim.experiment_id)
        connection.execute(query, (claim.chunk_id, claim.claimed_at))
        finish_experiment(connection, claim.experiment_id)


def keep_experiment(connection: Connection, experiment_id: int) -> None:
    """Make whoever deletes this experiment wait until the transaction ends, or wait for them.

    Rows that point to the experiment take this lock, too, but at the end of the transaction:
    after the chunk's, which is the wrong order.
    """
    connection.execute("select 1 from records_experiment where id = %s for key share", (experiment_id,))


def lock_experiment(connection: Connection, experiment_id: int) -> None:
    """Make others who end chunks of this experiment wait until the transaction ends."""
    connection.execute("select 1 from records_experiment where id = %s for no key update", (experiment_id,))


IS_DONE = """
    not exists (select 1 from records_chunk c where c.experiment_id = e.id and c.status <> 'done')
    and (e.secret_seed is null
         or (select count(*) from records_match m where m.experiment_id = e.id) >= e.num_matches)
"""
"""Whether an experiment e has nothing left to play; matches with agents sit in no chunk."""


def finish_experiment(connection: Connection, experiment_id: int) -> None:
    """Mark the experiment as finished where nothing is left to play; the caller has locked it."""
    connection.execute(
        f"""
        update records_experiment e set status = 'finished', finished_at = clock_timestamp()
        where id = %s and status in ('running', 'paused') and {IS_DONE}
        """,
        (experiment_id,),
    )


def give_back(connection: Connection, claim: Claim) -> None:
    """Let another worker have the rest of the chunk; nothing where it is done or not ours."""
    connection.execute(
        "update records_chunk set status = 'waiting', worker = '' "
        "where id = %s and status = 'claimed' and claimed_at = %s",
        (claim.chunk_id, claim.claimed_at),
    )
