"""Memory that a process has taken for something large and needs no longer."""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress


def give_back() -> None:
    """Give what is free back to the system, which malloc, and Arrow where it was used, would keep for the next time."""
    if sys.modules.get("pyarrow") is not None:
        from pyarrow import default_memory_pool

        default_memory_pool().release_unused()
    with suppress(AttributeError, OSError):  # only glibc has it
        ctypes.CDLL(None).malloc_trim(0)
