"""The collector of unreachable objects, which looks through all that a program has loaded, and finds nothing there."""

from __future__ import annotations

import atexit
import gc
from typing import Any

THRESHOLD = 20_000
"""Objects more than before, after which it looks; Python's own is 700, and thousands of modules pass it at every start.
That took two fifths of a short command's time, a tenth of a move's."""
LOADED = 500_000
"""Objects after which it looks first: what a program has loaded by then stays, and a short command ends before.
Looking through them at the usual pace took a tenth of a short command's time."""


def collect_seldom() -> None:
    """Let it look seldom in this process, first when all is loaded, and not once more at the end.

    Asked again, as by a process that is forked from one where all is loaded, it goes on as it did.
    """
    if gc.get_threshold()[0] in (LOADED, THRESHOLD):
        return
    gc.set_threshold(LOADED)
    gc.callbacks.append(_quicken)
    atexit.register(gc.freeze)


def _quicken(phase: str, info: dict[str, Any]) -> None:
    """Go on at the usual pace: it has looked for the first time."""
    if _quicken in gc.callbacks:
        gc.callbacks.remove(_quicken)
        gc.set_threshold(THRESHOLD)
