"""Announces what happened: puts it in the queue for the agents at a table, or for who started a job.

All is written in the caller's transaction: a notice goes out if, and only if, what it tells of
has come to pass.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.utils import timezone

from webapp.table.hooks.models import Delivery, Hook

TEST, FINISHED = "test", "finished"


def started(match: str, version: int, agent_ids: Iterable[int | None]) -> None:
    """A match with this code has begun; those at it are told."""
    _announce(Hook.Event.STARTED, match, agent_ids, {"version": version, "ply": 0})


def turn(match: str, version: int, ply: int, agent_id: int | None) -> None:
    """Announce who is on turn (None: no agent). Notices of earlier turns that still wait are dropped."""
    _outdate(match)
    _announce(Hook.Event.TURN, match, [agent_id], {"version": version, "ply": ply})


def over(match: str, version: int, ply: int, agent_ids: Iterable[int | None]) -> None:
    """A match is over; those who sat at it are told."""
    _outdate(match)
    _announce(Hook.Event.OVER, match, agent_ids, {"version": version, "ply": ply})


def finished(hook: Hook, key: str, job: dict[str, Any]) -> None:
    """Tell a person's program that a job is over. key: of this end of it, which is told of once; job: in the notice."""
    delivery_id = uuid.uuid4()
    body = {"delivery": str(delivery_id), "event": FINISHED, **hook.whose, "job": job}
    values = {"id": delivery_id, "event": FINISHED, "body": _written(body), "due_at": timezone.now()}
    Delivery.objects.get_or_create(hook=hook, job=key, defaults=values)


def test(hook: Hook) -> Delivery:
    """A notice that tells nothing, for the owner to see whether it arrives."""
    return _delivery(hook, TEST, "", {})


def _outdate(match: str) -> None:
    waiting = Delivery.objects.filter(match=match, event=Hook.Event.TURN, status=Delivery.Status.WAITING)
    waiting.update(status=Delivery.Status.OUTDATED, ended_at=timezone.now())


def _announce(event: str, match: str, agent_ids: Iterable[int | None], values: dict[str, Any]) -> None:
    wanted = {agent_id for agent_id in agent_ids if agent_id is not None}
    if not wanted:
        return
    hooks = Hook.objects.filter(agent__in=wanted, agent__retired_at=None, events__contains=[event])
    for hook in hooks.select_related("agent").only("agent__name"):  # workers do not see addresses and secrets
        _delivery(hook, event, match, values)


def _delivery(hook: Hook, event: str, match: str, values: dict[str, Any]) -> Delivery:
    delivery_id = uuid.uuid4()
    body: dict[str, Any] = {"delivery": str(delivery_id), "event": event, **hook.whose}
    if match:
        body |= {"match": {"code": match, "address": f"{settings.PUBLIC_URL}/api/v1/matches/{match}"}}
    return Delivery.objects.create(
        id=delivery_id,
        hook=hook,
        event=event,
        match=match,
        body=_written(body | values),
        due_at=timezone.now(),
    )


def _written(body: dict[str, Any]) -> str:
    return json.dumps(body, separators=(",", ":"))
