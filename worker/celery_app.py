"""The Celery application: it only wakes workers, the truth is in the database.

Workers of the queue `batch` work at low priority, so that pages, people and the other queues come first.
When a worker is asked to stop (SIGTERM), its children break off the match or piece that they are at and
give it back: it is done again from its seed.

    celery -A worker.celery_app worker --queues batch --concurrency 2
"""

from __future__ import annotations

import contextlib
import os
import signal
from typing import Any

from billiard import active_children
from celery import Celery, signals
from kombu.entity import Queue
from kombu.transport import redis

from worker.niceness import BATCH_NICENESS
from worker.recorder import BATCH, INTERACTIVE, QUEUES
from worker.stop_switch import STOP

TIME_LIMIT_S = 23 * 3600
"""A task that hangs is killed: longer than any sensible match."""
STOP_SIGNAL = signal.SIGUSR2
WAIT_S = 5.0
"""How long a worker waits for the queue's server: on a busy machine it may be late, and nobody waits for the worker."""

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")
"""Django's checks load all pages, a second and more of each worker's start; the tests make them."""

app = Celery("lab", include=["worker.tasks"])
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.task_queues = [Queue(name) for name in QUEUES]
app.conf.task_create_missing_queues = False
app.conf.task_time_limit = TIME_LIMIT_S
app.conf["CELERY_DB_REUSE_MAX"] = 10**9  # Django's connection is kept: the source of work looks after it

# Messages carry nothing and are no loss, so none is kept beside its queue until it is done, nor put
# back when a worker ends: where the queue's server has gone, trying to do either ends the worker.
redis.Channel.do_restore = False

_queues: tuple[str, ...] = ()
_usual_options: dict[str, Any] = {}


@signals.celeryd_after_setup.connect
def note_queues(instance: Any, **_: Any) -> None:
    """Before the children are forked: they know what they serve."""
    global _queues
    _queues = tuple(instance.app.amqp.queues.consume_from)


@signals.celeryd_after_setup.connect
def wait_longer(instance: Any, **_: Any) -> None:
    """Let the main process, which only listens, wait for the queue's server longer than those who send messages."""
    global _usual_options
    _usual_options = dict(instance.app.conf.broker_transport_options)
    patient = {"socket_connect_timeout": WAIT_S, "socket_timeout": WAIT_S}
    instance.app.conf.broker_transport_options = _usual_options | patient


def served_queues() -> tuple[str, ...]:
    """Queues that this worker serves; none outside of one."""
    return _queues


@signals.celeryd_after_setup.connect
def load_first(instance: Any, **_: Any) -> None:
    """Before the children are forked: what people wait for is in memory then, of a child's successor too."""
    from worker import warm_up

    if INTERACTIVE in instance.app.amqp.queues.consume_from:
        warm_up.load_levels()


@signals.worker_process_init.connect
def prepare_child(**_: Any) -> None:
    """Prepare a child process: its priority, how it is told to stop; people wait for no compiler and no queue."""
    from games import garbage, readiness  # numpy, which the pages' commands should not load only to start

    app.conf.broker_transport_options = _usual_options
    garbage.collect_seldom()
    if INTERACTIVE in _queues:
        readiness.leave_compiling()
    os.nice(BATCH_NICENESS if BATCH in _queues else 0)
    signal.signal(STOP_SIGNAL, STOP.ask)


@signals.worker_shutting_down.connect
def tell_children(**_: Any) -> None:
    """Tell the children of a main process that is asked to stop to break off what they are doing."""
    for child in active_children():
        with contextlib.suppress(ProcessLookupError):
            os.kill(child.pid, STOP_SIGNAL)
