"""Played experiments."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.webapp.experiments.rows import fill
from tests.webapp.specs import make


@pytest.fixture
def played(db: None) -> Callable[..., Any]:
    """Make an experiment of an owner with all its matches played."""

    def build(owner: Any, failed: int = -1, **changes: Any) -> Any:
        experiment = make(owner, **changes)
        fill(experiment, failed)
        experiment.refresh_from_db()
        return experiment

    return build
