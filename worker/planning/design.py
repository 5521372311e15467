"""What of a spec a plan depends on, and how far the compared values of deals spread."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games import registry as game_registry
from worker.analysis.power import Comparison
from worker.analysis.stop_rules.model import MARGIN, WIN_RATE
from worker.spec import ExperimentSpec, stop

TRIAL, EARLIER, STORED, EVEN = "trial", "earlier", "stored", "even"
"""Where a spread is known from: trial deals, earlier experiments, the table of `openings`, or equals without luck."""
LEAST_DEALS = 8
"""Of fewer deals a deviation is known too badly to plan with: to a quarter of it."""


@dataclass(frozen=True, slots=True)
class Design:
    """Shape of a comparison.

    seatings: matches of a deal, in the arm that has fewest; parties: who win or lose by themselves; is_paired: whether
    arms meet the same deals.
    """

    arms: int
    seatings: int
    parties: int
    is_paired: bool = True

    @classmethod
    def of(cls, spec: ExperimentSpec) -> Design:
        """The shape of a spec."""
        seatings = 1 if spec.has_agents else min(spec.num_seatings(arm) for arm in range(len(spec.arms)))
        return cls(len(spec.arms), seatings, num_parties(spec.game, spec.seats), not spec.has_agents)

    @property
    def comparisons(self) -> int:
        """Arms that are compared with the first; one arm is compared with what is even."""
        return max(1, self.arms - 1)

    @property
    def even(self) -> float:
        """Win rate of equals, where nobody draws."""
        return 1 / self.parties

    @property
    def is_between_sides(self) -> bool:
        """Whether two sides of the only arm are compared: a rate d above even is 2 d above that of the other side."""
        return self.arms == 1 and self.parties == 2

    @property
    def widest(self) -> float:
        """The largest difference of win rates that there can be."""
        return 1.0 if self.arms > 1 else 1 - self.even


def num_parties(game_id: str, seats: int) -> int:
    """How many win or lose by themselves."""
    return 2 if game_registry.get(game_id).traits.has_teams else max(2, seats)


def measure_of(spec: ExperimentSpec) -> str:
    """What a plan is about: win rates, or margins where the stop rule goes by them."""
    return MARGIN if not spec.stop.is_fixed and spec.stop.on == MARGIN else WIN_RATE


@dataclass(frozen=True, slots=True)
class Spread:
    """Deviation of what is compared on a deal: an arm less the first, or the only arm; rates from 0 to 1, or points.

    deals: from how many it is known, 0 where from none; source: where from.
    """

    deviation: float
    deals: int
    source: str

    @property
    def unsure(self) -> float:
        """Standard error of the deviation, as a part of it, for normal values: 1 / sqrt(2 (n - 1)). 0 without deals."""
        return 1 / math.sqrt(2 * (self.deals - 1)) if self.deals > 1 else 0.0


def spread_of(values: NDArray[np.float64], step: float, source: str, baseline: int = 0) -> Spread | None:
    """The spread of the values of deals; None of too few.

    values: float64[arms, deals]; step: the least that a value can change by; baseline: the arm that the others are
    compared with. Their deviations are averaged (root of the mean square). Where none varies, one deal
    counts as if it had been a step away.
    """
    deals = values.shape[1]
    if deals < LEAST_DEALS:
        return None
    compared = np.delete(values, baseline, axis=0) - values[baseline] if len(values) > 1 else values
    square = float(np.mean(compared.var(axis=1, ddof=1)))
    return Spread(math.sqrt(max(square, step**2 / deals)), deals, source)


def even_spread(design: Design) -> Spread:
    """The spread of win rates where all are equal, nobody draws, and matches of a deal have nothing in common.

    Binomial: even (1 - even) / matches for an arm, twice that for the difference of two.
    """
    square = design.even * (1 - design.even) / design.seatings
    return Spread(math.sqrt(square * (2 if design.arms > 1 else 1)), 0, EVEN)


def comparison(design: Design, spread: Spread, measure: str) -> Comparison:
    """What the page will compare."""
    bounds = None
    if measure != MARGIN:
        bounds = (-1.0, 1.0, 0.0) if design.arms > 1 else (0.0, 1.0, design.even)
    return Comparison(spread.deviation, design.comparisons, bounds=bounds)


def rules_for(design: Design) -> dict[str, str]:
    """Stop rule -> why it cannot be taken; empty where it can."""
    refused = dict.fromkeys(stop.RULES, "")
    if not design.is_paired:
        refused |= dict.fromkeys((stop.PRECISION, stop.SPRT, stop.BEST_OF), "not where agents take part")
        return refused
    if design.arms > 2:
        refused[stop.SPRT] = "for one arm or two"
    if design.arms < stop.LEAST_ARMS:
        refused[stop.BEST_OF] = f"for {stop.LEAST_ARMS} arms or more"
    return refused
