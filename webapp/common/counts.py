"""Counts of recent events, shared by all web processes, each kept for a number of seconds.

They live in Valkey, beside the queue. While it does not answer, every process counts in its own
memory (Django's cache): nobody is kept out, and limits hold for each process by itself.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from functools import cached_property
from threading import Lock

from django.conf import settings
from django.core.cache import cache

from webapp.common.valkey import backoff, redis, retry

PREFIX = "lab:count:"
TIMEOUT_S = 0.2
"""Timeout of one try to reach the server of counts; nobody waits longer than a few of these."""
PAUSE_S = 5.0
"""A server that did not answer is asked again after this."""
logger = logging.getLogger(__name__)


class Counts:
    """Counts by key, on one server. It connects when first asked, and serves all threads."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._asked_again_at = 0.0
        self._is_down = False
        self._lock = Lock()

    @cached_property
    def _server(self) -> redis.Redis:
        return client(self._url)

    def add(self, key: str, kept_s: int, by: int = 1) -> int:
        """Count, and say how many there are; a count begun now is forgotten after `kept_s` seconds."""
        return self._ask(lambda: self._shared(key, kept_s, by), lambda: _own(key, kept_s, by))

    def number(self, key: str) -> int:
        """The count."""
        return self._ask(lambda: int(self._server.get(PREFIX + key) or 0), lambda: int(cache.get(key, 0)))

    def forget(self, key: str) -> None:
        """Count anew from nothing."""
        cache.delete(key)
        self._ask(lambda: int(self._server.delete(PREFIX + key)), lambda: 0)

    def _shared(self, key: str, kept_s: int, by: int) -> int:
        steps = self._server.pipeline(transaction=False)
        steps.incrby(PREFIX + key, by)
        steps.expire(PREFIX + key, kept_s, nx=True)  # after it: a count never stays without an end
        return int(steps.execute()[0])

    def _ask(self, shared: Callable[[], int], own: Callable[[], int]) -> int:
        """The server's answer; this process' own where it gives none, or gave none a moment ago."""
        if time.monotonic() < self._asked_again_at:
            return own()
        try:
            found = shared()
        except (redis.RedisError, OSError) as error:
            self._asked_again_at = time.monotonic() + PAUSE_S
            self._note(is_down=True, why=str(error))
            return own()
        self._note(is_down=False)
        return found

    def _note(self, *, is_down: bool, why: str = "") -> None:
        """Say once that the server is down, and once that it is back."""
        with self._lock:
            if is_down == self._is_down:
                return
            self._is_down = is_down
        if is_down:
            logger.warning("limits hold for each web process by itself: the server of counts does not answer (%s)", why)
        else:
            logger.info("limits hold for all web processes together again")


def client(url: str) -> redis.Redis:
    """A connection that tries once more where an old one was shut, and does not wait.

    What is not answered in time may have been counted: that is not sent again.
    """
    once_more = retry.Retry(backoff.NoBackoff(), retries=1, supported_errors=(redis.ConnectionError,))
    return redis.Redis.from_url(url, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S, retry=once_more)


def _own(key: str, kept_s: int, by: int) -> int:
    """Count in the memory of this process."""
    cache.add(key, 0, kept_s)
    try:
        return int(cache.incr(key, by))
    except ValueError:  # it was dropped between the two calls
        cache.set(key, by, kept_s)
        return by


shared_counts = Counts(settings.REDIS_URL)
"""Counts of the lab."""
