"""The queue of deliveries: claiming what is due, settling what was tried, forgetting what is old."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.db import connection
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from webapp.records.jobs import Connection
from webapp.records.queue import Claim, Queue
from webapp.table.hooks.models import Delivery, Hook

BACK_OFF_S = (5, 30, 120, 600, 3600)
"""Waits after the first, second, ... attempt that failed; after one more it is given up."""
CLAIM_S = 60
"""Length of a claim: well over the time of an attempt."""
PER_OWNER = 8
"""Deliveries to all programs of one person that are on their way at once, at most."""
KEPT = timedelta(days=7)


@dataclass(frozen=True)
class DeliveryClaim(Claim):
    """A claimed delivery; its token is the number of the attempt, from 1."""

    owner_id: int
    event: str
    body: str
    url: str
    secret: str


_DUE = """
{0}.status = 'waiting' and {0}.due_at <= clock_timestamp()
and ({0}.claimed_until is null or {0}.claimed_until < clock_timestamp())
"""
_TRIED = "answer = %(answer)s, problem = %(message)s, took_s = %(took_s)s, claimed_until = null"

DELIVERIES = Queue(
    word="delivery",
    table="hooks_delivery",
    joined="join hooks_hook h on h.id = r.hook_id left join agents_agent a on a.id = h.agent_id",
    claim=DeliveryClaim,
    columns=("coalesce(a.owner_id, h.owner_id)", "r.event", "r.body", "h.url", "h.secret"),
    order="r.due_at",
    lock=None,
    waiting=_DUE.format("r"),
    claimed="r.status = 'waiting' and r.claimed_until is not null",
    taken=f"attempts = attempts + 1, claimed_until = clock_timestamp() + interval '{CLAIM_S} s'",
    token="attempts",
    freed="claimed_until = null",
    deaths="attempts",
    max_deaths=len(BACK_OFF_S) + 1,
    again=f"{_TRIED}, due_at = clock_timestamp() + make_interval(secs => (array{list(BACK_OFF_S)})[attempts])",
    ended=f"{_TRIED}, status = 'given_up', ended_at = clock_timestamp()",
)

_FAIR = f"""
r.id in (
    select ranked.id from (
        select x.id, coalesce(b.number, 0)
          + row_number() over (partition by coalesce(o.owner_id, k.owner_id) order by x.due_at, x.created_at) as place
        from hooks_delivery x join hooks_hook k on k.id = x.hook_id left join agents_agent o on o.id = k.agent_id
        left join unnest(%(owners)s::bigint[], %(numbers)s::int[]) b (owner_id, number)
          on b.owner_id = coalesce(o.owner_id, k.owner_id)
        where {_DUE.format("x")}
    ) ranked
    where place <= {PER_OWNER}
)
"""
"""Condition on deliveries that may be on their way: the first few of each owner, less those that are already."""


@dataclass(frozen=True)
class Outcome:
    """Outcome of an attempt. answer: HTTP status, None where there was none; problem: empty where it arrived."""

    answer: int | None
    problem: str
    took_s: float


def claim(most: int, busy: Mapping[int, int] | None = None) -> list[DeliveryClaim]:
    """Claim up to `most` deliveries that are due. busy: how many of an owner are on their way."""
    on_their_way = {"owners": list(busy or {}), "numbers": list((busy or {}).values())}
    return DELIVERIES.take_some(_raw(), most, _FAIR, **on_their_way)


def settle(delivery: DeliveryClaim, outcome: Outcome) -> None:
    """Write down what came of an attempt, and when the next one is due.

    What arrived has arrived, even where the match moved on meanwhile (a program may play while it
    answers). A failed attempt changes nothing where somebody else has the delivery by now.
    """
    if outcome.problem:
        tried = {"answer": outcome.answer, "took_s": outcome.took_s}
        DELIVERIES.bury(_raw(), delivery, outcome.problem[:200], **tried)
        return
    Delivery.objects.filter(pk=delivery.row_id, attempts=delivery.token).update(
        status=Delivery.Status.SENT,
        ended_at=timezone.now(),
        answer=outcome.answer,
        problem="",
        took_s=outcome.took_s,
        claimed_until=None,
    )


def _raw() -> Connection:
    connection.ensure_connection()
    raw: Connection = connection.connection
    return raw


def forget() -> int:
    """Delete what ended long ago, and what was told to a hook while it was taken away; return how many."""
    is_old = Q(ended_at__lt=timezone.now() - KEPT)
    return Delivery.objects.filter(is_old | ~Exists(Hook.objects.filter(pk=OuterRef("hook_id")))).delete()[0]
