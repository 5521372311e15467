"""Waiting for a match to change without holding anything: no database connection, no thread."""

from __future__ import annotations

from asgiref.sync import SyncToAsync, sync_to_async
from django.db import connection

from webapp.live import pulse


async def for_change(versions: dict[int, int], timeout_s: float) -> bool:
    """Wait until one of the matches (id -> version known) has moved on; False when time ran out.

    Under ASGI a request has a thread of its own for what is not asynchronous, and that thread its
    connection to the database. Both are given up before the wait; the next use makes new ones.
    """
    await sync_to_async(_close_connection)()
    _give_up_thread()
    return await pulse.changed(versions, timeout_s)


def _close_connection() -> None:
    if not connection.in_atomic_block:  # only in tests that share one transaction
        connection.close()


def _give_up_thread() -> None:
    context = SyncToAsync.thread_sensitive_context.get(None)
    executor = SyncToAsync.context_to_thread_executor.pop(context, None) if context is not None else None
    if executor is not None:
        executor.shutdown(wait=False)
