"""Waiting for the next version of a match: one look at the database for all who wait in a process.

While somebody waits, one thread asks a few times a second which of the matches waited for have
moved; it ends when nobody waits. A change made by this process is seen at once.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import defaultdict
from dataclasses import dataclass

from django.db import Error as DatabaseError
from django.db import connection

from webapp.table.live.models import LiveMatch, LiveSeat

logger = logging.getLogger(__name__)

PERIOD_S = 0.2
"""Time between two looks: another process's change is seen this late at most."""
SEATS_PERIOD_S = 3.0
"""Time between two looks for matches that agents have got: a match of its own that a waiting agent did not know."""


@dataclass(frozen=True)
class Waiter:
    """Waiting client. versions: match id -> version known; agent_id: an agent that knows all its matches."""

    versions: dict[int, int]
    loop: asyncio.AbstractEventLoop
    event: asyncio.Event
    agent_id: int | None = None


_lock = threading.Lock()
_waiting: dict[object, Waiter] = {}
_beat = threading.Event()
_thread: threading.Thread | None = None


def beat() -> None:
    """Look now: something has changed."""
    _beat.set()


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
        _waiting[ticket] = Waiter(dict(versions), asyncio.get_running_loop(), event, agent_id)
        _ensure_thread()
    beat()
    try:
        await asyncio.wait_for(event.wait(), timeout_s)
        return True
    except TimeoutError:
        return False
    finally:
        with _lock:
            _waiting.pop(ticket, None)


def _ensure_thread() -> None:
    """Start the thread that looks, where none lives; the caller holds the lock."""
    global _thread
    if _thread is None or not _thread.is_alive():
        _thread = threading.Thread(target=_look_while_waited_for, name="pulse", daemon=True)
        _thread.start()


def _look_while_waited_for() -> None:
    is_away, seats_at = False, -SEATS_PERIOD_S
    try:
        while _is_waited_for():
            try:
                is_due = time.monotonic() >= seats_at + SEATS_PERIOD_S
                _tell(_versions(), _matches_of_agents() if is_due else {})
                is_away, seats_at = False, time.monotonic() if is_due else seats_at
            except DatabaseError as error:
                connection.close()
                if not is_away:
                    logger.warning("the database cannot be reached, so nobody sees matches move: %s", error)
                is_away = True
            time.sleep(PERIOD_S / 10)  # beats in a row are one look
            _beat.wait(PERIOD_S)
            _beat.clear()
    finally:
        connection.close()


def _is_waited_for() -> bool:
    """Whether anybody waits; where nobody does the thread may not start to wait again."""
    global _thread
    with _lock:
        if not _waiting and _thread is threading.current_thread():
            _thread = None
        return bool(_waiting)


def _versions() -> dict[int, int]:
    """Versions in the database of the matches that somebody waits for."""
    with _lock:
        wanted = {match_id for waiter in _waiting.values() for match_id in waiter.versions}
    return dict(LiveMatch.objects.filter(pk__in=wanted).values_list("pk", "version"))


def _matches_of_agents() -> dict[int, set[int]]:
    """The unfinished matches of the agents that wait."""
    with _lock:
        agents = {waiter.agent_id for waiter in _waiting.values() if waiter.agent_id is not None}
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


def _tell(present: dict[int, int], of_agents: dict[int, set[int]]) -> None:
    """Wake those whose matches have moved. Whose loop has ended waits no more."""
    with _lock:
        for ticket, waiter in list(_waiting.items()):
            known = waiter.versions
            is_still = all(present.get(match_id) == version for match_id, version in known.items())
            if is_still and of_agents.get(waiter.agent_id or 0, set()) <= known.keys():
                continue
            try:
                waiter.loop.call_soon_threadsafe(waiter.event.set)
            except RuntimeError:  # the loop was closed with the waiter in it
                del _waiting[ticket]
