"""Waiting for the next version of a match: one look at the database for all who wait in a process.

While somebody waits, one thread asks a few times a second which of the matches waited for have
moved; it ends when nobody waits. A change made by this process is seen at once.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterable

from django.db import Error as DatabaseError
from django.db import connection

from webapp.live.models import LiveMatch

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
        _waiting[ticket] = (versions, asyncio.get_running_loop(), event)
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
        beat()


def _ensure_thread() -> None:
    """Start the thread that looks, where none runs; the caller holds the lock."""
    global _thread
    if _thread is None:
        _thread = threading.Thread(target=_look_while_waited_for, name="pulse", daemon=True)
        _thread.start()


def _look_while_waited_for() -> None:
    global _thread
    try:
        while True:
            _beat.wait(PERIOD_S)
            _beat.clear()
            with _lock:
                if not _waiting:
                    _thread = None
                    return
                wanted = {match_id for versions, _, _ in _waiting.values() for match_id in versions}
            _tell(_versions(wanted))
            time.sleep(PERIOD_S / 10)  # beats in a row are one look
    finally:
        connection.close()


def _versions(match_ids: Iterable[int]) -> dict[int, int] | None:
    """What the database has; None where it cannot be reached."""
    try:
        return dict(LiveMatch.objects.filter(pk__in=list(match_ids)).values_list("pk", "version"))
    except DatabaseError:
        connection.close()
        return None


def _tell(present: dict[int, int] | None) -> None:
    if present is None:
        return
    with _lock:
        for versions, loop, event in _waiting.values():
            if any(present.get(match_id) != version for match_id, version in versions.items()):
                loop.call_soon_threadsafe(event.set)
