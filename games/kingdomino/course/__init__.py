"""Whole matches of Kingdomino in one kernel (`games.courses`)."""

from __future__ import annotations

from pathlib import Path

from games.courses import CourseKernels
from games.kingdomino import reading
from games.kingdomino import state as layout

MIDDLE, WIDTH = 16, 32
"""Added to a coordinate in a spelling, and the numbers that it has room for."""
NUMBERS = layout.NUM_DOMINOES + 1
"""Numbers of a domino, or 0 for none."""


def spell(spelling: int) -> str:
    """The notation of a spelling."""
    rest, chosen = divmod(spelling, NUMBERS)
    rest, placed = divmod(rest, NUMBERS)
    rest, direction = divmod(rest, 4)
    rest, y = divmod(rest, WIDTH)
    is_placed, x = divmod(rest, WIDTH)
    x, y = x - MIDDLE, y - MIDDLE
    dx, dy = reading.STEPS[direction]
    squares = ((x, y), (x + dx, y + dy)) if is_placed else None
    return reading.in_words(placed or None, reading.Move(squares, chosen or None))


COURSE = CourseKernels(Path(__file__).parent, spell)
