"""Plays a claimed chunk: matches one after another, written every two seconds or so.

A stop is asked for by a signal (`StopSwitch.ask`). It breaks off the match being played, and so does a pause
or the end of its experiment, however long that would have taken: it is played again from its seed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from games.compile_locks import BusyError
from worker import log_ids
from worker.records import MatchRecord
from worker.runner import play_match
from worker.spec import MatchSpec
from worker.stop_switch import StopAskedError, StopSwitch, UnwantedError, unless_wanted

WRITE_S = 2.0
"""Longest time, about, that matches wait before they are written (and until the one played ends)."""
MAX_UNWRITTEN = 500
"""Matches written at once; no more are lost with their worker."""


class Chunk(Protocol):
    """Claimed matches: the caller plays `matches()` and writes what it played."""

    def matches(self) -> Iterator[MatchSpec]:
        """The matches still to play; ends early when they are not wanted."""

    def is_wanted(self) -> bool:
        """Whether the experiment goes on; asked twice a second in the middle of a match."""

    def write(self, records: Sequence[MatchRecord]) -> None:
        """Keep these matches, in seed order, whole or not at all."""

    def finish(self) -> None:
        """Say that everything asked for has been written."""


def play_chunk(chunk: Chunk, stop: StopSwitch, play: Callable[[MatchSpec], MatchRecord] = play_match) -> None:
    """Play and write the matches of a chunk, until its end or a stop.

    Raises BusyError, once what was played is written, where another process compiles what the next match needs.
    """
    matches, is_more = chunk.matches(), True
    while is_more:
        played: list[MatchRecord] = []
        try:
            with stop.watching(unless_wanted(chunk.is_wanted)):
                is_more = _play_some(matches, stop, play, played)
        except BusyError:
            chunk.write(played)
            raise
        chunk.write(played)
    chunk.finish()


def _play_some(
    matches: Iterator[MatchSpec], stop: StopSwitch, play: Callable[[MatchSpec], MatchRecord], played: list[MatchRecord]
) -> bool:
    """Play until it is time to write, the end or a stop, and add to `played`; whether there may be more."""
    write_at = time.monotonic() + WRITE_S
    for match in matches:
        try:
            if stop.is_asked:
                return False
            with log_ids.bound(match=_name(match)), stop.interruptible():
                record = play(match)
        except (StopAskedError, UnwantedError):
            return False
        played.append(record)
        if len(played) >= MAX_UNWRITTEN or time.monotonic() >= write_at:
            return True
    return False


def _name(match: MatchSpec) -> str:
    """A match in the log: arm, deal and rotation."""
    return f"{match.arm}/{match.deal}/{match.rotation}"
