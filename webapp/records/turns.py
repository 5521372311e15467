"""Order in which the sources of work share the workers of a queue."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from webapp.records.claimed_task import ClaimedTask, Worker


class Source(NamedTuple):
    """A kind of owner of work.

    waiting: SQL for those with work in the queue %(queue)s: source (its name), id, spec as
    text, priority, served_at. take: from (worker, id, spec) to the claimed work, or None where
    nothing is left.
    """

    waiting: str
    take: Callable[[Worker, int, str], ClaimedTask[Any] | None]


ORDER = "priority desc, served_at nulls first, source, id"
"""Priority goes first, then whatever was served least lately, be it an experiment or a study."""


def take(worker: Worker, queue: str, sources: Mapping[str, Source]) -> ClaimedTask[Any] | None:
    """Claim what comes next in a queue and hold it; None where nothing waits."""
    union = " union all ".join(f"({source.waiting})" for source in sources.values())
    query = f"{union} order by {ORDER}"
    for name, owner_id, spec_json, *_ in worker.connection.execute(query, {"queue": queue}).fetchall():
        claimed = sources[name].take(worker, owner_id, spec_json)
        if claimed is not None:
            return claimed
    return None
