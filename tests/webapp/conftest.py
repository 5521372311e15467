"""Fixtures for tests of pages."""

from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def _own_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count in this process, whether a server of counts runs or not, and however quick it is."""
    from webapp.common import counts

    if not _NOWHERE:
        _NOWHERE.append(counts.Counts("unix:///nowhere"))
    monkeypatch.setattr(counts, "shared_counts", _NOWHERE[0])


_NOWHERE: list[Any] = []
"""Counts without a server, made once."""


@pytest.fixture
def played(db: None) -> Callable[..., Any]:
    """Make an experiment of an owner with all its matches played."""
    from tests.webapp.lab.experiments.rows import fill
    from tests.webapp.specs import make

    def build(owner: Any, failed: int = -1, **changes: Any) -> Any:
        experiment = make(owner, **changes)
        fill(experiment, failed)
        experiment.refresh_from_db()
        return experiment

    return build
