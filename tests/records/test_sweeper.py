from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest
import redis
from django.db import transaction

from tests.records.experiments import make_experiment
from webapp.records import sweeper, work_source
from webapp.records.models import Chunk, Experiment
from worker import celery_app, tasks
from worker.celery_app import BATCH, app
from worker.recorder import ANALYSIS
from worker.stop_switch import StopSwitch


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch) -> None:
    """A queue that cannot be reached, and no connection from before."""
    monkeypatch.setattr(app, "_pool", None)
    monkeypatch.setattr(app.conf, "broker_url", "redis+socket:///nowhere/valkey.sock")
    monkeypatch.setattr(app.conf, "broker_write_url", "redis+socket:///nowhere/valkey.sock")


def experiment(chunks: int, **fields: object) -> Experiment:
    made = make_experiment(num_matches=chunks, **fields)
    work_source.open_chunks(made, [(0, first, 1) for first in range(chunks)])
    return made


def test_few_messages_wait_however_often_workers_are_woken(queue: redis.Redis) -> None:
    assert tasks.wake(3) == 3
    assert queue.llen(BATCH) == 3
    assert [tasks.wake() for _ in range(3)] == [tasks.MAX_WAITING - 3, 0, 0]
    assert tasks.wake(1) == 0
    assert queue.llen(BATCH) == tasks.MAX_WAITING


def test_a_connection_is_kept_and_its_loss_is_no_loss(queue: redis.Redis) -> None:
    assert tasks.wake(1) == 1
    before = {client["id"] for client in queue.client_list()}
    assert tasks.wake(1) == 1
    assert {client["id"] for client in queue.client_list()} == before
    queue.client_kill_filter(_type="normal", skipme=True)
    assert tasks.wake(1) == 1
    assert queue.llen(BATCH) == 3


@pytest.mark.parametrize("fails", [False, True])
def test_what_follows_from_work_is_taken_without_a_message(
    queue: redis.Redis, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    """Unless the work fails: then somebody else has to look. What nothing followed from and is the last ends it."""
    sent: list[tuple[int, int]] = []

    class Work:
        is_last = True

        def carry_out(self, _: StopSwitch) -> None:
            sent.append((tasks.wake(1, BATCH) if len(sent) < 2 else 0, tasks.wake(1, ANALYSIS)))
            if fails and len(sent) == 2:
                raise LookupError

    class Source:
        def may_serve(self) -> bool:
            return True

        @contextlib.contextmanager
        def claim(self, _: str) -> Iterator[Work | None]:
            assert len(sent) < 3, "nothing was said to wait any more"
            yield Work()

    monkeypatch.setattr(tasks, "_source", Source)
    with pytest.raises(LookupError) if fails else contextlib.nullcontext():
        tasks.work()
    assert sent == [(0, 1)] * (2 if fails else 3)
    assert queue.llen(BATCH) == fails
    assert tasks.wake(1) == 1


@pytest.mark.django_db(transaction=True)
def test_waking_waits_for_the_commit(queue: redis.Redis) -> None:
    with transaction.atomic():
        work_source.wake()
        assert queue.llen(BATCH) == 0
    assert queue.llen(BATCH) == tasks.MAX_WAITING


@pytest.mark.django_db
def test_the_sweeper_wakes_workers_for_what_waits_and_no_more(queue: redis.Redis) -> None:
    assert sweeper.sweep() == 0
    experiment(2)
    experiment(5, status=Experiment.Status.PAUSED)
    assert sweeper.sweep() == 2
    queue.delete(BATCH)
    Chunk.objects.update(status="done")
    assert sweeper.sweep() == 0


@pytest.mark.django_db
def test_an_experiment_with_nothing_left_to_play_is_finished(queue: redis.Redis) -> None:
    made = experiment(1)
    Chunk.objects.update(status="done", written=1)
    sweeper.sweep()
    made.refresh_from_db()
    assert made.status == "finished"
    assert made.finished_at is not None


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """A queue that takes connections and never answers, as one that is frozen."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "valkey.sock"))
        listening.listen(128)
        monkeypatch.setattr(app, "_pool", None)
        for name in ("broker_url", "broker_write_url"):
            monkeypatch.setattr(app.conf, name, f"redis+socket://{tmp_path}/valkey.sock")
        monkeypatch.setattr(tasks, "_asked_again_at", 0.0)
        yield


@pytest.mark.usefixtures("silent")
def test_a_queue_that_hangs_holds_nobody_up_for_a_second() -> None:
    began = time.monotonic()
    with ThreadPoolExecutor(30) as people:
        assert set(people.map(lambda _: tasks.wake(1), range(30))) == {0}
    assert time.monotonic() - began < 1.0, "all of them, though they share ten connections"
    began = time.monotonic()
    assert tasks.wake(1) == 0
    assert time.monotonic() - began < 0.1, "it is not asked again at once"


def test_a_worker_waits_for_a_queue_that_is_late(queue: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    """A first connection that times out would be an error in its log, and two seconds without work."""
    monkeypatch.setattr(app, "_pool", None)
    monkeypatch.setattr(tasks, "_asked_again_at", 0.0)
    queue.client_pause(1_500)  # ms: more than who sends messages waits, twice, and far less than a worker does
    assert tasks.wake(1) == 0
    celery_app.wait_longer(SimpleNamespace(app=app))
    try:
        with app.connection_for_read() as listening:
            listening.connect()
    finally:
        app.conf.broker_transport_options = celery_app._usual_options
    assert app.conf.broker_transport_options["socket_timeout"] < 1.0, "what is sent from its children waits for nobody"


@pytest.mark.usefixtures("away")
def test_a_queue_that_is_away_is_no_error() -> None:
    assert tasks.wake() == 0
