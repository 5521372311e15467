"""Sequential halving: many candidates, of which the better half goes on, round after round, until one is left.

Karnin, Koren and Somekh 2013, *Almost optimal exploration in multi-armed bandits*, algorithm 1: the rounds have equal
shares of the budget, so that the fewer candidates there are, the more is known of each. Theirs starts anew in each
round; here what earlier rounds showed counts too, since all that are left have met the same deals. What the winner
showed is too good by then (it was chosen for it), so a claim needs deals of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

PRIMES = (2, 3, 5, 7, 11, 13, 17, 19)
"""Bases of Halton's sequence: so many dimensions there can be."""


class Round(NamedTuple):
    """So many candidates meet so many further deals."""

    candidates: int
    deals: int


def rounds(candidates: int, budget: int) -> tuple[Round, ...]:
    """The rounds of a search; budget: deals over all candidates and rounds, each of which has one deal at least."""
    sizes = [candidates]
    while sizes[-1] > 2:
        sizes.append(math.ceil(sizes[-1] / 2))
    return tuple(Round(size, max(1, budget // len(sizes) // size)) for size in sizes)


def better_half(playing: Sequence[int], means: Sequence[float | None]) -> tuple[int, ...]:
    """The candidates that go on: those with the highest means, in their order; of equals the first.

    playing: their numbers; means: of each of them, None where nothing is known, which is worst.
    """
    ranked = sorted(range(len(playing)), key=lambda i: (means[i] is None, -(means[i] or 0.0), i))
    return tuple(playing[i] for i in sorted(ranked[: math.ceil(len(playing) / 2)]))


def points(number: int, dimensions: int, shift: NDArray[np.float64]) -> NDArray[np.float64]:
    """The number-th point of a sequence that fills the unit cube evenly, from 1 on: Halton's (1960), shifted.

    shift: float64[dimensions], added modulo 1 (Cranley and Patterson 1976). Returns float64[dimensions].
    """
    found = np.array([_radical_inverse(number, base) for base in PRIMES[:dimensions]])
    return np.asarray((found + shift) % 1.0)


def _radical_inverse(number: int, base: int) -> float:
    """The digits of a number behind the point, the last one first."""
    value, weight = 0.0, 1.0 / base
    while number:
        number, digit = divmod(number, base)
        value += digit * weight
        weight /= base
    return value
