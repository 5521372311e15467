"""Long polling: requests wait until a match moves, hold nothing meanwhile, and do not all look at once.

Under ASGI a request has a thread of its own for what is not asynchronous, and that thread its
connection to the database. Both are given up before the wait, and so is the place among the requests
in work (`admission`). One ply wakes all who wait for it: a few at a time look again, and what is the
same for many of them is made once.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from asgiref.sync import SyncToAsync, sync_to_async

from webapp.common import admission, database_pool, made_once
from webapp.table.live import pulse

MAX_OF_ONE = 100
"""Requests of one token, person or address that wait at the same time."""
RETRY_S = 5
"""Time after which a request that found all those places taken may try again."""
FRESH_S = 1.0
"""Time for which what was made for one reader serves others."""

T = TypeVar("T")


class CrowdedError(Exception):
    """Refusal where somebody has as many requests waiting as one may have; the message says so."""


async def for_change(who: str, versions: dict[int, int], timeout_s: float, agent_id: int | None = None) -> bool:
    """Wait as `pulse.wait_for_change` does, without a connection or a thread.

    who: a token, person or address, whose waiting requests are counted. Raises CrowdedError.
    """
    return await for_news(who, lambda: pulse.wait_for_change(versions, timeout_s, agent_id))


async def for_news(who: str, wait: Callable[[], Awaitable[T]]) -> T:
    """Wait as `wait` does, for whatever it waits for, in the same way. Raises CrowdedError."""
    with _place(who):
        await _let_go()
        return await wait()


async def for_change_at_the_door(who: str, versions: dict[int, int], timeout_s: float) -> bool:
    """The same for a request that has a place, and neither a connection nor a thread of its own."""
    with _place(who):
        admission.step_out()
        return await pulse.wait_for_change(versions, timeout_s)


async def look(call: Callable[[], T]) -> T:
    """Return what `call` answers, called in the request's thread as one of a few; for after a wait."""
    async with admission.back_as_poll():
        try:
            return await sync_to_async(call)()
        finally:
            await _let_go()


def once(key: Hashable, make: Callable[[], T]) -> T:
    """Return what `make` answers, made once for all who ask with this key within `FRESH_S`."""
    return made_once.once(key, make, made_once.seconds_ago(FRESH_S))


_lock = threading.Lock()
_waiting: Counter[str] = Counter()


@contextmanager
def _place(who: str) -> Iterator[None]:
    """Hold a place among somebody's waiting requests."""
    with _lock:
        if _waiting[who] >= MAX_OF_ONE:
            raise CrowdedError(f"At most {MAX_OF_ONE} requests of one user or agent may wait at the same time.")
        _waiting[who] += 1
    try:
        yield
    finally:
        with _lock:
            _waiting[who] -= 1
            if not _waiting[who]:
                del _waiting[who]


async def _let_go() -> None:
    """Give up the request's connection, thread and place; the next use makes new ones."""
    context = SyncToAsync.thread_sensitive_context.get(None)
    is_begun = context is None or context in SyncToAsync.context_to_thread_executor
    if is_begun:  # else the request has had no thread yet, and no connection
        await sync_to_async(database_pool.give_back)()
    executor = SyncToAsync.context_to_thread_executor.pop(context, None) if context is not None else None
    if executor is not None:
        executor.shutdown(wait=False)
    admission.step_out()
