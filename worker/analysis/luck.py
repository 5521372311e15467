"""Luck apart from play: what a match's margin is made of.

With V the expected margin of a seat if everybody played on by one policy, a match goes from
V(start) to the margin at its end by steps of two kinds: chance, and decisions. A decision is
worth V after it less V before it, where V before it lets the policy decide: nothing, on average,
for a player who plays as the policy does. What is left is the luck of the draws, so

    margin at the end = V(start) + own decisions + the others' decisions + luck.

Decisions are estimated by paired playouts, independently of each other, so their errors add up
by squares; luck is the difference, and needs no estimates of its own. Of a match that was cut
short V where it stood is in place of the margin, with an error of its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from worker.analysis.intervals import CONFIDENCE, Interval
from worker.analysis.lazy_scipy import special
from worker.analysis.moments import Moments


class Estimate(NamedTuple):
    """A mean and its standard error; 0 where it is known exactly."""

    mean: float
    error: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Estimate:
        """Estimate from samples, at least two of them."""
        moments = Moments.of(values)
        assert moments.mean is not None
        assert moments.deviation is not None
        return cls(moments.mean, moments.deviation / math.sqrt(moments.n))

    def interval(self, confidence: float = CONFIDENCE) -> Interval:
        """Normal interval: estimates here rest on hundreds of samples."""
        half = float(special.ndtri((1 + confidence) / 2)) * self.error
        return Interval(self.mean - half, self.mean + half)


def total(estimates: Iterable[Estimate]) -> Estimate:
    """The sum of independent estimates."""
    found = list(estimates)
    return Estimate(sum(one.mean for one in found), math.sqrt(sum(one.error**2 for one in found)))


def difference(first: Estimate, second: Estimate) -> Estimate:
    """First less second, independent of each other."""
    return Estimate(first.mean - second.mean, math.hypot(first.error, second.error))


@dataclass(frozen=True)
class MarginParts:
    """The parts of one seat's margin; their means add up to it."""

    start: Estimate
    own: Estimate
    others: Estimate
    luck: Estimate


def split_margin(start: Estimate, own: Iterable[Estimate], others: Iterable[Estimate], margin: Estimate) -> MarginParts:
    """Part a seat's margin at the end. own, others: what decisions were worth to this seat."""
    ours, theirs = total(own), total(others)
    return MarginParts(start, ours, theirs, difference(margin, total((start, ours, theirs))))


def joint_confidence(looks: int, confidence: float = CONFIDENCE) -> float:
    """The confidence of each of `looks` intervals that hold together (Bonferroni 1936)."""
    if looks < 1:
        raise ValueError(f"looks must be at least 1, not {looks}")
    return 1 - (1 - confidence) / looks
