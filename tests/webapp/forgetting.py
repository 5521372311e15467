"""What web processes remember beside the database, forgotten: for tests that begin with nothing counted."""

from __future__ import annotations

from contextlib import suppress

from django.conf import settings
from django.core.cache import cache
from redis.exceptions import RedisError

from webapp.common import counts


def forget_counts() -> None:
    """Empty the cache and the counts of limits, also those of a server that runs by now."""
    cache.clear()
    counts.shared.ask_again()
    with suppress(RedisError, OSError), counts.client(settings.REDIS_URL) as server:
        if known := list(server.scan_iter(f"{counts.PREFIX}*", count=1000)):
            server.delete(*known)
