"""The cost of a spec, as the last box of the builder shows it."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

from webapp.common.formats import plural
from webapp.lab.jobs import power
from webapp.lab.jobs.plan import UNSURE
from worker import estimate
from worker.spec import ExperimentSpec, to_json

HUGE_S = 86_400
HUGE_BYTES = 10_000_000_000
"""A spec that takes more than either of these has to be confirmed."""


@dataclass(frozen=True)
class Cost:
    """An estimate and its consequences.

    seatings: fewest and most matches of a deal in an arm; workers: processes that play, one match at a
    time each; has_agents: agents take part, whose time is in none of these; may_end_early: these are the
    most that its stop rule may take.
    """

    matches: int
    arms: int
    deals: int
    seatings: tuple[int, int]
    seconds: float
    workers: int
    rows: int
    bytes: int
    has_agents: bool = False
    may_end_early: bool = False

    @property
    def agent_matches(self) -> int:
        """Matches that an agent plays at once."""
        return int(settings.LAB_AGENT_MATCHES)

    @property
    def is_huge(self) -> bool:
        """Whether it takes so much time or storage that it has to be confirmed."""
        return self.seconds > HUGE_S or self.bytes > HUGE_BYTES

    @property
    def key(self) -> str:
        """The name of this size: a confirmation holds for one size alone."""
        return f"{self.matches}-{round(self.seconds)}-{self.bytes}"

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
    workers = power.now()
    guess = estimate.estimate(spec, workers.of(to_json(spec)))
    numbers = [spec.num_seatings(arm) for arm in range(len(spec.arms))]
    return Cost(
        matches=guess.matches,
        arms=len(spec.arms),
        deals=spec.deals,
        seatings=(min(numbers), max(numbers)),
        seconds=guess.seconds,
        workers=workers.processes,
        rows=guess.rows,
        bytes=guess.bytes,
        has_agents=spec.has_agents,
        may_end_early=not spec.stop.is_fixed,
    )
