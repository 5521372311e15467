"""Fixtures for tests of engines."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games import walks


@pytest.fixture
def toy() -> Any:
    """The game of cards with open information."""
    return walks.game_of("toy")


@pytest.fixture
def carcassonne() -> Any:
    return walks.game_of("carcassonne")
