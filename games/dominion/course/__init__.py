"""Whole matches of Dominion in one kernel (`games.courses`)."""

from __future__ import annotations

from pathlib import Path

from games.courses import CourseKernels
from games.dominion import reading
from games.dominion import state as layout
from games.dominion.strategies.encoding import TEMPLATE


def spell(spelling: int) -> str:
    """The notation of a spelling."""
    return reading.in_words(*divmod(spelling, layout.MAX_ACTIONS))


COURSE = CourseKernels(Path(__file__).parent, spell, {"strategy": TEMPLATE})
