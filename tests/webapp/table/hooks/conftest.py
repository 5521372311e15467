"""Fixtures for tests of webhooks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.webapp.table.hooks.receiving import Receiver
from webapp.people.agents.models import Agent
from webapp.table.hooks import services
from webapp.table.hooks.models import Hook


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.close()


@pytest.fixture
def agent(alice: Any) -> Agent:
    return Agent.objects.create(owner=alice, name="rook")


@pytest.fixture
def hook(agent: Agent, receiver: Receiver) -> Hook:
    made, _ = services.set_up(agent, receiver.url(), Hook.Event.values)
    return made
