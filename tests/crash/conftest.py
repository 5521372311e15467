from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.crash.lab import Lab


@pytest.fixture(scope="session")
def lab() -> Iterator[Lab]:
    """One lab for all crash tests; each test starts the workers it needs."""
    with Lab() as running:
        yield running
