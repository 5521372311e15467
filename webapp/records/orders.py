"""Orders to worker processes: drain (end what is under way, take nothing more), begin anew, go on.

An order is a word in the process' row. A process to drain ends the match that it plays, gives back the rest of its
chunk and takes nothing more. A program to begin anew drains so, and is asked to end once all its processes hold
nothing; whoever started it (the supervisor, compose) starts it again. One program at a time does, by number.
"""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Collection

from django.db import connection, connections

from webapp.records import heartbeats, locks, worker_processes
from webapp.records.jobs import Connection
from webapp.records.worker_models import WorkerProcess

logger = logging.getLogger(__name__)

Order = WorkerProcess.Order

_AT_WORK = """
select 1 from records_workerprocess w
join pg_locks own on own.classid::bigint = %(worker)s and own.objid::bigint = w.id
join pg_locks held on held.pid = own.pid and held.database = own.database and held.locktype = 'advisory'
    and held.classid::bigint = any(%(claims)s)
join pg_database d on d.oid = own.database and d.datname = current_database()
where w.program = any(%(programs)s) and own.locktype = 'advisory' limit 1
"""
"""Whoever holds work holds its lock on the connection on which it lives."""


def give(order: str, host: str = "", programs: Collection[str] = ()) -> int:
    """Give an order to all living processes, those of one machine, or of some programs; return how many."""
    rows = worker_processes.living().order_by()
    if host:
        rows = rows.filter(name__startswith=f"{host}:")
    if programs:
        rows = rows.filter(program__in=programs)
    return rows.update(order=Order(order))


def are_at_work(programs: Collection[str]) -> bool:
    """Whether a process of these programs holds work."""
    connection.ensure_connection()
    return _are_at_work(connection.connection, programs)


def _are_at_work(raw: Connection, programs: Collection[str]) -> bool:
    values = {"worker": locks.WORKER, "claims": list(locks.CLAIMS), "programs": list(programs)}
    return raw.execute(_AT_WORK, values).fetchone() is not None


def beat(name: str) -> None:
    """Beat for a process, and end its program where it is to begin anew and holds nothing any more."""
    wrapper = connections.create_connection("default")
    try:
        wrapper.ensure_connection()
        raw: Connection = wrapper.connection
        heartbeats.beat(raw, name)
        if worker_processes.standing(raw, name).order == Order.RESTART and not _is_at_work(raw, name):
            logger.warning("beginning anew, as ordered")
            os.kill(os.getppid(), signal.SIGTERM)
    finally:
        wrapper.close()


def _is_at_work(raw: Connection, name: str) -> bool:
    """Whether a process of the same program holds work."""
    query = "select program from records_workerprocess where name = %s"
    row = raw.execute(query, (name,)).fetchone()
    return row is not None and _are_at_work(raw, row)
