"""Following a job: who waits for news of one holds nothing meanwhile, and one thread looks for all.

Workers write what they did without a word to anybody, so the thread looks once in a while, at all jobs that somebody
waits for with one statement a kind. It ends when nobody waits.
"""

from __future__ import annotations

import logging
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import psycopg
from django.db import Error as DatabaseError
from django.db import connection

from webapp.common.waiting_room import WaitingRoom
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
class Wish:
    """News of one job. known: the version that was seen; None: until it is over."""

    word: str
    number: int
    known: str | None

    def is_met_by(self, version: str | None) -> bool:
        """Whether this version is news; None: the job is gone, which is."""
        if version is None:
            return True
        return version.startswith(_OVER_VERSIONS) if self.known is None else version != self.known


async def wait_for_news(word: str, number: int, known: str | None, timeout_s: float) -> bool:
    """Wait until a job has another version than the one known, or is over where none is; False when time ran out."""
    return await room.wait(Wish(word, number, known), timeout_s)


def _look_while_waited_for() -> None:
    try:
        while room.is_waited_in():
            waiters = room.waiters()
            try:
                now = _look(waiter.wish for waiter in waiters.values())
                room.wake(
                    ticket
                    for ticket, waiter in waiters.items()
                    if waiter.wish.is_met_by(now[waiter.wish.word].get(waiter.wish.number))
                )
            except (psycopg.Error, DatabaseError) as error:
                logger.warning("nobody who waits hears of experiments just now: %s", error)
                connection.close()
            time.sleep(LOOK_S)
    finally:
        connection.close()


room: WaitingRoom[Wish] = WaitingRoom("follow", _look_while_waited_for)


def _look(wishes: Iterable[Wish]) -> Mapping[str, Mapping[int, str]]:
    """Versions of now, by kind and number."""
    wanted: dict[str, set[int]] = defaultdict(set)
    for wish in wishes:
        wanted[wish.word].add(wish.number)
    return {word: versions(word, numbers) for word, numbers in wanted.items()}
