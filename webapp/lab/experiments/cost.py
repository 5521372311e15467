"""The cost of a spec, as the last box of the builder shows it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from django.conf import settings

from webapp.common.formats import plural
from webapp.lab.experiments import stop_cost
from worker import estimate
from worker.spec import ExperimentSpec

WIDE_POINTS = 7.0
"""A win rate known less well than this, in points either way, gets a warning."""
GOOD_POINTS = 5.0
HUGE_S = 86_400
HUGE_BYTES = 10_000_000_000
"""A spec that takes more than either of these has to be confirmed."""
UNSURE = 3.0
"""Estimates hold within this factor."""


@dataclass(frozen=True)
class Cost:
    """An estimate and its consequences.

    seatings: fewest and most matches of a deal in an arm;
    half_width: of a 95 % interval of a win rate near one half, in points; wanted_deals, wanted_s: deals
    and seconds for `GOOD_POINTS`; workers: processes that play, one match at a time each; has_agents:
    agents take part, whose time is in none of these; stops: what the stop rule will take.
    """

    matches: int
    arms: int
    deals: int
    seatings: tuple[int, int]
    seconds: float
    workers: int
    rows: int
    bytes: int
    half_width: float
    wanted_deals: int
    wanted_s: float
    has_agents: bool = False
    stops: tuple[stop_cost.Case, ...] = ()
    has_stop_rule: bool = False

    @property
    def agent_matches(self) -> int:
        """Matches that an agent plays at once."""
        return int(settings.LAB_AGENT_MATCHES)

    @property
    def is_wide(self) -> bool:
        """Whether the intervals will be wide."""
        return self.half_width > WIDE_POINTS

    @property
    def is_short(self) -> bool:
        """Whether the stop rule has fewer deals than a number fixed beforehand would take in any case."""
        return any(case.fixed is not None and case.fixed > self.deals for case in self.stops)

    @property
    def is_huge(self) -> bool:
        """Whether it takes so much time or storage that it has to be confirmed."""
        return self.seconds > HUGE_S or self.bytes > HUGE_BYTES

    @property
    def key(self) -> str:
        """The name of this size: a confirmation holds for one size alone."""
        return f"{self.matches}-{round(self.seconds)}-{self.bytes}"

    @property
    def per_arm(self) -> int:
        """Matches of an arm; of the one that has fewest."""
        return self.deals * self.seatings[0]

    @property
    def seating_words(self) -> str:
        """How many matches a deal has in an arm."""
        low, high = self.seatings
        return plural(low, "seating", "seatings") if low == high else f"{low} to {high} seatings"

    @property
    def low_s(self) -> float:
        """Fast end of the estimate."""
        return self.seconds / UNSURE

    @property
    def high_s(self) -> float:
        """Slow end of the estimate."""
        return self.seconds * UNSURE


def cost_of(spec: ExperimentSpec) -> Cost:
    """The cost of a spec."""
    guess = estimate.estimate(spec, settings.LAB_WORKERS)
    numbers = [spec.num_seatings(arm) for arm in range(len(spec.arms))]
    fewest = min(numbers)
    wanted = math.ceil(0.25 * (1.96 / (GOOD_POINTS / 100)) ** 2 / fewest)
    return Cost(
        matches=guess.matches,
        arms=len(spec.arms),
        deals=spec.deals,
        seatings=(fewest, max(numbers)),
        seconds=guess.seconds,
        workers=settings.LAB_WORKERS,
        rows=guess.rows,
        bytes=guess.bytes,
        half_width=100 * 1.96 * 0.5 / math.sqrt(spec.deals * fewest),
        wanted_deals=wanted,
        wanted_s=guess.seconds * wanted / spec.deals,
        has_agents=spec.has_agents,
        stops=tuple(stop_cost.cases(spec)),
        has_stop_rule=not spec.stop.is_fixed,
    )
