"""Fixtures for tests of pages."""

from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def _quick_passwords(settings: Any) -> None:
    """Hash passwords quickly: what slows guessing down would slow every test."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def played(db: None) -> Callable[..., Any]:
    """Make an experiment of an owner with all its matches played."""
    from tests.webapp.experiments.rows import fill
    from tests.webapp.specs import make

    def build(owner: Any, failed: int = -1, **changes: Any) -> Any:
        experiment = make(owner, **changes)
        fill(experiment, failed)
        experiment.refresh_from_db()
        return experiment

    return build
