"""Weights of the evaluation, by name and in kernel order: Heyden's (2009, section 6.3.2, table 6.5), and evolved.

`evolved`: ``python -m engines.learning carcassonne --evolve final``, 88 CPU seconds (docs/findings/learned-values.md).
"""

from __future__ import annotations

from collections.abc import Mapping

WEIGHTS = ("score", "meeples", "unfinished", "unfinished_city", "poor_field")
"""Terms: points so far; meeples in hand; points if the match ended here; points a tile that an
unfinished city counts there; a meeple on a field with fewer than three finished cities."""

SETS: Mapping[str, Mapping[str, float]] = {
    "final": {"score": 100.0, "meeples": 10.0, "unfinished": 10.0, "unfinished_city": 1.25, "poor_field": -40.0},
    "intuitive": {"score": 100.0, "meeples": 1.0, "unfinished": 10.0, "unfinished_city": 1.0, "poor_field": -50.0},
    "evolved": {"score": 100.0, "meeples": 51.59, "unfinished": 42.53, "unfinished_city": 2.473, "poor_field": -80.09},
}
