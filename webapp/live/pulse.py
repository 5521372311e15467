"""Waiting for the next version of a match: one look at the database for all who wait in a process.

While somebody waits, one thread asks a few times a second which of the matches waited for have
moved; it ends when nobody waits. A change made by this process is seen at once.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time

from django.db import Error as DatabaseError
from django.db import connection

from webapp.live.models import LiveMatch

logger = logging.getLogger(__name__)

PERIOD_S = 0.2
"""Between two looks: another process's change is seen this late at most."""

_lock = threading.Lock()
_waiting: dict[object, tuple[dict[int, int], asyncio.AbstractEventLoop, asyncio.Event]] = {}
_beat = threading.Event()
_thread: threading.Thread | None = None


def beat() -> None:
    """Look now: something has changed."""
    _beat.set()


async def changed(versions: dict[int, int], timeout_s: float) -> bool:
    """Wait until one of the matches has another version than the one known; False when time ran out.

    versions: match id -> version that the caller has seen. A match that is gone counts as changed.
    """
    if not versions:
        await asyncio.sleep(timeout_s)
        return False
    ticket, event = object(), asyncio.Event()
    with _lock:
        _waiting[ticket] = (dict(versions), asyncio.get_running_loop(), event)
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
    is_away = False
    try:
        while _is_waited_for():
            try:
                _tell(_versions())
                is_away = False
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
    """What the database has of the matches that somebody waits for."""
    with _lock:
        wanted = {match_id for versions, _, _ in _waiting.values() for match_id in versions}
    return dict(LiveMatch.objects.filter(pk__in=wanted).values_list("pk", "version"))


def _tell(present: dict[int, int]) -> None:
    """Wake those whose matches have moved. Whose loop has ended waits no more."""
    with _lock:
        for ticket, (versions, loop, event) in list(_waiting.items()):
            if all(present.get(match_id) == version for match_id, version in versions.items()):
                continue
            try:
                loop.call_soon_threadsafe(event.set)
            except RuntimeError:  # the loop was closed with the waiter in it
                del _waiting[ticket]
