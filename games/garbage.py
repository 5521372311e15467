"""The collector of unreachable objects, which looks through all that a program has loaded, and finds nothing there."""

from __future__ import annotations

import atexit
import gc

THRESHOLD = 20_000
"""Objects more than before, after which it looks; Python's own is 700, and thousands of modules pass it at every start.
That took two fifths of a short command's time, a tenth of a move's."""


def collect_seldom() -> None:
    """Let it look seldom in this process, and not once more at the end."""
    gc.set_threshold(THRESHOLD)
    atexit.register(gc.freeze)
