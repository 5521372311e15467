"""Confidence sequences: intervals that hold at every look, however often and for whatever reason one looks.

The truth lies in all intervals of a sequence at once with the confidence that is stated, so one may
stop where one likes. An interval for a number of deals that was fixed beforehand is narrower (by a
quarter to two fifths at the planned end), but holds only there.

Values are those of deals, in the order of deals, and deals are independent. Rates have bounds, and a
sequence that assumes nothing else (`betting`). Points have none; theirs holds the better the more
deals there are, and is wide enough from the start for values as skewed as an exponential distribution's.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from worker.analysis import betting
from worker.analysis.intervals import CONFIDENCE, Interval
from worker.analysis.numbers import finite
from worker.analysis.running import running

Array = NDArray[np.float64]

TUNED = 0.25
"""Part of the planned deals at which a sequence of points is narrowest, compared with an interval for that number.

At the planned end it is 3 % wider than if it were narrowest there, at a twentieth 27 % narrower.
"""
TUNED_AT_LEAST = 50
"""A sequence of points is narrowest at no fewer deals: with fewer, skewed values would be left out too often."""


@dataclass(frozen=True, slots=True)
class ConfidenceSequence:
    """Interval after each deal: low and high are float64[n]; infinite where nothing is known yet."""

    low: Array
    high: Array

    def interval(self, deals: int | None = None) -> Interval | None:
        """The interval after so many deals (None: all of them); None where an end is not known."""
        index = len(self.low) if deals is None else deals
        if not 0 < index <= len(self.low):
            return None
        low, high = float(self.low[index - 1]), float(self.high[index - 1])
        return Interval(low, high) if math.isfinite(low) and math.isfinite(high) else None


def rate_sequence(values: Array, planned: int, confidence: float = CONFIDENCE) -> ConfidenceSequence:
    """Sequence of the mean of values from 0 to 1: rates of deals, or their shares of points.

    values: float64[n]; planned: number of deals for which it is made narrow. Before the first deal all is possible:
    0 to 1. Ends never go back. Raises ValueError where a value is out of bounds.
    """
    return _bounded(values, 0.0, planned, confidence)


def difference_sequence(values: Array, planned: int, confidence: float = CONFIDENCE) -> ConfidenceSequence:
    """Sequence of the mean of values from -1 to 1: differences of two rates of the same deals."""
    return _bounded(values, -1.0, planned, confidence)


def mean_sequence(values: Array, planned: int, confidence: float = CONFIDENCE) -> ConfidenceSequence:
    """Sequence of the mean of values without bounds: scores, margins, and their differences.

    Infinite for the first dozen deals or so, and while all values are equal. Coverage by simulation: see `limits`.
    """
    values = _checked(values, planned, confidence)
    moments = running(values)
    below, above = limits(moments.skewness, planned, 1 - confidence)
    error = np.where(moments.spread > 0, moments.error, np.inf)
    return ConfidenceSequence(moments.mean - error * below, moments.mean + error * above)


def limits(skewness: Array, planned: int, level: float) -> tuple[Array, Array]:
    """Standard errors from the mean down to the lower end, and up to the upper one, after 1, 2, ... values.

    For normal values the sequence is exact: the bound of the mixture over a normal prior of mean / deviation
    (Wang and Ramdas 2023, *Anytime-valid t-tests*, theorem 4.9; Lai 1976), which for many deals is the asymptotic
    sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024, Annals of Statistics 52, theorem 2.2), by
    whose equation 10 it is tuned. The side on which skewness makes t heavier is widened by the first term of Cornish
    and Fisher's expansion, (2 c^2 + 1) * skewness / (6 sqrt(n)) (Johnson 1978, JASA 73), with one standard error of
    the skewness added; nothing is narrowed.

    skewness: float64[..., n], of the values so far. Returns two float64[..., n]. In 2,000 runs of 500 to 4,000 looks
    a sequence of 95 % left out the truth in at most 3.9 % (normal, gamma 4), 3.7 % (exponential) and 6.7 % (gamma
    with a skewness of 2.8).
    """
    count = np.arange(1, skewness.shape[-1] + 1)
    spread = 1 + count * prior(planned, level)
    growth = np.exp(np.log(spread / level**2) / count)
    with np.errstate(divide="ignore", invalid="ignore"):
        square = (count - 1) * (growth - 1) / (1 - growth / spread)
        limit = np.where(growth < spread, np.sqrt(square), np.inf)
    widening = np.where(np.isfinite(limit), (2 * limit**2 + 1) / (6 * np.sqrt(count)), 0.0)
    unsure = np.sqrt(6 / count)
    return limit + np.maximum(unsure - skewness, 0) * widening, limit + np.maximum(unsure + skewness, 0) * widening


def prior(planned: int, level: float) -> float:
    """Variance of mean / deviation in the mixture over a normal prior, with which a sequence is tuned (`limits`)."""
    twice = -2 * math.log(level)
    return (twice + math.log(twice) + 1) / max(TUNED * planned, TUNED_AT_LEAST)


def first_outside(values: Array, planned: int, level: float) -> tuple[int | None, int | None]:
    """Number of deals after which `mean_sequence` lies above 0, and below 0, for the first time; None: never.

    level: 1 less the confidence of the sequence.
    """
    sequence = mean_sequence(values, planned, 1 - level)
    return _first(sequence.low > 0), _first(sequence.high < 0)


def first_outside_rates(values: Array, planned: int, level: float) -> tuple[int | None, int | None]:
    """The same for `difference_sequence`."""
    higher, lower = betting.capital((finite(values) + 1) / 2, 0.5, planned, level / 2)
    return _first(higher >= 2 / level), _first(lower >= 2 / level)


def _first(reached: NDArray[np.bool_]) -> int | None:
    return int(reached.argmax()) + 1 if reached.any() else None


def _bounded(values: Array, lowest: float, planned: int, confidence: float) -> ConfidenceSequence:
    values = _checked(values, planned, confidence)
    if ((values < lowest) | (values > 1)).any():
        raise ValueError(f"values must lie between {lowest:g} and 1")
    width = 1 - lowest
    low, high = betting.bounds((values - lowest) / width, planned, (1 - confidence) / 2)
    return ConfidenceSequence(lowest + width * low, lowest + width * high)


def _checked(values: Array, planned: int, confidence: float) -> Array:
    if planned < 1:
        raise ValueError(f"planned must be at least 1, not {planned!r}")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, not {confidence!r}")
    return finite(values)
