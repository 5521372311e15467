"""The lab's Celery application, with the engines and the study that misbehave."""

from tests import counting
from tests.crash import engines
from worker.celery_app import app

engines.register()
counting.register()

__all__ = ["app"]
