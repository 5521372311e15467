"""Source of work and recorder of results, named by dotted path in the settings.

The worker knows no database: `settings.MATCH_RECORDER` names the class that claims work and
writes records; tests and the command line use the recorders of this module.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from importlib import import_module
from typing import Protocol, cast

from worker.records import MatchRecord
from worker.stop_switch import StopSwitch

BATCH, ANALYSIS, AGENTS, INTERACTIVE = "batch", "analysis", "agents", "interactive"
"""The queues: what may take its time, studies that somebody waits for, and engines' plies at tables of agents alone,
and at those with people."""
QUEUES = (BATCH, ANALYSIS, AGENTS, INTERACTIVE)


class Recorder(Protocol):
    """Takes finished matches in seed order."""

    def write(self, records: Sequence[MatchRecord]) -> None:
        """Keep these matches, whole or not at all; writing a match twice keeps one."""


class Work(Protocol):
    """A claimed piece of work: a chunk of matches, a piece of a study, an engine's ply."""

    @property
    def is_last(self) -> bool:
        """Whether it is done and nothing else waits, but for what a message has been sent for since."""

    def carry_out(self, stop: StopSwitch) -> None:
        """Do it and write what came out, until its end or a stop."""


class WorkSource(Protocol):
    """Hands out work. One instance per worker process.

    What raises BusyError (`games.compile_locks`) is handed out again once those kernels are compiled, or nobody is at
    them any more; until then other work is.
    """

    def announce(self, queues: Sequence[str]) -> None:
        """Let it be known that this process serves these queues."""

    def keep_beating(self) -> None:
        """Let it be known from time to time that this process lives."""

    def keep_connections(self) -> None:
        """Keep from now on, from one message to the next, the connections that work is done by."""

    def may_serve(self) -> bool:
        """Whether this process is given work."""

    def claim(self, queue: str = BATCH) -> AbstractContextManager[Work | None]:
        """Claim the next work of a queue (None: nothing to do); leaving the context releases it."""


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
