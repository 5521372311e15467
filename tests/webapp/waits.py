"""Waits of pages that have left: a server of tests does not see that they have, and would wait on for 20 seconds."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from django.core import signals

from webapp.table.live import pulse

DEADLINE_S = 10.0
_answering: set[threading.Thread] = set()
"""Threads of the server that answer a request now."""


def _began(**sent: object) -> None:
    _answering.add(threading.current_thread())


def _ended(**sent: object) -> None:
    _answering.discard(threading.current_thread())


signals.request_started.connect(_began)
signals.request_finished.connect(_ended)


def end() -> None:
    """Have all who wait for a match answered, so that nothing of them asks the database after their test."""
    _until_no(_is_answering)


def end_listening() -> None:
    """Wait until nobody listens to the database for those who waited."""
    _until_no(lambda: not pulse.room.is_empty())


def _is_answering() -> bool:
    """Whether a request goes on, once all who wait are woken: another may have begun to wait since."""
    pulse.room.wake(pulse.room.waiters())
    return any("process_request" in thread.name and thread.is_alive() for thread in list(_answering))


def _until_no(is_so: Callable[[], bool]) -> None:
    ends_at = time.monotonic() + DEADLINE_S
    while is_so():
        assert time.monotonic() < ends_at, "a request of a page that has left goes on"
        time.sleep(0.005)
