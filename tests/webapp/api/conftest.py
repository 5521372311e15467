"""Fixtures for tests of the API."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache

from tests.webapp.api.answers import NotingClient
from tests.webapp.api.callers import Caller, Researcher, serving


@pytest.fixture(autouse=True)
def _fresh_limits() -> None:
    """Every test begins with nothing counted."""
    cache.clear()


@pytest.fixture
def client() -> NotingClient:
    """A client without a token."""
    return NotingClient()


@pytest.fixture
def bot(alice: Any) -> Caller:
    """An agent of alice."""
    return Caller(alice, "alices-bot")


@pytest.fixture
def rival(bob: Any) -> Caller:
    """An agent of bob."""
    return Caller(bob, "bobs-bot")


@pytest.fixture
def researcher(alice: Any) -> Researcher:
    """A program of alice for research."""
    return Researcher(alice)


@pytest.fixture
def site(transactional_db: None) -> Iterator[str]:
    """The lab behind uvicorn; its address."""
    with serving() as address:
        yield address
