"""For whom an answer is made: for everybody who has its address, or for people with a right to it."""

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
    """What is made in this block is for everybody, whatever it reads and however often."""
    token = _is_everybody.set(True)
    try:
        yield
    finally:
        _is_everybody.reset(token)
