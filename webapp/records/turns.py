"""Order in which people, and what they have under way, share the workers of a queue.

People come first, and what they have under way second: ten experiments of one person have together the turns
that one of another has. Whoever has fewest workers at work goes first, so that a long match of one keeps another
from nothing but this worker; among equals whoever had least of the workers' time lately (`records_usage`).
A person's own work goes by priority, then whatever was served least lately.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import Any, NamedTuple

from webapp.records import cpu_weeks, prepared
from webapp.records.claimed_task import ClaimedTask, Worker
from webapp.records.jobs import Connection
from worker.recorder import ANALYSIS

HALF_LIFE_S = 60.0
"""Half of the time that workers gave somebody is forgotten after so long, as in the fair shares of batch systems
(Slurm: PriorityDecayHalfLife): who was away comes back with an advantage of at most 1.44 times this."""


class Source(NamedTuple):
    """A kind of owner of work.

    waiting: SQL for those with work in the queue %(queue)s: source (its name), id, owner_id, rank (work of a lower
    one goes first, whoever owns it), priority, served_at. held: SQL for owner_id of what workers of the queue are
    at, a row each. take: from (worker, id) to the claimed work, or None where nothing is left. fills_disk: whether
    what comes out of it is so much that it waits while the disk is full. is_charged: whether it counts
    for its owner's CPU hours; is_held: whether it waits while they are used up (webapp.records.cpu_weeks). Analyses,
    for which somebody waits, never are. is_single: whether a row of `waiting` is one piece of work, not any number.
    """

    waiting: str
    held: str
    take: Callable[[Worker, int], ClaimedTask[Any] | None]
    fills_disk: bool = False
    is_charged: bool = False
    is_held: bool = False
    is_single: bool = False


class Turn(NamedTuple):
    """Somebody's work in the order of a queue. left_s: CPU seconds that the owner has for it, None: no limit."""

    source: str
    id: int
    owner_id: int
    left_s: float | None = None


_LEFT = "records_usage.used_s * 0.5 ^ (extract(epoch from statement_timestamp() - records_usage.used_at) / %(half)s)"

_ORDER = f"""
with waiting as ({{waiting}}), held as (select owner_id, count(*) as workers from ({{held}}) as h group by owner_id)
select source, waiting.id, waiting.owner_id, left_s from waiting
left join held on held.owner_id = waiting.owner_id
left join records_usage on records_usage.owner_id = waiting.owner_id
left join ({cpu_weeks.LEFT}) as budget on budget.owner_id = waiting.owner_id and source = any(%(held_back)s)
where coalesce(left_s, 1) > 0
order by rank, coalesce(workers, 0), coalesce({_LEFT}, 0), waiting.owner_id,
         priority desc, served_at nulls first, source, waiting.id
"""

_CHARGE = f"""
insert into records_usage (owner_id, used_s, used_at)
select id, %(seconds)s, statement_timestamp() from accounts_user where id = %(owner)s
on conflict (owner_id) do update set used_s = excluded.used_s + {_LEFT}, used_at = excluded.used_at
"""


def order(connection: Connection, queue: str, sources: Mapping[str, Source]) -> list[Turn]:
    """What waits in a queue, in the order in which workers take it."""
    if not sources:
        return []
    waiting = " union all ".join(f"({source.waiting})" for source in sources.values())
    held = " union all ".join(f"({source.held})" for source in sources.values())
    query = _ORDER.format(waiting=waiting, held=held)
    held_back = [name for name, source in sources.items() if source.is_held and queue != ANALYSIS]
    values = cpu_weeks.values() | {"queue": queue, "half": HALF_LIFE_S, "held_back": held_back}
    return [Turn(*row) for row in prepared.run(connection, query, values).fetchall()]


def take(
    worker: Worker, queue: str, sources: Mapping[str, Source], passed: Container[object] = ()
) -> ClaimedTask[Any] | None:
    """Claim what comes next in a queue and hold it; None where nothing waits. passed: (source, id) to leave out."""
    waiting = order(worker.connection, queue, sources)
    for turn in waiting:
        if turn[:2] in passed:
            continue
        claimed = sources[turn.source].take(worker, turn.id)
        if claimed is not None:
            claimed.turn, claimed.owner_id, claimed.left_s = turn[:2], turn.owner_id, turn.left_s
            claimed.was_alone = len(waiting) == 1 and sources[turn.source].is_single
            claimed.is_charged = sources[turn.source].is_charged and queue != ANALYSIS
            return claimed
    return None


def charge(connection: Connection, owner_id: int, seconds: float) -> None:
    """Note that a worker has given somebody so much of its time."""
    prepared.run(connection, _CHARGE, {"owner": owner_id, "seconds": seconds, "half": HALF_LIFE_S})
