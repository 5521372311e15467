"""A bar of one line, on a terminal or below a cell; where neither is, a line now and then."""

from __future__ import annotations

import sys
import time
from typing import Protocol, TextIO

WIDTH = 28
FULL, EMPTY = "█", "░"
LINE_EVERY_S = 30.0


class Progress(Protocol):
    """What a bar tells of: a job."""

    @property
    def kind(self) -> str:
        """What it is."""

    @property
    def number(self) -> int:
        """Which one."""

    @property
    def status(self) -> str:
        """In a word."""

    @property
    def is_over(self) -> bool:
        """Whether nothing more comes."""

    @property
    def total(self) -> int:
        """How much is planned."""

    @property
    def ended(self) -> int:
        """How much of it has ended."""

    @property
    def waits_for(self) -> str:
        """As a sentence; empty where it waits for nothing."""

    @property
    def left_s(self) -> float | None:
        """Seconds that it will take, if anybody knows."""


class ProgressBar:
    """Draws how far a job is whenever it is called with it."""

    def __init__(self, file: TextIO | None = None) -> None:
        self._file = file or sys.stderr
        self._is_line = self._file.isatty() or "ipykernel" in sys.modules
        self._length, self._drawn_at = 0, -LINE_EVERY_S

    def __call__(self, job: Progress) -> None:
        """Draw it. Where lines cannot be drawn over, one comes now and then, and at the end."""
        text = words(job)
        if self._is_line:
            end = "\n" if job.is_over else ""
            self._file.write(f"\r{text.ljust(self._length)}{end}")
            self._length = len(text)
        elif job.is_over or time.monotonic() - self._drawn_at >= LINE_EVERY_S:
            self._drawn_at = time.monotonic()
            self._file.write(f"{text}\n")
        self._file.flush()


def words(job: Progress) -> str:
    """Kind, number, bar, counts and what it waits for, or how long it will take."""
    part = job.ended / job.total if job.total else 0.0
    bar = FULL * round(part * WIDTH) + EMPTY * (WIDTH - round(part * WIDTH))
    return f"{job.kind} {job.number} {bar} {job.ended} of {job.total}, {_now(job)}"


def _now(job: Progress) -> str:
    if job.is_over:
        return job.status
    if job.waits_for:
        return job.waits_for
    left = job.left_s
    return job.status if left is None else f"about {duration(left)} left"


def duration(seconds: float) -> str:
    """Seconds in words: 40 s, 12 min, 3.5 h."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
