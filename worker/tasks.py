"""The one task: somebody says that there is work, and a worker looks for it.

Messages carry nothing, so a lost, late or doubled one does no harm. Whoever finds work says
so again when it is done; at most `MAX_WAITING` messages wait at any time.
"""

from __future__ import annotations

import logging
from functools import cache

import kombu.exceptions
import redis.exceptions
from celery import shared_task
from django.conf import settings

from worker import recorder
from worker.celery_app import BATCH, app
from worker.play import StopSwitch, play_chunk
from worker.recorder import WorkSource

logger = logging.getLogger(__name__)

MAX_WAITING = 8
"""Messages in the queue; each sets one idle process to work, which then keeps itself going."""

STOP = StopSwitch()


@shared_task(name="lab.work")
def work() -> None:
    """Claim one chunk and play it; more work is the matter of another message."""
    if STOP.is_asked:
        return
    with _source().claim() as chunk:
        if chunk is None:
            return
        play_chunk(chunk, STOP)
    if not STOP.is_asked:
        wake(1)


@cache
def _source() -> WorkSource:
    """The work source of this process, made after the fork."""
    return recorder.load(settings.MATCH_RECORDER)


def wake(count: int = MAX_WAITING) -> int:
    """Send up to `count` messages, as far as few enough wait already; return how many.

    A queue that cannot be reached is logged and left to the sweeper.
    """
    try:
        with app.connection_for_write() as connection, connection.channel() as channel:
            room = MAX_WAITING - int(channel.client.llen(BATCH))
            producer = app.amqp.Producer(channel)
            messages = max(0, min(count, room))
            for _ in range(messages):
                work.apply_async(queue=BATCH, producer=producer, retry=False)
            return messages
    except (kombu.exceptions.OperationalError, redis.exceptions.RedisError, OSError) as error:
        logger.warning("could not wake workers, the sweeper will: %s", error)
        return 0
