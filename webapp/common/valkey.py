"""The client of the queue's server, imported when it is first asked: 15 MB, with its asynchronous half."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import redis
    from redis import backoff, retry
else:
    from worker.lazy_modules import LazyModule

    redis = LazyModule("redis")
    backoff, retry = LazyModule("redis.backoff"), LazyModule("redis.retry")

__all__ = ["backoff", "redis", "retry"]
