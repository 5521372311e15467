"""Somebody who is signed in."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def signed_in(client: Any, alice: Any) -> Any:
    """Alice's browser."""
    client.force_login(alice)
    return client
