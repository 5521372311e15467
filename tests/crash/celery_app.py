"""The lab's Celery application, with the engines that misbehave."""

from tests.crash import engines
from worker.celery_app import app

engines.register()

__all__ = ["app"]
