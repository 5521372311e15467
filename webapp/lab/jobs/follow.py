"""Following a job: who waits for news of one holds nothing meanwhile, and one thread looks for all.

Workers write what they did without a word to anybody, so the thread looks once in a while, at all jobs that somebody
waits for with one statement a kind. It ends when nobody waits.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import psycopg
from django.db import Error as DatabaseError
from django.db import connection

from webapp.lab.jobs import registry
from webapp.records.job import Job

logger = logging.getLogger(__name__)

LOOK_S = 1.0
"""Time between two looks: news is this late at most."""
OVER = (Job.Status.FINISHED, Job.Status.STOPPED)
_OVER_VERSIONS = tuple(f"{status}-" for status in OVER)


def version_of(status: str, ended: int) -> str:
    """What is another one whenever there is news of a job: its state, and how much of it has ended."""
    return f"{status}-{ended}"


def versions(word: str, numbers: Iterable[int]) -> dict[int, str]:
    """The version of each of some jobs of a kind; those that are gone are left out."""
    kind = registry.get(word)
    rows = kind.with_counts(kind.jobs.filter(pk__in=list(numbers))).values_list("pk", "status", "ended")
    return {pk: version_of(status, ended) for pk, status, ended in rows}


@dataclass(frozen=True)
class Waiter:
    """Somebody who waits for news of one job. known: the version that was seen; None: until it is over."""

    word: str
    number: int
    known: str | None
    loop: asyncio.AbstractEventLoop
    event: asyncio.Event

    def has_news(self, version: str | None) -> bool:
        """Whether this version is news; None: the job is gone, which is."""
        if version is None:
            return True
        return version.startswith(_OVER_VERSIONS) if self.known is None else version != self.known

    def wake(self) -> None:
        """Tell it, unless its loop has ended meanwhile."""
        if not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.event.set)


_lock = threading.Lock()
_waiting: dict[object, Waiter] = {}
_thread: threading.Thread | None = None


async def wait_for_news(word: str, number: int, known: str | None, timeout_s: float) -> bool:
    """Wait until a job has another version than the one known, or is over where none is; False when time ran out."""
    global _thread
    ticket, event = object(), asyncio.Event()
    with _lock:
        _waiting[ticket] = Waiter(word, number, known, asyncio.get_running_loop(), event)
        if _thread is None or not _thread.is_alive():
            _thread = threading.Thread(target=_look_while_waited_for, name="follow", daemon=True)
            _thread.start()
    try:
        await asyncio.wait_for(event.wait(), timeout_s)
        return True
    except TimeoutError:
        return False
    finally:
        with _lock:
            _waiting.pop(ticket, None)


def _look_while_waited_for() -> None:
    global _thread
    try:
        while True:
            with _lock:
                waiting = list(_waiting.values())
                if not waiting:
                    _thread = None
                    return
            try:
                _tell(waiting, _look(waiting))
            except (psycopg.Error, DatabaseError) as error:
                logger.warning("nobody who waits hears of experiments just now: %s", error)
                connection.close()
            time.sleep(LOOK_S)
    finally:
        connection.close()


def _look(waiting: Iterable[Waiter]) -> Mapping[str, Mapping[int, str]]:
    """Versions of now, by kind and number."""
    wanted: dict[str, set[int]] = defaultdict(set)
    for waiter in waiting:
        wanted[waiter.word].add(waiter.number)
    return {word: versions(word, numbers) for word, numbers in wanted.items()}


def _tell(waiting: Iterable[Waiter], now: Mapping[str, Mapping[int, str]]) -> None:
    for waiter in waiting:
        if waiter.has_news(now[waiter.word].get(waiter.number)):
            waiter.wake()
