from __future__ import annotations

import pytest

from worker.studies import registry


@pytest.fixture(autouse=True)
def _counting(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kind of study that tests count with (tests.counting)."""
    monkeypatch.setitem(registry.STUDIES, "counting", "tests.counting:Counting")
