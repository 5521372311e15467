"""Plays a whole spec on this machine, in one process or several, in seed order."""

from __future__ import annotations

import contextlib
import dataclasses
import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from functools import partial
from typing import NamedTuple

from worker import estimate, files, schedule
from worker.looks import RecordLooks
from worker.records import MatchRecord
from worker.runner import play_match
from worker.schedule import ChunkSpec
from worker.spec import ExperimentSpec

AHEAD = 3
"""Chunks given out per process: enough to keep it busy while others are written."""


class Part(NamedTuple):
    """The matches of a chunk. lines: as a file has them (`files.lines`), where that was asked for."""

    records: list[MatchRecord]
    lines: str = ""


PlayChunk = Callable[[ExperimentSpec, ChunkSpec], Part]
Run = Callable[[ExperimentSpec, Iterable[ChunkSpec]], Iterator[tuple[ChunkSpec, Part]]]
"""Plays chunks of a spec: yields them and their matches in their order; each is taken when its turn comes."""


def play_chunk(spec: ExperimentSpec, chunk: ChunkSpec) -> Part:
    """Play the matches of one chunk."""
    return Part([play_match(match) for match in schedule.match_specs(spec, *chunk)])


def play_in_lines(spec: ExperimentSpec, chunk: ChunkSpec, *, times: bool) -> Part:
    """Play a chunk and write it as lines: what only these need (plies, metrics) is not handed on with the records."""
    records = play_chunk(spec, chunk).records
    bare = [dataclasses.replace(record, plies=(), metrics=()) for record in records]
    return Part(bare, files.lines(spec, records, times=times))


def play(spec: ExperimentSpec, processes: int = 1, looks: RecordLooks | None = None) -> Iterator[list[MatchRecord]]:
    """Yield the matches chunk by chunk: see `play_parts`."""
    with contextlib.closing(play_parts(spec, processes, looks)) as parts:
        for part in parts:
            yield part.records


def play_parts(
    spec: ExperimentSpec, processes: int = 1, looks: RecordLooks | None = None, play: PlayChunk = play_chunk
) -> Generator[Part, None, None]:
    """Yield the matches chunk by chunk, by arm and ordinal, however many processes play.

    looks: the rule under which it may end early; then arms take turns, as a server plays them.
    Raises BrokenProcessPool where a process dies.
    """
    if processes < 1:
        raise ValueError(f"processes must be at least 1, not {processes!r}")
    work = list(schedule.chunks(spec, estimate.estimate(spec).seconds_per_match))
    processes = min(processes, len(work))
    with players(processes, play) as run:
        if looks is None:
            yield from (part for _, part in run(spec, sorted(work)))
            return
        for chunk, part in run(spec, filter(looks.wants, work)):
            if not looks.wants(chunk):  # it was given out before its arm was dropped
                continue
            looks.write(part.records)
            yield part
            if looks.ruling.deals is not None:
                return


@contextlib.contextmanager
def players(processes: int, play: PlayChunk = play_chunk) -> Iterator[Run]:
    """Processes that play chunks, kept for as long as the context lasts; with one, this one plays."""
    if processes == 1:
        yield partial(_in_turn, play)
        return
    executor = ProcessPoolExecutor(
        processes,
        multiprocessing.get_context("spawn"),
        initializer=signal.signal,
        initargs=(signal.SIGINT, signal.SIG_DFL),  # Ctrl-C ends them at once, not after their chunk
    )
    try:
        yield partial(_side_by_side, executor, AHEAD * processes, play)
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _in_turn(play: PlayChunk, spec: ExperimentSpec, work: Iterable[ChunkSpec]) -> Iterator[tuple[ChunkSpec, Part]]:
    for chunk in work:
        yield chunk, play(spec, chunk)


def _side_by_side(
    executor: ProcessPoolExecutor, ahead: int, play: PlayChunk, spec: ExperimentSpec, work: Iterable[ChunkSpec]
) -> Iterator[tuple[ChunkSpec, Part]]:
    waiting: deque[tuple[ChunkSpec, Future[Part]]] = deque()
    for chunk in work:
        if len(waiting) >= ahead:
            yield _ended(*waiting.popleft())
        waiting.append((chunk, executor.submit(play, spec, chunk)))
    while waiting:
        yield _ended(*waiting.popleft())


def _ended(chunk: ChunkSpec, future: Future[Part]) -> tuple[ChunkSpec, Part]:
    return chunk, future.result()
