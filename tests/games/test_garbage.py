"""How seldom the collector of unreachable objects looks."""

from __future__ import annotations

import subprocess
import sys

LOOKS = """
import gc
from games import garbage
before = list(gc.callbacks)
garbage.collect_seldom()
print(gc.get_threshold()[0] == garbage.LOADED)
kept = [[] for _ in range(garbage.LOADED + 1)]
garbage.collect_seldom()
print(gc.get_threshold()[0] == garbage.THRESHOLD, gc.callbacks == before)
"""


def test_it_looks_first_when_all_is_loaded_and_at_its_pace_from_then_on() -> None:
    command = [sys.executable, "-c", LOOKS]
    found = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert found.stdout.split() == ["True", "True", "True"], found.stderr
