"""What a web process remembers of matches: never the truth, which is in the rows (see who keeps something here)."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Memory(Generic[K, V]):
    """A small memory, oldest out first; safe among threads. size: rows that it holds."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._lock = threading.Lock()
        self._rows: OrderedDict[K, V] = OrderedDict()

    def put(self, key: K, value: V) -> None:
        """Keep a value; the oldest one goes where there are too many."""
        with self._lock:
            self._rows[key] = value
            self._rows.move_to_end(key)
            while len(self._rows) > self._size:
                self._rows.popitem(last=False)

    def get(self, key: K) -> V | None:
        """What is kept under a key."""
        with self._lock:
            return self._rows.get(key)

    def take(self, key: K) -> V | None:
        """The same, which is kept no longer."""
        with self._lock:
            return self._rows.pop(key, None)
