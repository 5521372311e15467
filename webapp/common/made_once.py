"""What is the same for many who ask at the same time, made once for all of them.

Nobody is given what is older than it may be: each says since when it may have been begun. Who has waited in line
since an earlier moment than that at which somebody began to make the same thing is given it, so that a crowd costs
one of them, and a reader who comes alone sees what is there now.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, TypeVar

KEPT = 128
"""Things that are remembered: pages of up to a quarter of a megabyte among them."""

T = TypeVar("T")


@dataclass
class _Made:
    began_at: float
    lock: threading.Lock = field(default_factory=threading.Lock)
    is_done: bool = False
    answer: Any = None
    error: Exception | None = None


_lock = threading.Lock()
_made: OrderedDict[Hashable, _Made] = OrderedDict()


def once(key: Hashable, make: Callable[[], T], since: float) -> T:
    """Return what `make` answers, made once for all who ask with this key.

    since: nothing that was begun earlier will do (of `time.perf_counter`, as `gate.arrived`).
    """
    with _lock:
        made = _made.get(key)
        if made is None or made.began_at < since:
            made = _made[key] = _Made(time.perf_counter())
        _made.move_to_end(key)
        while len(_made) > KEPT:
            _made.popitem(last=False)
    with made.lock:  # the second request waits for the first
        if made.error is not None:
            raise made.error
        if not made.is_done:
            _make(key, made, make)
        answer: T = made.answer
        return answer


def _make(key: Hashable, made: _Made, make: Callable[[], Any]) -> None:
    """Make it; what fails fails for all who wait for it, and the next one tries again."""
    try:
        made.answer, made.is_done = make(), True
    except Exception as error:
        made.error = error
        with _lock:
            if _made.get(key) is made:
                del _made[key]
        raise


def forget(key: Hashable) -> None:
    """Remember it no longer: it is kept elsewhere."""
    with _lock:
        _made.pop(key, None)


def seconds_ago(seconds: float) -> float:
    """The moment so many seconds ago, for `since`."""
    return time.perf_counter() - seconds
