"""Four tasks, one a queue: somebody says that there is work, and a worker looks for it.

Messages carry nothing, so a lost, late or doubled one does no harm. A worker that finds work sends
another when it is done; at most `MAX_WAITING` messages wait in a queue at any time.
"""

from __future__ import annotations

import logging
import time
from functools import cache
from typing import Any

import kombu.exceptions
import redis.exceptions
from celery import shared_task, signals
from django.conf import settings

from games import compile_locks
from worker import celery_app, recorder
from worker.celery_app import app
from worker.recorder import AGENTS, ANALYSIS, BATCH, INTERACTIVE, WorkSource
from worker.stop_switch import STOP

logger = logging.getLogger(__name__)

MAX_WAITING = 8
"""Messages in a queue; each sets one idle process to work, which then keeps itself going."""
TURN_S = 1.0
"""Work that a message is good for: small pieces do not pay for a message each."""


@shared_task(name="lab.work")
def work() -> None:
    """Do the next work of the queue `batch`."""
    _serve(BATCH)


@shared_task(name="lab.analyse")
def analyse() -> None:
    """Do the next work of the queue `analysis`."""
    _serve(ANALYSIS)


@shared_task(name="lab.answer_agents")
def answer_agents() -> None:
    """Do the next work of the queue `agents`."""
    _serve(AGENTS)


@shared_task(name="lab.answer")
def answer() -> None:
    """Do the next work of the queue `interactive`."""
    _serve(INTERACTIVE)


TASKS = {BATCH: work, ANALYSIS: analyse, AGENTS: answer_agents, INTERACTIVE: answer}


def _serve(queue: str) -> None:
    """Claim work and do it, for a turn; more work is the matter of another message.

    Where another process compiles what it needs, the source has it back and hands out other work meanwhile.
    """
    ends_at = time.monotonic() + TURN_S
    while not STOP.is_asked:
        with _source().claim(queue) as found:
            if found is None:
                return
            with compile_locks.without_waiting():
                found.carry_out(STOP)
        if time.monotonic() >= ends_at:
            break
    if not STOP.is_asked:
        wake(1, queue)


@signals.worker_process_init.connect
def announce(**_: Any) -> None:
    """Let it be known, as a child process begins, which queues it serves."""
    _source().announce(celery_app.served_queues())


@cache
def _source() -> WorkSource:
    """The work source of this process, made after the fork."""
    return recorder.load(settings.MATCH_RECORDER)


def wake(count: int = MAX_WAITING, queue: str = BATCH) -> int:
    """Send up to `count` messages, as far as few enough wait already; return how many.

    A queue that cannot be reached is logged and left to the sweeper. Connections are kept for the next time.
    """
    try:
        with app.pool.acquire(block=True) as connection:
            connection.ensure_connection(max_retries=1, interval_start=0)
            channel = connection.default_channel
            room = MAX_WAITING - int(channel.client.llen(queue))
            producer = app.amqp.Producer(channel)
            messages = max(0, min(count, room))
            for _ in range(messages):
                TASKS[queue].apply_async(queue=queue, producer=producer, retry=False)
            return messages
    except (kombu.exceptions.OperationalError, redis.exceptions.RedisError, OSError) as error:
        logger.warning("could not wake workers, the sweeper will: %s", error)
        return 0
