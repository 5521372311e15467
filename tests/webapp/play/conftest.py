"""Fixtures for tests of the pages of play."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client

from tests.webapp.play import engine_room


@pytest.fixture
def engines(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Engines answer in this process while the test runs; ``engines.clear()`` holds them back."""
    with engine_room.open_room(monkeypatch) as may_think:
        yield may_think


@pytest.fixture
def sign_in(live_server: Any) -> Callable[[Any, Any], None]:
    """Sign a person in on a browser's page."""

    def sign_in(page: Any, person: Any) -> None:
        client = Client()
        client.force_login(person)
        cookie = client.cookies["sessionid"].value
        page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])

    return sign_in
