"""Answers that anybody may read who has their address: they name no other person than their owner."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_is_everybody: ContextVar[bool] = ContextVar("is_everybody", default=False)


def is_public() -> bool:
    """Whether anybody may read what is being made: then no other person than its owner is named."""
    return _is_everybody.get()


@contextmanager
def public_answer() -> Iterator[None]:
    """Mark all that is made in this block as readable by everybody."""
    token = _is_everybody.set(True)
    try:
        yield
    finally:
        _is_everybody.reset(token)
