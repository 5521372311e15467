"""The worker's tasks for those who say that there is work, imported with the queue's client when one first does."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from worker import tasks
else:
    from worker.lazy_modules import LazyModule

    tasks = LazyModule("worker.tasks")

__all__ = ["tasks"]
