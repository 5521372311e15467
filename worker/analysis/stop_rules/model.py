"""Stop rules in general: what they take and what they answer."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

MARGIN, WIN_RATE, NORMALISED = "margin", "win_rate", "normalised"
"""What a rule looks at: points; rates from 0 to 1; mean over deviation of values that are 0 between equals."""
AT_PLANNED, PRECISE, BEST = "planned", "precise", "best"
H0, H1 = "h0", "h1"
"""Reasons of an end."""
RATIO, LOWER, UPPER = "llr", "lower", "upper"
LOW, HIGH, HALF_WIDTH = "low", "high", "half_width"
BEYOND, BEYOND_LOWER, BEYOND_UPPER = "beyond", "beyond_lower", "beyond_upper"
"""Names of curves: a log-likelihood ratio and an e-value's logarithm, each with bounds; an interval's ends, or half.

`RATIO` and `BEYOND` are also what ended a test.
"""
LEAST = 30
"""Deals before which no rule ends an experiment: of fewer the deviation is too badly known."""
LOOKS = 500
"""Looks that a course shows at most."""


class RuleError(ValueError):
    """Wrong field of a rule; `field` is its name."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message


@dataclass(frozen=True, slots=True)
class Drop:
    """Arm that is not played any longer: after `deals` deals it was clearly worse than the arm `by`."""

    arm: int
    by: int
    deals: int


@dataclass(frozen=True, slots=True)
class Stop:
    """End of an experiment after `deals` deals.

    reason: the planned number was reached (AT_PLANNED), the interval is narrow (PRECISE), a bound was crossed (H0, H1:
    the hypothesis that is accepted), or one arm is left (BEST: `arm`). drops: in the order in which they happened.
    by: of a test, which evidence ended it (RATIO, BEYOND).
    """

    deals: int
    reason: str
    arm: int | None = None
    drops: tuple[Drop, ...] = ()
    by: str = ""


@dataclass(frozen=True, slots=True)
class Curve:
    """Numbers after the deals of a course; None where there is none yet. arm: which arm's, None: all arms'."""

    name: str
    values: tuple[float | None, ...]
    arm: int | None = None


@dataclass(frozen=True, slots=True)
class Course:
    """What a rule saw: numbers of deals looked at, and curves over them."""

    deals: tuple[int, ...]
    curves: tuple[Curve, ...]


@dataclass(frozen=True, slots=True)
class Truth:
    """What is supposed for a plan: mean of the values of each arm, and the deviation of a deal.

    deviation: of what the rule looks at: an arm's values if there is one arm or `of` is a rate or margin, else the
    difference of two arms on a deal.
    """

    means: tuple[float, ...]
    deviation: float


@dataclass(frozen=True, slots=True)
class Expected:
    """Costs of a rule if the truth is as supposed.

    deals: expected number, at most the planned one; arm_deals: summed over the arms, of which some end earlier.
    fixed: deals of the design with a number fixed beforehand that would tell the same with the same errors (of all
    arms, so `fixed_arm_deals`); None where no number would.
    """

    deals: float
    arm_deals: float
    fixed: int | None
    fixed_arm_deals: int | None


class StopRule(Protocol):
    """Rule that ends an experiment. values: float64[arms, deals]; planned: the maximum of deals."""

    def first_stop(self, values: Array, planned: int) -> Stop | None:
        """The first number of deals at which the rule, or the plan, is satisfied; None: not yet."""
        ...

    def drops(self, values: Array, planned: int) -> tuple[Drop, ...]:
        """Arms that are not played any longer, in the order in which they were dropped."""
        ...

    def course(self, values: Array, planned: int) -> Course:
        """What a page draws, until the end."""
        ...

    def expected(self, truth: Truth, planned: int) -> Expected:
        """What the rule will cost if the truth is as supposed."""
        ...


def at_planned(values: Array, planned: int) -> Stop | None:
    """The end of the plan, where no rule came first."""
    return Stop(planned, AT_PLANNED) if values.shape[1] >= planned else None


def checked(values: Array, planned: int) -> Array:
    """Return the values of the first `planned` deals. Raises ValueError where they are not what a rule takes."""
    if planned < 1:
        raise ValueError(f"planned must be at least 1, not {planned!r}")
    if values.ndim != 2 or not len(values):
        raise ValueError(f"values must be float64[arms, deals], not of shape {values.shape}")
    values = values[:, :planned]
    if not np.isfinite(values).all():
        raise ValueError("values must be finite numbers")
    return values


def contrast(values: Array) -> Array:
    """What two hypotheses are about: the values of a single arm, or those of the second less those of the first."""
    if len(values) > 2:
        raise ValueError(f"two hypotheses are about one arm or the difference of two, not about {len(values)}")
    first: Array = values[0]
    return first if len(values) == 1 else values[1] - first


def course_of(curves: Mapping[tuple[str, int | None], Array], deals: int) -> Course:
    """Course over the first `deals` deals, at `LOOKS` of them. curves: (name, arm) -> float64[deals and more]."""
    looks = np.unique(np.linspace(1, deals, min(deals, LOOKS)).round().astype(np.int64)) if deals else np.empty(0, int)
    return Course(
        tuple(int(look) for look in looks),
        tuple(
            Curve(name, tuple(float(v) if math.isfinite(v) else None for v in values[looks - 1]), arm)
            for (name, arm), values in curves.items()
        ),
    )


def first(reached: NDArray[np.bool_]) -> int | None:
    """Number of deals after which something is so for the first time, none before `LEAST`; None: never."""
    late = np.flatnonzero(reached[LEAST - 1 :])
    return int(late[0]) + LEAST if len(late) else None
