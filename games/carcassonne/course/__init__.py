"""Whole matches of Carcassonne in one kernel (`games.courses`)."""

from __future__ import annotations

from pathlib import Path

from games.carcassonne import reading
from games.carcassonne import state as layout
from games.courses import CourseKernels

MIDDLE, WIDTH = 128, 256
"""Added to a coordinate in a spelling, and the numbers that it has room for."""


def spell(spelling: int) -> str:
    """The notation of a spelling."""
    rest, claimed = divmod(spelling, layout.ACTION_ROTATION)
    rest, rotation = divmod(rest, 4)
    rest, y = divmod(rest, WIDTH)
    t, x = divmod(rest, WIDTH)
    segment = reading.TABLES.segment_names[t][claimed - 1] if claimed else None
    move = reading.Placement(reading.TABLES.letters[t], x - MIDDLE, y - MIDDLE, rotation, segment)
    return reading.in_words(move)


COURSE = CourseKernels(Path(__file__).parent, spell)
