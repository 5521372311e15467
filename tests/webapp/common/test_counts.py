"""Counts of limits: one for all web processes, and each its own where the server of counts does not answer."""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import cache

from webapp.common import counts
from webapp.common.counts import Counts

KEY = "a-test"


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing is counted, and a server that does not answer is not asked again while a test runs."""
    monkeypatch.setattr(counts, "PAUSE_S", 3600.0)
    cache.delete(KEY)
    yield
    cache.delete(KEY)


@pytest.fixture
def two(valkey_service: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Counts, Counts]:
    """As two processes have them, with more time than a busy machine takes."""
    monkeypatch.setattr(counts, "TIMEOUT_S", 30.0)
    both = Counts(valkey_service), Counts(valkey_service)
    both[0].forget(KEY)
    return both


def test_processes_count_together(two: tuple[Counts, Counts]) -> None:
    one, other = two
    assert [one.add(KEY, 60), other.add(KEY, 60), one.add(KEY, 60, -1), other.number(KEY)] == [1, 2, 1, 1]
    one.forget(KEY)
    assert (other.number(KEY), other.add(KEY, 60)) == (0, 1)
    assert cache.get(KEY) is None


def test_a_count_ends_with_the_time_it_was_begun_for(two: tuple[Counts, Counts]) -> None:
    one, _ = two
    one.add(KEY, 100)
    one.add(KEY, 3000)
    with counts.client(settings.REDIS_URL) as server:
        assert 0 < server.ttl(counts.PREFIX + KEY) <= 100
        server.persist(counts.PREFIX + KEY)
        assert one.add(KEY, 100) == 3
        assert 0 < server.ttl(counts.PREFIX + KEY) <= 100, "one without an end gets one"


def test_without_the_server_each_counts_for_itself_and_it_is_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    one, other = (Counts(f"unix://{tmp_path / name}") for name in ("nowhere", "nowhere-else"))
    assert [one.add(KEY, 60) for _ in range(3)] == [1, 2, 3]
    assert one.add(KEY, 60, -1) == one.number(KEY) == 2
    assert len([row for row in caplog.records if "does not answer" in row.message]) == 1
    one.forget(KEY)
    assert other.number(KEY) == 0


def test_a_server_that_is_back_counts_again(
    two: tuple[Counts, Counts], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "webapp.common.counts")
    one, other = two
    one.add(KEY, 60)
    with monkeypatch.context() as gone:
        gone.setattr(one, "_server", counts.client("unix:///nowhere"))
        assert one.add(KEY, 60) == 1
    assert one.add(KEY, 60) == 2, "it is not asked again at once"
    one._asked_again_at = 0.0
    assert one.add(KEY, 60) == other.number(KEY) == 2
    assert [row.levelname for row in caplog.records] == ["WARNING", "INFO"]


def test_a_server_that_hangs_is_asked_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        hangs = Counts(f"redis://127.0.0.1:{deaf.getsockname()[1]}/0")
        assert [hangs.add(KEY, 60) for _ in range(20)] == list(range(1, 21))
        deaf.setblocking(False)
        asked = 0
        with suppress(BlockingIOError):
            while True:
                deaf.accept()[0].close()
                asked += 1
    assert asked == 1, "what was sent may have been counted"
