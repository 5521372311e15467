"""One supervisor per data folder: a file lock that dies with the process."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO


class AlreadyRunningError(Exception):
    """Another supervisor holds the lock; `holder` is what it wrote there."""

    def __init__(self, holder: str) -> None:
        super().__init__(holder)
        self.holder = holder


class Lock:
    """A held lock. Others who find it taken are shown what `describe` wrote."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def describe(self, text: str) -> None:
        """Say who holds the lock."""
        self._file.seek(0)
        self._file.truncate()
        self._file.write(text)
        self._file.flush()


@contextmanager
def hold(path: Path) -> Iterator[Lock]:
    """Hold the lock; raises AlreadyRunningError when another process does."""
    with path.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise AlreadyRunningError(file.read().strip() or "an unknown process") from None
        lock = Lock(file)
        lock.describe(f"process {os.getpid()}")
        yield lock
