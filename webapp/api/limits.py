"""How much one token and one address may ask for.

Counts live in Django's cache, of one web process unless a shared cache is configured. A request
that waits for its answer (long-poll) is not counted when it had to wait.
"""

from __future__ import annotations

import math
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.core.cache import cache
from django.http import HttpRequest

from webapp.api.problems import ProblemError

MAX_BODY = 64 * 1024
"""Bytes of a request's body."""

MAX_WAITING = 100
"""Requests of one token that wait at the same time."""


@dataclass(frozen=True)
class Limit:
    """So many requests a minute; name: what is counted."""

    name: str
    per_minute: int

    def count(self, who: str) -> None:
        """Count a request. Raises ProblemError (429) where it is one too many."""
        key, now = self._key(who), time.time()
        cache.add(key, 0, 120)
        try:
            requests = cache.incr(key)
        except ValueError:  # it was dropped between the two calls
            cache.set(key, 1, 120)
            requests = 1
        if requests > self.per_minute:
            raise too_many(
                f"At most {self.per_minute} requests a minute for each {self.name}.", math.ceil(60 - now % 60)
            )

    def give_back(self, who: str) -> None:
        """A request is not counted after all."""
        try:
            cache.decr(self._key(who))
        except ValueError:  # another minute has begun
            return

    def _key(self, who: str) -> str:
        return f"api-{self.name}-{who}-{int(time.time() // 60)}"


TOKEN = Limit("token", 3000)
ADDRESS = Limit("address", 6000)
WRONG_TOKEN = Limit("wrong-token", 60)


def too_many(detail: str, wait_s: int) -> ProblemError:
    """The problem of who asks too often."""
    return ProblemError("too-many-requests", detail, {"retry_after_s": wait_s}, {"Retry-After": str(wait_s)})


def address(request: HttpRequest) -> str:
    """Where a request comes from."""
    return str(request.META.get("REMOTE_ADDR", ""))


_waiting: Counter[int] = Counter()
_lock = threading.Lock()


@contextmanager
def waiting(token_id: int) -> Iterator[None]:
    """Hold a place among the token's waiting requests. Raises ProblemError (429) where all are taken."""
    with _lock:
        if _waiting[token_id] >= MAX_WAITING:
            raise too_many(f"At most {MAX_WAITING} requests of a token may wait at the same time.", 5)
        _waiting[token_id] += 1
    try:
        yield
    finally:
        with _lock:
            _waiting[token_id] -= 1
            if not _waiting[token_id]:
                del _waiting[token_id]
