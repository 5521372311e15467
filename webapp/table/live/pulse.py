"""Waiting for the next version of a match: one listener to the database for all who wait in a process.

Whoever changes a match says so within its transaction (`announce`), and Postgres tells all who listen as soon as
that is committed. While somebody waits, one thread listens; it also looks now and then for what it was not told,
because a notification may be lost with its connection. It ends when nobody waits; that of a web process a while
later, because between a move and its answer the one page that waits asks anew, and a connection costs more than both.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import OrderedDict, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import psycopg
from django.db import Error as DatabaseError
from django.db import connection

from webapp.common import database_pool
from webapp.table.live.models import LiveMatch, LiveSeat

logger = logging.getLogger(__name__)

CHANNEL = "live_match"
LISTEN_S = 0.25
"""Time after which the thread looks up from listening: whether anybody waits still, whether a look is due."""
LOOK_S = 2.0
"""Time between two looks: what no notification told is seen this late at most."""
YOUNG_S = 1.0
"""Time for which a new listener looks each time: who waits first may have read the match before it listened."""
RETRY_S = 0.2
"""Time until the next attempt where the database cannot be reached."""
SEATS_PERIOD_S = 3.0
"""Time between two looks for matches that agents have got: a match of its own that a waiting agent did not know."""
LINGER_S = 10.0
"""Time for which a web process goes on listening when nobody waits any more."""
REMEMBERED = 1024
"""Matches whose last announced version is remembered: one may move between a page's look at it and its wait."""


@dataclass(frozen=True)
class Waiter:
    """Waiting client. versions: match id -> version known; agent_id: an agent that knows all its matches."""

    versions: dict[int, int]
    loop: asyncio.AbstractEventLoop
    event: asyncio.Event
    agent_id: int | None = None

    def wake(self) -> bool:
        """Tell it that something has changed; False where its loop has ended."""
        try:
            self.loop.call_soon_threadsafe(self.event.set)
        except RuntimeError:  # the loop was closed with the waiter in it
            return False
        return True


_lock = threading.Lock()
_waiting: dict[object, Waiter] = {}
_announced: OrderedDict[int, int] = OrderedDict()
_thread: threading.Thread | None = None
_linger_s, _waited_at = 0.0, 0.0
"""How long to listen for nobody; when somebody was seen to wait for the last time."""


def keep_listening() -> None:
    """Let this process go on listening for a while when nobody waits any more."""
    global _linger_s
    _linger_s = LINGER_S


def announce(match: LiveMatch) -> None:
    """Tell all who wait for this match its version, once the present transaction is committed."""
    with connection.cursor() as cursor:
        cursor.execute("select pg_notify(%s, %s)", (CHANNEL, f"{match.pk} {match.version}"))


async def wait_for_change(versions: dict[int, int], timeout_s: float, agent_id: int | None = None) -> bool:
    """Wait until one of the matches has another version than the one known; False when time ran out.

    versions: match id -> version that the caller has seen. A match that is gone counts as changed.
    agent_id: an agent whose unfinished matches these are; another one of them is a change, too.
    """
    if not versions:
        await asyncio.sleep(timeout_s)
        return False
    ticket, event = object(), asyncio.Event()
    with _lock:
        if any(_announced.get(match_id, 0) > version for match_id, version in versions.items()):
            return True
        _waiting[ticket] = Waiter(dict(versions), asyncio.get_running_loop(), event, agent_id)
        _ensure_thread()
    try:
        await asyncio.wait_for(event.wait(), timeout_s)
        return True
    except TimeoutError:
        return False
    finally:
        with _lock:
            _waiting.pop(ticket, None)


def _ensure_thread() -> None:
    """Start the thread that listens, where none lives; the caller holds the lock."""
    global _thread
    if _thread is None or not _thread.is_alive():
        _thread = threading.Thread(target=_listen_while_waited_for, name="pulse", daemon=True)
        _thread.start()


def _listen_while_waited_for() -> None:
    is_away = False
    while _is_waited_for():
        try:
            with database_pool.own_connection(autocommit=True) as listener:
                listener.execute(f"listen {CHANNEL}")
                is_away = False
                _listen(listener)
        except (psycopg.Error, DatabaseError) as error:
            if not is_away:
                logger.warning("the database cannot be reached, so nobody sees matches move: %s", error)
            is_away = True
            time.sleep(RETRY_S)
        finally:
            connection.close()


def _listen(listener: psycopg.Connection[Any]) -> None:
    """Wake those whose matches are announced, and look now and then, as long as anybody waits."""
    began_at, looked_at, seats_at = time.monotonic(), -LOOK_S, -SEATS_PERIOD_S
    while _is_waited_for():
        now = time.monotonic()
        if now >= looked_at + LOOK_S or now < began_at + YOUNG_S:
            is_due = now >= seats_at + SEATS_PERIOD_S
            _look(with_agents=is_due)
            looked_at, seats_at = now, now if is_due else seats_at
        for notification in listener.notifies(timeout=LISTEN_S, stop_after=1):
            match_id, _, version = notification.payload.partition(" ")
            _wake_announced(int(match_id), int(version))


def _is_waited_for() -> bool:
    """Whether anybody waits, or did a moment ago; where nobody does the thread may not start to wait again."""
    global _thread, _waited_at
    with _lock:
        now = time.monotonic()
        if _waiting:
            _waited_at = now
        is_on = now < _waited_at + _linger_s or bool(_waiting)
        if not is_on and _thread is threading.current_thread():
            _thread = None
        return is_on


def _wake_announced(match_id: int, version: int) -> None:
    """Wake those who know less of a match than its version."""
    with _lock:
        _announced[match_id] = max(version, _announced.pop(match_id, 0))
        while len(_announced) > REMEMBERED:
            _announced.popitem(last=False)
        _wake(ticket for ticket, waiter in _waiting.items() if waiter.versions.get(match_id, version) < version)


def _look(*, with_agents: bool) -> None:
    """Wake those whose matches have other versions in the database. with_agents: or who has another match."""
    with _lock:
        asked = dict(_waiting)
    if not asked:
        return
    present = _versions(asked.values())
    of_agents = _matches_of_agents(asked.values()) if with_agents else {}
    connection.close()

    def has_changed(waiter: Waiter) -> bool:
        known = waiter.versions
        is_still = all(present.get(match_id) == version for match_id, version in known.items())
        return not (is_still and of_agents.get(waiter.agent_id or 0, set()) <= known.keys())

    with _lock:
        _wake(ticket for ticket, waiter in asked.items() if has_changed(waiter))


def _wake(tickets: Iterable[object]) -> None:
    """Wake these where they still wait; whose loop has ended waits no more. The caller holds the lock."""
    for ticket in list(tickets):
        waiter = _waiting.get(ticket)
        if waiter is not None and not waiter.wake():
            del _waiting[ticket]


def _versions(waiters: Iterable[Waiter]) -> dict[int, int]:
    """Versions in the database of the matches that they wait for."""
    wanted = {match_id for waiter in waiters for match_id in waiter.versions}
    return dict(LiveMatch.objects.filter(pk__in=wanted).values_list("pk", "version"))


def _matches_of_agents(waiters: Iterable[Waiter]) -> dict[int, set[int]]:
    """The unfinished matches of the agents among them."""
    agents = {waiter.agent_id for waiter in waiters if waiter.agent_id is not None}
    found: dict[int, set[int]] = defaultdict(set)
    if agents:
        rows = LiveSeat.objects.filter(
            agent__in=agents,
            kind=LiveSeat.Kind.AGENT,
            match__status__in=(LiveMatch.Status.OPEN, LiveMatch.Status.RUNNING),
        )
        for agent_id, match_id in rows.values_list("agent_id", "match_id"):
            found[agent_id].add(match_id)
    return found
