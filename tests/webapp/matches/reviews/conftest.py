"""Matches of the toy game that people have played, and workers that look at them in this process."""

from __future__ import annotations

from typing import Any

import pytest

from games import registry
from tests.webapp.table.live import tables
from webapp.table.live.models import LiveMatch


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.GAMES, "toy", "games.toy.game:Cards")
    monkeypatch.setattr("worker.tasks.wake", lambda count=1, queue="batch": count)


@pytest.fixture
def played(alice: Any, bob: Any) -> LiveMatch:
    """A whole match of alice against bob."""
    return tables.play_on(tables.open_match(alice, [tables.person(alice), tables.person(bob)], game="toy", deal_seed=3))
