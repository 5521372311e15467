"""What a guided first match says of a game, and what happens in one ply as a seat meets it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

BEGIN, OVER = "begin", "over"
"""Moments that every match has."""


@dataclass(frozen=True)
class GuideStep:
    """Something that a guided first match says once: when `moment` comes first.

    moment: BEGIN, OVER, or one of `Game.guide_moments`.

    show: the part of the page that it speaks of, "turn", "board", "bar", "plates" or "stock".
    """

    moment: str
    title: str
    text: str
    show: str = "board"


class Happening(NamedTuple):
    """One ply as `seat` meets it: the settled state before it (None: the match has begun) and after it, and action."""

    before: NDArray[np.int32] | None
    action: int
    after: NDArray[np.int32]
    seat: int
