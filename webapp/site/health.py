"""Health of the system, for people, compose and load balancers."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connection
from django.db.models import Max, Min
from django.utils import timezone
from redis import Redis
from redis.exceptions import RedisError

from webapp.records import disk
from webapp.records.models import Chunk
from webapp.table.live.models import LiveMatch
from worker.recorder import INTERACTIVE

TIMEOUT_S = 2
RECENT_S = 120
"""A worker that claimed something this lately is alive."""
logger = logging.getLogger(__name__)


def check() -> dict[str, Any]:
    """One row per part; `ok` says whether pages can be served and work handed out.

    `worker` (chunks of experiments) and `tables` (engines' turns where people wait, of which
    `turns` have nobody at them) are about work done, not about processes: "idle" when nothing
    waits, "late" when something waits and nothing was claimed for two minutes, "full" when it waits for
    room on the `disk`: "full" when experiments and studies wait for some, "unknown" where the database
    is on another machine. They do not decide `ok`: pages are served and people play.
    """
    database = _database()
    queue = _queue()
    state = {"ok": database == queue == "ok", "database": database, "queue": queue, "disk": _disk()}
    if database != "ok":
        return state | {"worker": "unknown", "tables": "unknown", "turns": None}
    tables, turns = _tables()
    return state | {"worker": _worker(), "tables": tables, "turns": turns}


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        logger.exception("the database does not answer")
        return "down"
    return "ok"


def _queue() -> str:
    try:
        with Redis.from_url(settings.REDIS_URL, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S) as client:
            client.ping()
    except (RedisError, OSError):
        logger.exception("the queue does not answer")
        return "down"
    return "ok"


def _disk() -> str:
    room = disk.room()
    return "unknown" if room is None else "full" if room.is_full else "ok"


def _tables() -> tuple[str, int]:
    """State of engines at tables, and how many turns wait for a worker."""
    due = LiveMatch.objects.filter(status=LiveMatch.Status.RUNNING, is_engine_due=True, queue=INTERACTIVE)
    if not due.exists():
        return "idle", 0
    waiting, since = due.filter(worker=""), timezone.now() - timedelta(seconds=RECENT_S)
    oldest = waiting.aggregate(at=Min("turn_began_at"))["at"]
    is_late = oldest is not None and oldest < since and not due.filter(claimed_at__gte=since).exists()
    return "late" if is_late else "ok", waiting.count()


def _worker() -> str:
    running = Chunk.objects.filter(experiment__status="running").exclude(status=Chunk.Status.DONE)
    if not running.exists():
        return "idle"
    if disk.is_full():
        return "full"
    last = running.aggregate(at=Max("claimed_at"))["at"] or Chunk.objects.aggregate(at=Max("claimed_at"))["at"]
    oldest = running.order_by("experiment__created_at").values_list("experiment__created_at", flat=True).first()
    seen = max(moment for moment in (last, oldest) if moment is not None)
    return "ok" if (timezone.now() - seen).total_seconds() < RECENT_S else "late"
