"""Where work comes from and where results go, named by dotted path in the settings.

The worker knows no database: `settings.MATCH_RECORDER` names the class that claims chunks
and writes records; tests and the command line use the recorders of this module.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from importlib import import_module
from typing import Protocol, cast

from worker.records import MatchRecord
from worker.spec import MatchSpec


class Recorder(Protocol):
    """Takes finished matches in seed order."""

    def write(self, records: Sequence[MatchRecord]) -> None:
        """Keep these matches, whole or not at all; writing a match twice keeps one."""


class Chunk(Recorder, Protocol):
    """A claimed piece of work: the caller plays `matches()` and writes what it played."""

    def matches(self) -> Iterator[MatchSpec]:
        """The matches still to play; ends early when the experiment is paused or stopped."""

    def finish(self) -> None:
        """Say that everything asked for has been written."""


class WorkSource(Protocol):
    """Hands out chunks. One instance per worker process."""

    def claim(self) -> AbstractContextManager[Chunk | None]:
        """Claim the next chunk (None: nothing to do); leaving the context releases it."""


class MemoryRecorder:
    """Keeps records in a list (tests, notebooks)."""

    def __init__(self) -> None:
        self.records: list[MatchRecord] = []

    def write(self, records: Iterable[MatchRecord]) -> None:
        """Append the records."""
        self.records.extend(records)


def load(dotted_path: str) -> WorkSource:
    """Return an instance of the class that a setting names as ``package.module.Class``."""
    module, _, name = dotted_path.rpartition(".")
    return cast(WorkSource, getattr(import_module(module), name)())
