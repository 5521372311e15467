"""Utilities of a match for a seat: the choices of engines that play matches out."""

from __future__ import annotations

UNIT_POINTS = 100.0
"""A margin of d points is worth 0.5 + d / (2 * UNIT_POINTS) on the unit scale (beyond it at larger margins)."""
UTILITIES = ("difference", "wdl", "relative", "own", "win", "win_difference")
"""Utilities in the order of kinds in `search/utility.py`."""
TO_UNIT = {
    "difference": (0.5 / UNIT_POINTS, 0.5),
    "wdl": (0.5, 0.5),
    "relative": (1.0, 0.0),
    "own": (1.0 / UNIT_POINTS, 0.0),
    "win": (1.0, 0.0),
    "win_difference": (1.0, 0.0),
}
"""Utility -> (scale, offset) that take it to the unit interval, or little beyond it."""
