"""The progress of a job: counted, never extrapolated without saying so."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from webapp.common import formats
from webapp.common.formats import duration

WINDOW_S = 300
MIN_WINDOW_S = 5
"""A rate over less than this says nothing."""
MIN_COUNTED = 5
WHOLE_RATE = 100
"""From here on a rate is told without tenths: nobody counts so exactly."""
POLL_S = 2
PAUSED_POLL_S = 10


@dataclass(frozen=True)
class Progress:
    """Counts of one moment, of matches or of what else the job is made of.

    played: how many ended, failed ones among them. rate: how many a minute, counted over the
    last `window_s` seconds; None where it says nothing; counted: how many that were. left_s:
    (low, middle, high) seconds at that rate. in_play: matches with agents that have begun; None
    without agents. cpu_s: of all that ended, where it is known.
    """

    total: int
    played: int
    failed: int
    state: str
    workers: int
    counted: int = 0
    window_s: float = 0.0
    rate: float | None = None
    left_s: tuple[float, float, float] | None = None
    in_play: int | None = None
    cpu_s: float | None = None

    @property
    def rate_words(self) -> str:
        """The rate, a slow one with tenths."""
        return formats.number(self.rate, 1 if (self.rate or 0) < WHOLE_RATE else 0)

    @property
    def is_live(self) -> bool:
        """Whether another look may show something new."""
        return self.state in ("running", "waiting")

    @property
    def may_change(self) -> bool:
        """Whether it is not over: a paused one can be resumed, and the matches under way at the pause still end."""
        return self.is_live or self.state == "paused"

    @property
    def poll_s(self) -> int:
        """Seconds between two looks."""
        return POLL_S if self.is_live else PAUSED_POLL_S

    @property
    def remaining(self) -> int:
        """The number that has not ended yet."""
        return max(0, self.total - self.played)

    @property
    def version(self) -> str:
        """Changes when anything drawn from the rows may have changed."""
        return f"{self.played}-{self.failed}-{self.state}"

    @property
    def good_percent(self) -> float:
        """Share of the bar for what has a result."""
        return 100 * (self.played - self.failed) / self.total if self.total else 0.0

    @property
    def failed_percent(self) -> float:
        """Share of the bar for failures; visible even for one."""
        return max(0.3, 100 * self.failed / self.total) if self.failed and self.total else 0.0

    @property
    def window_words(self) -> str:
        """The time over which the rate was counted."""
        if self.window_s >= 90:
            return f"{round(self.window_s / 60)} minutes"
        return f"{round(self.window_s)} seconds"

    @property
    def left_words(self) -> str:
        """Time left in words, e.g. "about 21 min"."""
        return f"about {duration(self.left_s[1])}" if self.left_s else ""

    @property
    def left_span(self) -> str:
        """The likely range of the time left."""
        return f"{duration(self.left_s[0])} to {duration(self.left_s[2])}" if self.left_s else ""


def rate(started_at: datetime | None, count_since: Callable[[datetime], int], remaining: int) -> dict[str, Any]:
    """The counted rate of what runs, and the time left with a Poisson range; nothing where it does not run.

    count_since: how many have ended since a moment.
    """
    if started_at is None:
        return {}
    now = timezone.now()
    since = max(started_at, now - timedelta(seconds=WINDOW_S))
    window_s = (now - since).total_seconds()
    counted = count_since(since)
    if window_s < MIN_WINDOW_S or counted < MIN_COUNTED:
        return {"window_s": window_s, "counted": counted}
    spread = 1.96 * math.sqrt(counted)
    per_count = remaining * window_s
    left = (per_count / (counted + spread), per_count / counted, per_count / max(1.0, counted - spread))
    return {"window_s": window_s, "counted": counted, "rate": 60 * counted / window_s, "left_s": left}
