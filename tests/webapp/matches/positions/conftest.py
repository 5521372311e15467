"""A match with its owner, and somebody else."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.webapp.lab.results import factory
from webapp.records.models import Match


@pytest.fixture
def match(alice: Any) -> Match:
    return factory.played(alice, deals=1).matches.select_related("experiment").order_by("pk").first()


@pytest.fixture
def owner(alice: Any) -> Client:
    client = Client()
    client.force_login(alice)
    return client


@pytest.fixture
def visitor(bob: Any) -> Client:
    client = Client()
    client.force_login(bob)
    return client
