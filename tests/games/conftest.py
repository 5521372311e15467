"""Fixtures for tests of the games' frame: every game, one after the other."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games import walks


@pytest.fixture(params=walks.GAME_IDS)
def game(request: pytest.FixtureRequest) -> Any:
    """Every registered game, and the toys."""
    return walks.game_of(request.param)


@pytest.fixture
def toy() -> Any:
    """The game of cards with open information."""
    return walks.game_of("toy")
