"""The model behind ratings: Bradley and Terry's over all pairs of sides, after Weng and Lin (2011), in points of Elo.

A rating is a normal distribution of skill. Of two single players with well-known skills the one
with 400 points more is ahead of the other in ten of eleven matches, however many sit at the
table; the skills of partners add up. All numbers come from the `openskill` library; here are only
its constants.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from openskill.models import BradleyTerryFull

POINTS = 400 / math.log(10)
"""Points that make the odds e times as good."""
MEAN, DEVIATION = 1500.0, 200.0
"""Of somebody who has played nothing yet. A wider start makes the model spread people out by too much: see
ARCHITECTURE.md, *Ratings*."""
RESTLESSNESS = 3.5
"""How far skills may move from match to match, a standard deviation: no rating ever becomes rigid."""
ANCHOR_DEVIATION = 1.0
"""Engines do not learn: their points are taken as known."""
WIDTH = 1.96
"""Standard deviations on both sides of a 95 % interval."""

_MODEL = BradleyTerryFull(mu=MEAN, sigma=DEVIATION, beta=POINTS / math.sqrt(2), tau=RESTLESSNESS)


@dataclass(frozen=True)
class Skill:
    """What is known of somebody's skill, in points."""

    mean: float = MEAN
    deviation: float = DEVIATION

    @property
    def low(self) -> float:
        """Lower end of the 95 % interval: what boards are ordered by."""
        return self.mean - WIDTH * self.deviation

    @property
    def high(self) -> float:
        """Upper end of the 95 % interval."""
        return self.mean + WIDTH * self.deviation


def after(sides: Sequence[Sequence[Skill]], ranks: Sequence[int]) -> list[list[Skill]]:
    """The skills after a match. sides: of each its players; ranks: of the sides, 1 is best, equal ones drew."""
    teams = [[_MODEL.rating(mu=skill.mean, sigma=skill.deviation) for skill in side] for side in sides]
    rated = _MODEL.rate(teams, ranks=[float(rank) for rank in ranks])
    return [[Skill(float(one.mu), float(one.sigma)) for one in side] for side in rated]


def chance(points: float) -> float:
    """The share of matches that a single player with so many points more wins against another one."""
    return 1 / (1 + math.exp(-points / POINTS))
