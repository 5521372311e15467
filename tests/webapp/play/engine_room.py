"""Engines that answer beside the web server, in this process: instead of queue and worker."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection

from tests.webapp.table.live import answering
from webapp.table.live.models import LiveHint, LiveMatch
from worker import tasks


@contextmanager
def open_room(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Answer whatever is due when workers are woken; the event, cleared, holds them back."""
    woken, may_think, is_over = threading.Event(), threading.Event(), threading.Event()
    may_think.set()

    def wake(count: int = 1, queue: str = "batch") -> int:
        woken.set()
        return count

    def think() -> None:
        try:
            while not is_over.is_set():
                woken.wait()
                woken.clear()
                may_think.wait()
                for match in LiveMatch.objects.filter(is_engine_due=True, status=LiveMatch.Status.RUNNING):
                    answering.answer(match)
                for hint in LiveHint.objects.filter(status=LiveHint.Status.WAITING):
                    answering.advise(hint)
        finally:
            connection.close()

    monkeypatch.setattr(tasks, "wake", wake)
    thread = threading.Thread(target=think, name="engine room")
    thread.start()
    try:
        yield may_think
    finally:
        is_over.set()
        may_think.set()
        woken.set()
        thread.join()
