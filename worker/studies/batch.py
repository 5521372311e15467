"""Does a whole study on this machine, in one process or several, in the order of its pieces."""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor

from worker.studies import registry
from worker.studies.pieces import Outcome, carry_out
from worker.studies.protocol import StudySpec

AHEAD = 3
"""Pieces given out per process: enough to keep it busy while others are written."""


def outcomes(spec: StudySpec, processes: int = 1) -> Iterator[Outcome]:
    """Yield the outcome of every piece, in order, however many processes work.

    Raises BrokenProcessPool where a process dies.
    """
    if processes < 1:
        raise ValueError(f"processes must be at least 1, not {processes!r}")
    pieces = range(registry.get(spec.study).num_pieces(spec))
    if processes == 1:
        yield from (carry_out(spec, index) for index in pieces)
        return
    executor = ProcessPoolExecutor(
        min(processes, len(pieces)),
        multiprocessing.get_context("spawn"),
        initializer=signal.signal,
        initargs=(signal.SIGINT, signal.SIG_DFL),  # Ctrl-C ends them at once, not after their piece
    )
    waiting: deque[Future[Outcome]] = deque()
    try:
        for index in pieces:
            if len(waiting) >= AHEAD * processes:
                yield waiting.popleft().result()
            waiting.append(executor.submit(carry_out, spec, index))
        while waiting:
            yield waiting.popleft().result()
    finally:
        executor.shutdown(wait=True, cancel_futures=True)
