"""The program that delivers webhooks: it takes what is due, many at once, until it is stopped."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import httpx
import psycopg
from django.db import DatabaseError, InterfaceError, connection

from webapp.table.hooks import delivery_attempt, queue
from webapp.table.hooks.queue import DeliveryClaim
from worker import log_ids

logger = logging.getLogger(__name__)

PERIOD_S = 0.3
MAX_PAUSE_S = 30.0
AT_ONCE = 64
"""Deliveries on their way at once: one person's hosts, however slow, hold `queue.PER_OWNER` of them at most."""
FORGET_S = 3600.0
STOP_S = 5.0
"""Time in which deliveries on their way may arrive once the program is to stop: less than it is given."""

LOST = (psycopg.Error, DatabaseError, InterfaceError)

Result = TypeVar("Result")


def _close() -> None:
    """Close the calling thread's connection."""
    connection.close()


class Deliverer:
    """Delivers what is due. Rows are read and written by one thread, names resolved by others."""

    def __init__(self, allowed: Collection[str], period_s: float = PERIOD_S) -> None:
        """allowed: see `addresses.parse`."""
        self.allowed = allowed
        self.period_s = period_s
        self.sending: set[asyncio.Task[None]] = set()
        self.per_owner: Counter[int] = Counter()
        self._rows = ThreadPoolExecutor(1, thread_name_prefix="rows")
        self._freed = asyncio.Event()

    async def run(self, ended: asyncio.Event) -> None:
        """Deliver until `ended` is set. What does not arrive soon after is delivered anew when its claim runs out."""
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(AT_ONCE, thread_name_prefix="names"))
        pause, forgot_at = self.period_s, -FORGET_S
        async with delivery_attempt.client() as http:
            while not ended.is_set():
                try:
                    claimed = await self._claim(http)
                    if time.monotonic() >= forgot_at + FORGET_S:
                        await self._in_rows(queue.forget)
                        forgot_at = time.monotonic()
                    pause = 0.0 if claimed else self.period_s
                except LOST as error:
                    pause = min(max(2 * pause, 1.0), MAX_PAUSE_S)
                    logger.warning("the database cannot be reached, trying again in %.0f s: %s", pause, error)
                await self._wait(ended, pause)
            if self.sending:
                _, late = await asyncio.wait(self.sending, timeout=STOP_S)
                for task in late:
                    task.cancel()
                await asyncio.gather(*late, return_exceptions=True)
        await self._in_rows(_close)
        self._rows.shutdown()

    async def _claim(self, http: httpx.AsyncClient) -> int:
        """Take up what is due, as far as there is room; return how many."""
        room = AT_ONCE - len(self.sending)
        if room <= 0:
            return 0
        claimed = await self._in_rows(queue.claim, room, dict(self.per_owner))
        for delivery in claimed:
            self.per_owner[delivery.owner_id] += 1
            with log_ids.bound(delivery=str(delivery.row_id)):
                task = asyncio.create_task(self._deliver(http, delivery))
            self.sending.add(task)
            task.add_done_callback(self.sending.discard)
        return len(claimed)

    async def _deliver(self, http: httpx.AsyncClient, delivery: DeliveryClaim) -> None:
        try:
            outcome = await delivery_attempt.attempt(http, delivery, self.allowed)
            await self._in_rows(queue.settle, delivery, outcome)
        except LOST as error:  # its claim runs out, and it is delivered once more
            logger.warning("what came of delivery %s could not be written: %s", delivery.row_id, error)
        except Exception:
            logger.exception("delivery %s failed in a way that nobody foresaw", delivery.row_id)
        finally:
            self.per_owner[delivery.owner_id] -= 1
            if not self.per_owner[delivery.owner_id]:
                del self.per_owner[delivery.owner_id]
            self._freed.set()

    async def _wait(self, ended: asyncio.Event, pause: float) -> None:
        """Wait a while, less where a place became free."""
        self._freed.clear()
        waits = [asyncio.create_task(event.wait()) for event in (ended, self._freed)]
        await asyncio.wait(waits, timeout=pause, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()

    async def _in_rows(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """Call something that reads or writes rows; a lost connection is opened anew the next time."""

        def call() -> Result:
            try:
                return function(*arguments)
            except LOST:
                connection.close()
                raise

        return await asyncio.get_running_loop().run_in_executor(self._rows, call)
