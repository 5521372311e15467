"""Fixtures for tests of ratings."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model


@pytest.fixture
def carol(db: None) -> Any:
    """A third person."""
    return get_user_model().objects.create_user("carol", password="password")
