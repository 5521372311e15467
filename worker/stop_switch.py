"""The switch by which a process is asked to stop, and which breaks off what it is doing."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import FrameType

AGAIN_S = 0.5
"""Time after which a stop that did not end the match is asked for again; as often a watch is asked."""


class StopAskedError(BaseException):
    """Ends a match in the middle; not an `Exception`, so that no engine is blamed."""


class UnwantedError(BaseException):
    """Ends in the middle what nobody waits for any more; not an `Exception`, so that no engine is blamed."""


def unless_wanted(is_wanted: Callable[[], bool]) -> Callable[[], None]:
    """A watch (`StopSwitch.watching`) that ends work which is not wanted any more."""

    def watch() -> None:
        if not is_wanted():
            raise UnwantedError

    return watch


class StopSwitch:
    """Whether this process was asked to stop; interrupts only what runs under `interruptible`."""

    def __init__(self) -> None:
        self.is_asked = False
        self.may_interrupt = False
        self._watch: Callable[[], None] | None = None
        self._is_watching = False
        self._interruptible = _Interruptible(self)

    def ask(self, signal_number: int = 0, frame: FrameType | None = None) -> None:
        """Ask for a stop (a signal handler).

        C code that calls back into Python, such as the loading of a compiled kernel, swallows
        what is raised there: an alarm asks again until the block has ended.
        """
        self.is_asked = True
        if self.may_interrupt:
            self._set_alarm()
            if not self._is_watching:
                raise StopAskedError

    @contextmanager
    def watching(self, watch: Callable[[], None]) -> Iterator[None]:
        """Have `watch` called every half second in the middle of what is `interruptible` in here; what it raises ends
        that.

        Not outside the main thread, where no signal arrives.
        """
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        self._watch = watch
        self._set_alarm()
        try:
            yield
        finally:
            self._watch = None
            signal.setitimer(signal.ITIMER_REAL, 0)

    def interruptible(self) -> AbstractContextManager[None]:
        """Let a stop end the block by StopAskedError."""
        return self._interruptible

    def _set_alarm(self) -> None:
        signal.signal(signal.SIGALRM, self._alarm)
        signal.setitimer(signal.ITIMER_REAL, AGAIN_S, AGAIN_S)

    def _alarm(self, signal_number: int, frame: FrameType | None) -> None:
        if not self.may_interrupt or self._is_watching:  # a slow look, perhaps in the middle of a query, is let end
            return
        if self.is_asked:
            raise StopAskedError
        if self._watch is not None:
            self._is_watching = True
            try:
                self._watch()
            finally:
                self._is_watching = False

    def hush(self) -> None:
        """Ask for a stop no more: what was interruptible has ended."""
        if self.is_asked and self._watch is None:
            signal.setitimer(signal.ITIMER_REAL, 0)


class _Interruptible:
    """The block in which a switch may interrupt, as cheap as a match that a kernel plays in no time."""

    def __init__(self, switch: StopSwitch) -> None:
        self._switch = switch

    def __enter__(self) -> None:
        self._switch.may_interrupt = True

    def __exit__(self, *_: object) -> None:
        self._switch.may_interrupt = False
        self._switch.hush()


STOP = StopSwitch()
"""The switch of this process: Celery's signal handlers ask it, its tasks look at it."""
