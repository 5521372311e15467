"""Figures of charts as they are sent, kept in this process by what they are of.

One of half a million matches takes up to a second to make, and every reader of its page asks for a dozen.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable

from webapp.common import made_once

MOST_BYTES = 16 << 20
"""Of all that are kept: some hundreds; the largest have a quarter of a megabyte."""
ALWAYS = -float("inf")
"""A figure of a version never gets old."""

_lock = threading.Lock()
_kept: OrderedDict[str, bytes] = OrderedDict()


def once(etag: str, make: Callable[[], bytes]) -> bytes:
    """The figure with this ETag, made where it is not kept; by one where several ask at the same time."""
    with _lock:
        if (known := _kept.get(etag)) is not None:
            _kept.move_to_end(etag)
            return known
    made = made_once.once(("figure", etag), make, ALWAYS)
    with _lock:
        _kept[etag] = made
        while sum(map(len, _kept.values())) > MOST_BYTES:
            _kept.popitem(last=False)
    made_once.forget(("figure", etag))
    return made
