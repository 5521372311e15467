"""The sweeper goes on, whatever happens to it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest
import redis
from django.db import connection

from tests.records.experiments import make_experiment
from webapp.ops.sweeper import Chore, Sweeper
from webapp.records import sweeper, work_source
from worker.recorder import BATCH

DEADLINE_S = 20.0


def test_a_chore_is_done_when_it_is_due_and_no_fault_of_another_stops_it() -> None:
    done: list[str] = []

    def fail() -> None:
        done.append("fails")
        raise ZeroDivisionError

    chores = (Chore("fails", fail), Chore("often", lambda: done.append("often")))
    swept = Sweeper((*chores, Chore("rarely", lambda: done.append("rarely"), every_s=3600)))
    swept.sweep()
    swept.sweep()
    assert done == ["fails", "often", "rarely", "fails", "often"]


@pytest.mark.django_db(transaction=True)
def test_the_sweeper_survives_the_loss_of_its_connection(queue: redis.Redis) -> None:
    work_source.open_chunks(make_experiment(num_matches=1), [(0, 0, 1)])
    ended, backends = threading.Event(), []

    def sweep_and_lose() -> None:
        sweeper.sweep()
        with connection.cursor() as cursor:
            cursor.execute("select pg_backend_pid()")
            backends.append(cursor.fetchone()[0])
        Sweeper().run(ended, period_s=0.01)
        connection.close()

    thread = threading.Thread(target=sweep_and_lose)
    thread.start()
    try:
        wait_for(lambda: bool(backends))
        with connection.cursor() as cursor:
            cursor.execute("select pg_terminate_backend(%s, 10000)", [backends[0]])
        queue.delete(BATCH)
        wait_for(lambda: queue.llen(BATCH) == 1)
        assert thread.is_alive()
    finally:
        ended.set()
        thread.join()


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + DEADLINE_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)
