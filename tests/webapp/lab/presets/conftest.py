"""A lab in which no run of a preset ships."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from webapp.lab.presets import stored
from worker.presets import stored_runs

KEPT = (stored_runs.load, stored.row, stored.comparison)
"""What remembers the files."""


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the runs that ship, empty; what is put there is read when it is first asked for."""
    monkeypatch.setattr(stored_runs, "FOLDER", tmp_path)
    for kept in KEPT:
        kept.cache_clear()
    yield tmp_path
    for kept in KEPT:
        kept.cache_clear()
