"""The scale of ratings, in points of Elo, and the model behind it: `worker.analysis.skills`.

Of two single players with well-known skills the one with 400 points more is ahead of the other in ten of eleven
matches, however many sit at the table; the skills of partners add up.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from worker.analysis.ratings import ELO
from worker.analysis.skills import Skills, after_match

Array = NDArray[np.float64]

POINTS = ELO
"""Points that make the odds e times as good."""
MEAN, DEVIATION = 1500.0, 300.0
"""Skill of somebody who has played nothing yet, and how far people are from each other."""
START = "start"
"""What people lean on before they have met an engine: the number 1500, an anchor like any other."""
START_ERROR = 400.0
"""Standard error of that number: how good people are beside engines, on average, nobody has measured."""
RESTLESSNESS = 1.0
"""Standard deviation by which skills may move from match to match: no rating ever becomes rigid."""
WIDTH = 1.96
"""Standard deviations on both sides of a 95 % interval."""
VERSION = 2
"""Raised with the model: ratings of an older one are counted anew. 1: openskill's model, anchors without error."""


@dataclass(frozen=True)
class Skill:
    """Skill of a player, as far as it is known, in points.

    deviation: standard error by the player's own matches; anchor_error: by the places of what they lean on, which
    others share who lean on the same.
    """

    mean: float = MEAN
    deviation: float = DEVIATION
    anchor_error: float = 0.0

    @property
    def half(self) -> float:
        """Half of the 95 % interval, all errors together."""
        return WIDTH * math.hypot(self.deviation, self.anchor_error)

    @property
    def low(self) -> float:
        """Lower end of the 95 % interval."""
        return self.mean - self.half

    @property
    def high(self) -> float:
        """Upper end of the 95 % interval."""
        return self.mean + self.half

    @property
    def sure(self) -> float:
        """Lower end by the player's own matches alone, what boards are ordered by."""
        return self.mean - WIDTH * self.deviation


@dataclass(frozen=True)
class AnchorErrors:
    """Errors of the places of all anchors, the start among them. covariance: float64[J, J], in the order of `ids`."""

    ids: tuple[str, ...]
    covariance: Array

    def row(self, leaning: Mapping[str, float]) -> Array:
        """A leaning as a row of numbers."""
        return np.array([leaning.get(anchor, 0.0) for anchor in self.ids])

    def error(self, leaning: Mapping[str, float]) -> float:
        """Standard error of what leans so."""
        return self.error_between(leaning, {})

    def error_between(self, first: Mapping[str, float], second: Mapping[str, float]) -> float:
        """Standard error of the difference of two that lean so: what they lean on alike is nothing between them."""
        row = self.row(first) - self.row(second)
        return math.sqrt(max(0.0, float(row @ self.covariance @ row)))


@dataclass(frozen=True)
class Player:
    """What a match is counted with. deviation: 0 for an anchor; leaning: by id of the anchors."""

    mean: float = MEAN
    deviation: float = DEVIATION
    leaning: Mapping[str, float] = field(default_factory=lambda: {START: 1.0})


def update_players(sides: Sequence[Sequence[Player]], ranks: Sequence[int], errors: AnchorErrors) -> list[list[Player]]:
    """The players after a match. sides: of each its players; ranks: of the sides, 1 is best, equal ones drew."""
    everybody = [player for side in sides for player in side]
    side_of = [number for number, side in enumerate(sides) for _ in side]
    variances = [one.deviation**2 + RESTLESSNESS**2 if one.deviation else 0.0 for one in everybody]
    leanings = np.array([errors.row(one.leaning) for one in everybody])
    before = Skills(np.array([[one.mean for one in everybody]]), np.array([variances]), leanings[None])
    after = after_match(before, errors.covariance, side_of, np.array([ranks], dtype=np.float64))
    found = iter(
        Player(float(mean), math.sqrt(variance), _leaning(errors.ids, leaning))
        for mean, variance, leaning in zip(after.mean[0], after.variance[0], after.leaning[0], strict=True)
    )
    return [[next(found) for _ in side] for side in sides]


def _leaning(ids: Sequence[str], row: Array) -> dict[str, float]:
    return {anchor: float(part) for anchor, part in zip(ids, row, strict=True) if part}


def chance(points: float) -> float:
    """The share of matches that a single player wins against another one, by their difference in points."""
    return 1 / (1 + math.exp(-points / POINTS))
