"""Plays a claimed chunk: matches one after another, written every two seconds or so.

A stop is asked for by a signal (`StopSwitch.ask`). It breaks off the match being played,
however long that would have taken: it is played again elsewhere from its seed.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Protocol

from worker.records import MatchRecord
from worker.runner import play_match
from worker.spec import MatchSpec

WRITE_S = 2.0
"""Matches wait at most about so long before they are written (and until the one played ends)."""
MAX_UNWRITTEN = 100
"""So many matches are written at once, and at most so many are lost with their worker."""

AGAIN_S = 0.5
"""A stop that did not end the match is asked for again after so long; as often a watch is asked."""


class StopAskedError(BaseException):
    """Ends a match in the middle; not an `Exception`, so that no engine is blamed."""


class StopSwitch:
    """Whether this process was asked to stop; interrupts only what runs under `interruptible`."""

    def __init__(self) -> None:
        self.is_asked = False
        self._may_interrupt = False
        self._watch: Callable[[], None] | None = None
        self._is_watching = False

    def ask(self, signal_number: int = 0, frame: FrameType | None = None) -> None:
        """Ask for a stop (a signal handler).

        C code that calls back into Python, such as the loading of a compiled kernel, swallows
        what is raised there: an alarm asks again until the block has ended.
        """
        self.is_asked = True
        if self._may_interrupt:
            self._set_alarm()
            if not self._is_watching:
                raise StopAskedError

    @contextmanager
    def interruptible(self, watch: Callable[[], None] | None = None) -> Iterator[None]:
        """Let a stop end the block by StopAskedError.

        watch: called every half second in the middle of the block, which ends by what it raises;
        not outside the main thread, where no signal arrives.
        """
        if threading.current_thread() is not threading.main_thread():
            watch = None
        self._may_interrupt, self._watch = True, watch
        if watch is not None:
            self._set_alarm()
        try:
            yield
        finally:
            self._may_interrupt, self._watch = False, None
            if watch is not None or self.is_asked:
                signal.setitimer(signal.ITIMER_REAL, 0)

    def _set_alarm(self) -> None:
        signal.signal(signal.SIGALRM, self._alarm)
        signal.setitimer(signal.ITIMER_REAL, AGAIN_S, AGAIN_S)

    def _alarm(self, signal_number: int, frame: FrameType | None) -> None:
        if not self._may_interrupt or self._is_watching:  # a slow look, perhaps in the middle of a query, is let end
            return
        if self.is_asked:
            raise StopAskedError
        if self._watch is not None:
            self._is_watching = True
            try:
                self._watch()
            finally:
                self._is_watching = False


class Chunk(Protocol):
    """Claimed matches: the caller plays `matches()` and writes what it played."""

    def matches(self) -> Iterator[MatchSpec]:
        """The matches still to play; ends early when the experiment is paused or stopped."""

    def write(self, records: Sequence[MatchRecord]) -> None:
        """Keep these matches, in seed order, whole or not at all."""

    def finish(self) -> None:
        """Say that everything asked for has been written."""


def play_chunk(chunk: Chunk, stop: StopSwitch, play: Callable[[MatchSpec], MatchRecord] = play_match) -> None:
    """Play and write the matches of a chunk, until its end or a stop."""
    unwritten: list[MatchRecord] = []
    written_at = time.monotonic()
    for match in chunk.matches():
        try:
            if stop.is_asked:
                break
            with stop.interruptible():
                record = play(match)
        except StopAskedError:
            break
        unwritten.append(record)
        if len(unwritten) >= MAX_UNWRITTEN or time.monotonic() - written_at >= WRITE_S:
            chunk.write(unwritten)
            unwritten = []
            written_at = time.monotonic()
    chunk.write(unwritten)
    chunk.finish()
