"""Plays a whole spec on this machine, in one process or several, in seed order."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from functools import partial

from worker import estimate, schedule
from worker.looks import RecordLooks
from worker.records import MatchRecord
from worker.runner import play_match
from worker.schedule import ChunkSpec
from worker.spec import ExperimentSpec

AHEAD = 3
"""Chunks given out per process: enough to keep it busy while others are written."""


def play(spec: ExperimentSpec, processes: int = 1, looks: RecordLooks | None = None) -> Iterator[list[MatchRecord]]:
    """Yield the matches chunk by chunk, by arm and ordinal, however many processes play.

    looks: the rule under which it may end early; then arms take turns, as a server plays them.
    Raises BrokenProcessPool where a process dies.
    """
    if processes < 1:
        raise ValueError(f"processes must be at least 1, not {processes!r}")
    work = list(schedule.chunks(spec, estimate.estimate(spec).seconds_per_match))
    processes = min(processes, len(work))
    with players(processes) as run:
        if looks is None:
            yield from (records for _, records in run(spec, sorted(work)))
            return
        for chunk, records in run(spec, filter(looks.wants, work)):
            if not looks.wants(chunk):  # it was given out before its arm was dropped
                continue
            looks.write(records)
            yield records
            if looks.ruling.deals is not None:
                return


Run = Callable[[ExperimentSpec, Iterable[ChunkSpec]], Iterator[tuple[ChunkSpec, list[MatchRecord]]]]
"""Plays chunks of a spec: yields them and their matches in their order; each is taken when its turn comes."""


@contextlib.contextmanager
def players(processes: int) -> Iterator[Run]:
    """Processes that play chunks, kept for as long as the context lasts; with one, this one plays."""
    if processes == 1:
        yield _in_turn
        return
    executor = ProcessPoolExecutor(
        processes,
        multiprocessing.get_context("spawn"),
        initializer=signal.signal,
        initargs=(signal.SIGINT, signal.SIG_DFL),  # Ctrl-C ends them at once, not after their chunk
    )
    try:
        yield partial(_side_by_side, executor, AHEAD * processes)
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _in_turn(spec: ExperimentSpec, work: Iterable[ChunkSpec]) -> Iterator[tuple[ChunkSpec, list[MatchRecord]]]:
    for chunk in work:
        yield chunk, play_chunk(spec, chunk)


def _side_by_side(
    executor: ProcessPoolExecutor, ahead: int, spec: ExperimentSpec, work: Iterable[ChunkSpec]
) -> Iterator[tuple[ChunkSpec, list[MatchRecord]]]:
    waiting: deque[tuple[ChunkSpec, Future[list[MatchRecord]]]] = deque()
    for chunk in work:
        if len(waiting) >= ahead:
            yield _ended(*waiting.popleft())
        waiting.append((chunk, executor.submit(play_chunk, spec, chunk)))
    while waiting:
        yield _ended(*waiting.popleft())


def _ended(chunk: ChunkSpec, future: Future[list[MatchRecord]]) -> tuple[ChunkSpec, list[MatchRecord]]:
    return chunk, future.result()


def play_chunk(spec: ExperimentSpec, chunk: ChunkSpec) -> list[MatchRecord]:
    """Play the matches of one chunk."""
    return [play_match(match) for match in schedule.match_specs(spec, *chunk)]
