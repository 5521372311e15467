"""The lab's Celery application, with the engines and the studies that misbehave."""

import os
from typing import Any

from celery import signals

from engines import bench
from engines import registry as engine_registry
from games import registry as game_registry
from tests import counting
from tests.crash import engines
from tests.crash.lab import IN_HASTE
from worker import celery_app, play


def load_first(**_: Any) -> None:
    """Before the children are forked: what the tests' matches need, of a dead child's successor, too."""
    bench.one_decision(game_registry.get("carcassonne"), engine_registry.make("flat_mc", {}))


engines.register()
counting.register()
if os.environ.get(IN_HASTE):
    play.WRITE_S = 0.0
    signals.celeryd_after_setup.disconnect(celery_app.load_first)
    signals.celeryd_after_setup.connect(load_first)
app = celery_app.app

__all__ = ["app"]
