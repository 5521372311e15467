"""The watch beside the sweeper: looks at the condition of the lab every 20 seconds and tells the operator."""

from __future__ import annotations

import logging
import threading

from django.db import connection

from webapp.lab.watch import condition
from webapp.lab.watch.alarms import Alarms

PERIOD_S = 20.0
logger = logging.getLogger(__name__)


def run(ended: threading.Event, alarms: Alarms | None = None, period_s: float = PERIOD_S) -> None:
    """Look until `ended` is set. No fault of a look ends it."""
    keeper = alarms or Alarms()
    while not ended.is_set():
        try:
            found = condition.read()
            keeper.look(found.findings, is_writable=found.parts["database"] == "ok")
        except Exception:
            logger.exception("the condition of the lab could not be looked at")
            connection.close()
        ended.wait(period_s)
    connection.close()


def start(ended: threading.Event) -> threading.Thread:
    """Look in a thread of its own: a mail server that is slow keeps the sweeper from nothing."""
    thread = threading.Thread(target=run, args=(ended,), name="watch", daemon=True)
    thread.start()
    return thread
