"""The queue of deliveries in SQL: claiming what is due, settling what was tried, forgetting what is old."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.db import connection
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from webapp.table.hooks.models import Delivery, Hook

BACK_OFF_S = (5, 30, 120, 600, 3600)
"""Waits after the first, second, ... attempt that failed; after one more it is given up."""
CLAIM_S = 60
"""How long a claim holds: well over the time of an attempt."""
PER_OWNER = 8
"""Deliveries to all agents of one person that are on their way at once, at most."""
KEPT = timedelta(days=7)

_CLAIM = """
update hooks_delivery d
set attempts = d.attempts + 1, claimed_until = clock_timestamp() + make_interval(secs => %(claim_s)s)
from hooks_hook h join agents_agent a on a.id = h.agent_id
where h.id = d.hook_id and d.id in (
    select w.id from hooks_delivery w
    where w.id in (
        select ranked.id from (
            select x.id, x.due_at, coalesce(b.number, 0)
              + row_number() over (partition by o.owner_id order by x.due_at, x.created_at) as place
            from hooks_delivery x join hooks_hook k on k.id = x.hook_id join agents_agent o on o.id = k.agent_id
            left join unnest(%(owners)s::bigint[], %(numbers)s::int[]) b (owner_id, number) using (owner_id)
            where x.status = 'waiting' and x.due_at <= clock_timestamp()
              and (x.claimed_until is null or x.claimed_until < clock_timestamp())
        ) ranked
        where place <= %(per_owner)s order by due_at limit %(most)s
    ) and w.status = 'waiting' and (w.claimed_until is null or w.claimed_until < clock_timestamp())
    for update skip locked
)
returning d.id, a.owner_id, d.event, d.body, d.attempts, h.url, h.secret
"""


@dataclass(frozen=True)
class Job:
    """A claimed delivery; `attempt` counts from 1 and tells claims apart."""

    id: uuid.UUID
    owner_id: int
    event: str
    body: str
    attempt: int
    url: str
    secret: str


@dataclass(frozen=True)
class Outcome:
    """What came of an attempt. answer: HTTP status, None where there was none; problem: empty where it arrived."""

    answer: int | None
    problem: str
    took_s: float


def claim(most: int, busy: Mapping[int, int] | None = None) -> list[Job]:
    """Claim up to `most` deliveries that are due. busy: how many of an owner are on their way."""
    on_their_way = {"owners": list(busy or {}), "numbers": list((busy or {}).values())}
    values = {"claim_s": CLAIM_S, "per_owner": PER_OWNER, "most": most} | on_their_way
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM, values)
        return [Job(*row) for row in cursor.fetchall()]


def settle(job: Job, outcome: Outcome) -> None:
    """Write down what came of an attempt, and when the next one is due.

    What arrived has arrived, even where the match moved on meanwhile (a program may play while it
    answers). A failed attempt changes nothing where somebody else has the delivery by now.
    """
    found = Delivery.objects.filter(pk=job.id, attempts=job.attempt)
    now = timezone.now()
    seen = {"answer": outcome.answer, "problem": outcome.problem[:200], "took_s": outcome.took_s, "claimed_until": None}
    if not outcome.problem:
        found.update(status=Delivery.Status.SENT, ended_at=now, **seen)
        return
    waiting = found.filter(status=Delivery.Status.WAITING)
    if job.attempt > len(BACK_OFF_S):
        waiting.update(status=Delivery.Status.GIVEN_UP, ended_at=now, **seen)
    else:
        waiting.update(due_at=now + timedelta(seconds=BACK_OFF_S[job.attempt - 1]), **seen)


def forget() -> int:
    """Delete what ended long ago, and what was told to a hook while it was taken away; return how many."""
    is_old = Q(ended_at__lt=timezone.now() - KEPT)
    return Delivery.objects.filter(is_old | ~Exists(Hook.objects.filter(pk=OuterRef("hook_id")))).delete()[0]
