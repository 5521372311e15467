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
from kombu.connection import Connection

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
STAND_BY_S, LOOK_S = 60.0, 0.5
"""How long a process that is given no work keeps one message to itself, and how often it looks whether it is again."""


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


HANGS_S, PAUSE_S = 0.2, 2.0
"""A queue that took so long to fail hangs, and is asked again after a pause: nobody else waits for it meanwhile."""
_asked_again_at = 0.0
_served, _is_followed = "", False
"""The queue whose work this process does at present, where it looks for more by itself; whether it has to, because
more has followed from that work."""

TASKS = {BATCH: work, ANALYSIS: analyse, AGENTS: answer_agents, INTERACTIVE: answer}


def _serve(queue: str) -> None:
    """Claim work and do it, for a turn; more work is the matter of another message.

    Where another process compiles what it needs, the source has it back and hands out other work meanwhile.
    """
    if not _source().may_serve():
        wake(1, queue)  # somebody else may
        _stand_by()
        return
    try:
        is_more = _work_through(queue)
    except Exception:
        wake(1, queue)  # for what followed from the work before
        raise
    if is_more and not STOP.is_asked:
        wake(1, queue)


def _work_through(queue: str) -> bool:
    """Do work of the queue for a turn; whether there may be more of it."""
    global _served, _is_followed
    ends_at = time.monotonic() + TURN_S
    _served = queue
    try:
        while not STOP.is_asked:
            _is_followed = False
            with _source().claim(queue) as found:
                if found is None:
                    return False
                with compile_locks.without_waiting():
                    found.carry_out(STOP)
            if found.is_last and not _is_followed:
                return False
            if time.monotonic() >= ends_at:
                break
        return True
    finally:
        _served = ""


def _stand_by() -> None:
    """Take no further message while this process is given no work: each would be missed by one that is."""
    ends_at = time.monotonic() + STAND_BY_S
    while not STOP.is_asked and time.monotonic() < ends_at:
        time.sleep(LOOK_S)
        if _source().may_serve():
            return


@signals.worker_process_init.connect
def announce(**_: Any) -> None:
    """Let it be known, as a child process begins, which queues it serves."""
    _source().announce(celery_app.served_queues())
    _source().keep_beating()
    _source().keep_connections()


@cache
def _source() -> WorkSource:
    """The work source of this process, made after the fork."""
    return recorder.load(settings.MATCH_RECORDER)


def wake(count: int = MAX_WAITING, queue: str = BATCH) -> int:
    """Send up to `count` messages, as far as few enough wait already; return how many.

    A queue that cannot be reached, or does not answer, is logged, left alone for a while, and left to the sweeper.
    Connections are kept for the next time. One piece of work that follows from another, as an engine's ply from that
    of the engine before, is taken by the process that made it: no message is sent.
    """
    global _is_followed
    if count == 1 and queue == _served:
        _is_followed = True
        return 0
    if time.monotonic() < _asked_again_at:
        return 0
    with app.pool.acquire(block=True) as connection:
        if time.monotonic() < _asked_again_at:  # another has found out while we waited for a connection
            return 0
        began_at = time.monotonic()
        try:
            return _send(connection, count, queue)
        except (kombu.exceptions.OperationalError, redis.exceptions.RedisError, OSError) as error:
            logger.warning("could not wake workers, the sweeper will: %s", error)
            _note_failure(time.monotonic() - began_at)
            return 0


def _send(connection: Connection, count: int, queue: str) -> int:
    connection.ensure_connection(max_retries=1, interval_start=0)
    channel: Any = connection.default_channel  # of the class of its transport, Redis
    room = MAX_WAITING - int(channel.client.llen(queue))
    producer = app.amqp.Producer(channel)
    messages = max(0, min(count, room))
    for _ in range(messages):
        TASKS[queue].apply_async(queue=queue, producer=producer, retry=False)
    return messages


def _note_failure(seconds: float) -> None:
    """Leave a queue alone for a while that took so long to fail."""
    global _asked_again_at
    if seconds >= HANGS_S:
        _asked_again_at = time.monotonic() + PAUSE_S
