"""The number of seats that a form begins with."""

from __future__ import annotations

from games.protocol import Traits

USUAL = 2


def default_num_seats(traits: Traits) -> int:
    """Two, or as many as the game has at least: a table for one is laid only where it is asked for."""
    return max(USUAL, traits.min_seats)
