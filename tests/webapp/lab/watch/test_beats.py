"""Signs of life, as a process hears them."""

from __future__ import annotations

import os
import time

import pytest

from webapp.lab.watch import beats


def test_a_forked_process_listens_from_its_own_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beats, "_STARTED_AT", time.monotonic() - 3600)
    child = os.fork()
    if child == 0:
        os._exit(int(time.monotonic() - beats._STARTED_AT > 60))
    assert os.waitpid(child, 0)[1] == 0
