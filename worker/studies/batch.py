"""Does a whole study on this machine, in one process or several, in the order of its pieces."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any

from worker.studies import registry
from worker.studies.pieces import Outcome, carry_out
from worker.studies.protocol import StudySpec, is_staged, stage_of

AHEAD = 3
"""Pieces given out per process: enough to keep it busy while others are written."""


Carry = Callable[[StudySpec, range, Mapping[int, dict[str, Any]]], Iterator[Outcome]]
"""Does the pieces of a stage in order; the rows are those of the stages before."""


def outcomes(spec: StudySpec, processes: int = 1) -> Iterator[Outcome]:
    """Yield the outcome of every piece, in order, however many processes work.

    Raises BrokenProcessPool where a process dies.
    """
    if processes < 1:
        raise ValueError(f"processes must be at least 1, not {processes!r}")
    kind = registry.get(spec.study)
    pieces, first = kind.num_pieces(spec), 0
    rows: dict[int, dict[str, Any]] = {}
    with contextlib.ExitStack() as stack:
        carry = _alone if processes == 1 else stack.enter_context(_together(min(processes, pieces)))
        while first < pieces:
            stage, known = stage_of(kind, spec, first), dict(rows)
            for outcome in carry(spec, stage, known):
                if is_staged(kind) and outcome.row is not None:
                    rows[outcome.index] = outcome.row
                yield outcome
            first = stage.stop


def _alone(spec: StudySpec, stage: range, rows: Mapping[int, dict[str, Any]]) -> Iterator[Outcome]:
    return (carry_out(spec, index, rows) for index in stage)


@contextlib.contextmanager
def _together(processes: int) -> Iterator[Carry]:
    """Carry out pieces in several processes, which end with the context."""
    executor = ProcessPoolExecutor(
        processes,
        multiprocessing.get_context("spawn"),
        initializer=signal.signal,
        initargs=(signal.SIGINT, signal.SIG_DFL),  # Ctrl-C ends them at once, not after their piece
    )

    def carry(spec: StudySpec, stage: range, rows: Mapping[int, dict[str, Any]]) -> Iterator[Outcome]:
        waiting: deque[Future[Outcome]] = deque()
        for index in stage:
            if len(waiting) >= AHEAD * processes:
                yield waiting.popleft().result()
            waiting.append(executor.submit(carry_out, spec, index, rows))
        while waiting:
            yield waiting.popleft().result()

    try:
        yield carry
    finally:
        executor.shutdown(wait=True, cancel_futures=True)
