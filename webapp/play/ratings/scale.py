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
"""Skill of somebody who has played nothing yet. A wider start makes the model spread people out by too much: see
docs/findings/ratings.md."""
RESTLESSNESS = 3.5
"""Standard deviation by which skills may move from match to match: no rating ever becomes rigid."""
ANCHOR_DEVIATION = 1.0
"""Engines do not learn: their points are taken as known."""
WIDTH = 1.96
"""Standard deviations on both sides of a 95 % interval."""

_MODEL = BradleyTerryFull(mu=MEAN, sigma=DEVIATION, beta=POINTS / math.sqrt(2), tau=RESTLESSNESS)


@dataclass(frozen=True)
class Skill:
    """Skill of a player, as far as it is known, in points."""

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


def update_skills(sides: Sequence[Sequence[Skill]], ranks: Sequence[int]) -> list[list[Skill]]:
    """The skills after a match. sides: of each its players; ranks: of the sides, 1 is best, equal ones drew."""
    teams = [[_MODEL.rating(mu=skill.mean, sigma=skill.deviation) for skill in side] for side in sides]
    rated = _MODEL.rate(teams, ranks=[float(rank) for rank in ranks])
    share = ranking_weight(len(sides))
    return [
        [_tempered(skill, Skill(float(one.mu), float(one.sigma)), share) for skill, one in zip(side, new, strict=True)]
        for side, new in zip(sides, rated, strict=True)
    ]


def ranking_weight(num_sides: int) -> float:
    """The information of one ranking of `num_sides` sides, as a share of that of its pairs taken one by one.

    The pairs of a ranking hang together. Of equal sides, by Plackett and Luce, the choice of the best
    of m tells 1/m (1 - 1/m) of a side that is among them, which m of n are: 1/n times the sum of
    1 - 1/m in all, where n - 1 pairs tell a quarter each (Fisher information). 1 with two sides, 23/36 with four.
    """
    ranking = sum(1 - 1 / left for left in range(2, num_sides + 1)) / num_sides
    return ranking / ((num_sides - 1) / 4)


def _tempered(before: Skill, whole: Skill, share: float) -> Skill:
    """The skill where only this share of the evidence counts that led from one to the other.

    Evidence adds up in inverse variances, and moves the mean by the variance times its slope.
    """
    start, end = before.deviation**2 + RESTLESSNESS**2, whole.deviation**2
    variance = 1 / (1 / start + share * (1 / end - 1 / start))
    return Skill(before.mean + share * variance / end * (whole.mean - before.mean), math.sqrt(variance))


def chance(points: float) -> float:
    """The share of matches that a single player wins against another one, by their difference in points."""
    return 1 / (1 + math.exp(-points / POINTS))
