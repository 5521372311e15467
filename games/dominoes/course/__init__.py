"""Whole matches of dominoes in one kernel (`games.courses`)."""

from __future__ import annotations

from pathlib import Path

from games.courses import CourseKernels
from games.dominoes import reading


def spell(spelling: int) -> str:
    """The notation of a spelling."""
    return reading.in_words(spelling >> 1, bool(spelling & 1))


COURSE = CourseKernels(Path(__file__).parent, spell)
