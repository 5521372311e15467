"""Plays a whole spec on this machine, in one process or several, in seed order."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, TypeVar

from worker import estimate, files, schedule
from worker.looks import RecordLooks
from worker.records import MatchRecord
from worker.results import Results
from worker.runner import play_match
from worker.schedule import ChunkSpec
from worker.spec import ExperimentSpec

AHEAD = 3
"""Chunks given out per process: enough to keep it busy while others are written."""
P = TypeVar("P")
"""What is made of a chunk."""

PlayChunk = Callable[[ExperimentSpec, ChunkSpec], P]
Run = Callable[[ExperimentSpec, Iterable[ChunkSpec]], Iterator[tuple[ChunkSpec, P]]]
"""Plays chunks of a spec: yields them and what was played in their order; each is taken when its turn comes."""


class Written(NamedTuple):
    """What a process hands on of a chunk: how its matches came out, and their part of each file that was asked for.

    lines, metrics: as `worker.files` has them, in bytes.
    """

    results: Results
    lines: bytes = b""
    metrics: bytes = b""


@dataclass(frozen=True)
class Wanted:
    """Files that a run writes. lines: of matches, times: with seconds; metrics: rows of metrics, is_csv: or JSON."""

    lines: bool = False
    times: bool = False
    metrics: bool = False
    is_csv: bool = True

    def play(self, spec: ExperimentSpec, chunk: ChunkSpec) -> Written:
        """Play a chunk and write its part of the files."""
        records = play_chunk(spec, chunk)
        return Written(
            Results.of(spec, chunk.arm, records),
            files.lines(spec, records, times=self.times).encode() if self.lines else b"",
            files.metric_lines(spec, records, is_csv=self.is_csv).encode() if self.metrics else b"",
        )


def play_chunk(spec: ExperimentSpec, chunk: ChunkSpec) -> list[MatchRecord]:
    """Play the matches of one chunk."""
    return [play_match(match) for match in schedule.match_specs(spec, *chunk)]


def play(spec: ExperimentSpec, processes: int = 1, looks: RecordLooks | None = None) -> Iterator[list[MatchRecord]]:
    """Yield the records of matches, chunk by chunk: see `play_parts`."""
    add = looks.write if looks else None
    with contextlib.closing(play_parts(spec, processes, looks, play_chunk, add)) as parts:
        yield from parts


def write(spec: ExperimentSpec, processes: int, looks: RecordLooks | None, wanted: Wanted) -> Iterator[Written]:
    """Yield what is written of matches, chunk by chunk: see `play_parts`."""

    def add(part: Written) -> None:
        if looks is not None:
            looks.add(part.results)

    with contextlib.closing(play_parts(spec, processes, looks, wanted.play, add)) as parts:
        yield from parts


def play_parts(
    spec: ExperimentSpec,
    processes: int,
    looks: RecordLooks | None,
    play: PlayChunk[P],
    add: Callable[[P], None] | None,
) -> Generator[P, None, None]:
    """Yield what `play` makes of chunks, by arm and ordinal, however many processes play.

    looks: the rule under which it may end early; then arms take turns, as a server plays them. add: has it look.
    Raises BrokenProcessPool where a process dies.
    """
    if processes < 1:
        raise ValueError(f"processes must be at least 1, not {processes!r}")
    work = list(schedule.chunks(spec, estimate.estimate(spec, keeping=estimate.FILE).seconds_per_match))
    processes = min(processes, len(work))
    with players(processes, play) as run:
        if looks is None:
            yield from (part for _, part in run(spec, sorted(work)))
            return
        assert add is not None, "a rule has to be told what was played"
        for chunk, part in run(spec, filter(looks.wants, work)):
            if not looks.wants(chunk):  # it was given out before its arm was dropped
                continue
            add(part)
            yield part
            if looks.ruling.deals is not None:
                return


@contextlib.contextmanager
def players(processes: int, play: PlayChunk[P]) -> Iterator[Run[P]]:
    """Processes that play chunks, kept for as long as the context lasts; with one, this one plays."""
    if processes == 1:
        yield partial(_in_turn, play)
        return
    executor = ProcessPoolExecutor(
        processes,
        multiprocessing.get_context(_way_to_start()),
        initializer=_begin,
    )
    try:
        yield partial(_side_by_side, executor, AHEAD * processes, play)
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _begin() -> None:
    """Let Ctrl-C end a process at once, not after its chunk, and so the end of whoever started it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None, "this process was started by another"
    parent.join()
    os._exit(1)


def _way_to_start() -> str:
    """How processes are started: as copies of this one, with all that it has loaded, where that is safe.

    Beside another thread a copy may hold a lock for ever, and so it may on other systems than Linux.
    """
    return "fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn"


def _in_turn(play: PlayChunk[P], spec: ExperimentSpec, work: Iterable[ChunkSpec]) -> Iterator[tuple[ChunkSpec, P]]:
    for chunk in work:
        yield chunk, play(spec, chunk)


def _side_by_side(
    executor: ProcessPoolExecutor, ahead: int, play: PlayChunk[P], spec: ExperimentSpec, work: Iterable[ChunkSpec]
) -> Iterator[tuple[ChunkSpec, P]]:
    waiting: deque[tuple[ChunkSpec, Future[P]]] = deque()
    for chunk in work:
        if len(waiting) >= ahead:
            yield _ended(*waiting.popleft())
        waiting.append((chunk, executor.submit(play, spec, chunk)))
    while waiting:
        yield _ended(*waiting.popleft())


def _ended(chunk: ChunkSpec, future: Future[P]) -> tuple[ChunkSpec, P]:
    return chunk, future.result()
