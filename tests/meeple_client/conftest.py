"""Fixtures for tests of the client."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connections

from meeple_client import Lab
from tests.webapp.api.callers import serving
from webapp.people.agents import tokens
from webapp.records.work_source import PostgresWorkSource
from worker.recorder import BATCH
from worker.stop_switch import StopSwitch

PLAY_EVERY_S = 0.05


@pytest.fixture
def site(transactional_db: None) -> Iterator[str]:
    """The lab behind uvicorn; its address."""
    cache.clear()
    with serving() as address:
        yield address


@pytest.fixture
def token(transactional_db: None, alice: Any) -> str:
    """A token of alice."""
    return tokens.issue_to_person(alice, "test", (tokens.READ, tokens.EXPERIMENT))[1]


@pytest.fixture
def lab(site: str, token: str) -> Iterator[Lab]:
    """The lab as alice's programs see it."""
    with Lab(site, token) as found:
        yield found


@pytest.fixture
def worker(transactional_db: None) -> Iterator[None]:
    """A worker that plays whatever waits, beside the test."""
    over = threading.Event()

    def play() -> None:
        source = PostgresWorkSource()
        while not over.wait(PLAY_EVERY_S):
            with source.claim(BATCH) as found:
                if found is not None:
                    found.carry_out(StopSwitch())
        source.close()
        connections.close_all()

    thread = threading.Thread(target=play)
    thread.start()
    yield
    over.set()
    thread.join(60)
    assert not thread.is_alive()
