"""A waiting room: who waits in this process for news, each in a loop of its own, and one thread that brings them.

The thread begins with the first who waits and ends when nobody does, or a while later.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

W = TypeVar("W")


@dataclass(frozen=True)
class Waiter(Generic[W]):
    """Somebody who waits. wish: for what."""

    wish: W
    loop: asyncio.AbstractEventLoop
    event: asyncio.Event

    def wake(self) -> bool:
        """Tell it that there is news; False where its loop has ended."""
        try:
            self.loop.call_soon_threadsafe(self.event.set)
        except RuntimeError:  # the loop was closed with the waiter in it
            return False
        return True


class WaitingRoom(Generic[W]):
    """Those who wait. bring: what the thread of this name runs; it goes on while `is_waited_in`.

    lock: held while somebody enters, is woken or leaves. linger_s: how long to go on when nobody waits any more.
    """

    def __init__(self, name: str, bring: Callable[[], None]) -> None:
        self.lock = threading.RLock()
        self.linger_s = 0.0
        self._name, self._bring = name, bring
        self._waiting: dict[object, Waiter[W]] = {}
        self._thread: threading.Thread | None = None
        self._waited_at = 0.0

    async def wait(self, wish: W, timeout_s: float, has_news: Callable[[], bool] = lambda: False) -> bool:
        """Wait until woken; False when time ran out. has_news: asked once at the door, under the lock."""
        ticket, event = object(), asyncio.Event()
        with self.lock:
            if has_news():
                return True
            self.enter(ticket, Waiter(wish, asyncio.get_running_loop(), event))
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._bring, name=self._name, daemon=True)
                self._thread.start()
        try:
            await asyncio.wait_for(event.wait(), timeout_s)
            return True
        except TimeoutError:
            return False
        finally:
            with self.lock:
                self._waiting.pop(ticket, None)

    def enter(self, ticket: object, waiter: Waiter[W]) -> None:
        """Have it wait, under a ticket of its own."""
        with self.lock:
            self._waiting[ticket] = waiter

    def waiters(self) -> dict[object, Waiter[W]]:
        """Who waits just now, by ticket."""
        with self.lock:
            return dict(self._waiting)

    def wake(self, tickets: Iterable[object]) -> None:
        """Wake these where they still wait; whose loop has ended waits no more."""
        with self.lock:
            for ticket in list(tickets):
                waiter = self._waiting.get(ticket)
                if waiter is not None and not waiter.wake():
                    del self._waiting[ticket]

    def is_waited_in(self) -> bool:
        """Whether anybody waits, or did a moment ago; where nobody does, the thread that asks has to end."""
        with self.lock:
            now = time.monotonic()
            if self._waiting:
                self._waited_at = now
            is_on = bool(self._waiting) or now < self._waited_at + self.linger_s
            if not is_on and self._thread is threading.current_thread():
                self._thread = None
            return is_on

    def is_empty(self) -> bool:
        """Whether nobody waits and no thread runs."""
        with self.lock:
            return not self._waiting and self._thread is None
