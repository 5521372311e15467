"""Plays a whole spec on this machine, in one process or several, in seed order."""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor

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
    if looks is None:
        yield from (records for _, records in _played(spec, sorted(work), processes))
        return
    for chunk, records in _played(spec, filter(looks.wants, work), processes):
        if not looks.wants(chunk):  # it was given out before its arm was dropped
            continue
        looks.write(records)
        yield records
        if looks.ruling.deals is not None:
            return


def _played(
    spec: ExperimentSpec, work: Iterable[ChunkSpec], processes: int
) -> Iterator[tuple[ChunkSpec, list[MatchRecord]]]:
    """The chunks and their matches, in their order; each is taken from `work` when its turn comes."""
    if processes == 1:
        for chunk in work:
            yield chunk, play_chunk(spec, chunk)
        return
    executor = ProcessPoolExecutor(
        processes,
        multiprocessing.get_context("spawn"),
        initializer=signal.signal,
        initargs=(signal.SIGINT, signal.SIG_DFL),  # Ctrl-C ends them at once, not after their chunk
    )
    waiting: deque[tuple[ChunkSpec, Future[list[MatchRecord]]]] = deque()
    try:
        for chunk in work:
            if len(waiting) >= AHEAD * processes:
                yield _ended(*waiting.popleft())
            waiting.append((chunk, executor.submit(play_chunk, spec, chunk)))
        while waiting:
            yield _ended(*waiting.popleft())
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _ended(chunk: ChunkSpec, future: Future[list[MatchRecord]]) -> tuple[ChunkSpec, list[MatchRecord]]:
    return chunk, future.result()


def play_chunk(spec: ExperimentSpec, chunk: ChunkSpec) -> list[MatchRecord]:
    """Play the matches of one chunk."""
    return [play_match(match) for match in schedule.match_specs(spec, *chunk)]
