"""Ids of what is being done, for the lines of the log that are written meanwhile: experiment, chunk, match, request."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator, Mapping
from contextvars import ContextVar

Id = str | int
_NONE: Mapping[str, Id] = {}
_ids: ContextVar[Mapping[str, Id]] = ContextVar("log_ids", default=_NONE)


@contextlib.contextmanager
def bound(**ids: Id) -> Iterator[None]:
    """Let lines of this thread or task carry these ids, besides those that they carry already."""
    token = _ids.set({**_ids.get(), **ids})
    try:
        yield
    finally:
        _ids.reset(token)


def current() -> Mapping[str, Id]:
    """The ids now."""
    return _ids.get()


class WithIds(logging.Filter):
    """Puts the ids on each record that passes: formatters that write all fields of a record write them."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let it pass."""
        for name, value in _ids.get().items():
            if not hasattr(record, name):
                setattr(record, name, value)
        return True
