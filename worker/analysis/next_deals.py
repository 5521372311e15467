"""Choice of what a pool plays next: the tables whose deals put most players in order for what they cost.

A table's deals are worth the points that they are expected to save: for two players whose lead d is known with the
error s, the mistake of taking the wrong one for the stronger is expected to be smaller by

    r f(-|d| / r),   f(z) = density(z) + z probability(z),

where r^2 is the part of s^2 that the deals take away (the knowledge gradient for correlated beliefs: Frazier, Powell
and Dayanik 2009, INFORMS Journal on Computing 21, equation 14). Summed over all pairs of players and divided by the
seconds of the deals this is the gain of a table.

Deals that go only where the order is open make ratings lie too far apart: who was lucky to win by much is not asked
again. So every other choice looks at no lead: of the two neighbours whose lead is known worst, it takes the table that
tells most of it a second. After each choice the errors are those that its deals will leave.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from worker.analysis.lazy_scipy import special
from worker.analysis.plackett_luce import Counts, Players
from worker.analysis.ratings import ELO, Ratings

Array = NDArray[np.float64]

Z = 1.96
"""Errors on each side of a 95 % interval."""
ORDER, WIDTH = "order", "width"
"""Reasons of a choice: an order that is open, a lead that is known worst."""
DIGITS = 9
"""Digits of gains that are compared: rounding does not decide, of equal ones the first is taken."""


@dataclass(frozen=True, slots=True)
class Table:
    """Players at a table, the matches of one deal there, and the seconds that they take."""

    players: Players
    matches: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Choice:
    """A table that is played next, and why: the two of whose order or lead its deals tell most.

    before, after: half of the 95 % interval of their lead.
    """

    table: int
    why: str
    first: int
    second: int
    before: float
    after: float


def design_effect(counted: Counts, ratings: Ratings) -> float:
    """Squared error of ratings as a multiple of what independent matches would give."""
    strength = ratings.elo / ELO
    information = np.full((counted.players, counted.players), 1 / counted.players)
    for members, times in zip(counted.sets, counted.times.sum(axis=0), strict=True):
        information[np.ix_(members, members)] += times * _choice(strength[list(members)])
    independent = np.linalg.inv(information) - 1 / counted.players
    return float(np.trace(ratings.covariance) / (ELO**2 * np.trace(independent)))


def choose(
    elo: Array, covariance: Array, effect: float, tables: Sequence[Table], deals: int, number: int
) -> list[Choice]:
    """The next tables for so many deals each; one that is worth nothing is not among them.

    elo, covariance: of the players; effect: `design_effect`.
    """
    strength, players = elo / ELO, len(elo)
    pairs = np.array(list(itertools.combinations(range(players), 2)))
    contrasts = np.zeros((len(pairs), players))
    contrasts[np.arange(len(pairs)), pairs[:, 0]], contrasts[np.arange(len(pairs)), pairs[:, 1]] = 1, -1
    leads = np.abs(contrasts @ elo)
    worth = np.zeros((len(tables), players, players))
    for i, table in enumerate(tables):
        members = list(table.players)
        worth[i][np.ix_(members, members)] = (
            deals * table.matches * ranking_information(strength[members]) / (ELO**2 * effect)
        )
    seconds = np.array([deals * table.seconds for table in tables])
    neighbours = _neighbours(elo, pairs)
    found: list[Choice] = []
    for i in range(min(number, len(tables))):
        after = covariance - covariance @ np.linalg.solve(np.eye(players) + worth @ covariance, worth @ covariance)
        before, left = _variances(contrasts, covariance[None])[0], _variances(contrasts, after)
        saved = _saved(leads, np.sqrt(np.maximum(before - left, 0)))
        widest = neighbours[int(np.argmax(np.round(before[neighbours], DIGITS)))]
        gains = saved.sum(axis=1) if i % 2 == 0 else before[widest] - left[:, widest]
        best = _first_largest(gains / seconds, [choice.table for choice in found])
        if best is None:
            continue
        pair = int(np.argmax(np.round(saved[best], DIGITS))) if i % 2 == 0 else widest
        widths = [Z * math.sqrt(max(0.0, float(v))) for v in (before[pair], left[best, pair])]
        upper, lower = sorted(map(int, pairs[pair]), key=lambda i: -elo[i])
        found.append(Choice(best, WIDTH if i % 2 else ORDER, upper, lower, *widths))
        covariance = after[best]
    return found


def _neighbours(elo: Array, pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Places of those pairs that follow each other in the order."""
    rank = np.argsort(np.argsort(-elo, kind="stable"))
    return np.flatnonzero(np.abs(rank[pairs[:, 0]] - rank[pairs[:, 1]]) == 1)


def _first_largest(gains: Array, taken: Sequence[int]) -> int | None:
    """Place of the largest gain but for those that are taken; None where none is above 0."""
    rounded = [-math.inf if i in taken else float(f"{gain:.{DIGITS}g}") for i, gain in enumerate(gains)]
    best = int(np.argmax(rounded))
    return best if rounded[best] > 0 else None


def _variances(contrasts: Array, covariance: Array) -> Array:
    """Variance of each contrast: float64[R, pairs] of float64[R, N, N]."""
    found: Array = np.einsum("pi,rij,pj->rp", contrasts, covariance, contrasts, optimize=True)
    return found


def _saved(leads: Array, spread: Array) -> Array:
    """Points that are saved where the error of a lead becomes smaller by so much."""
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where(spread > 0, -leads / spread, -np.inf)
    saved = spread * np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi) - leads * special.ndtr(z)
    return np.maximum(np.where(spread > 0, saved, 0.0), 0.0)


def ranking_information(strength: Array) -> Array:
    """Fisher's information of one ranking of all these players: the sum over the sets that are chosen from."""
    size = len(strength)
    odds = np.exp(strength - strength.max())
    reached = {tuple(range(size)): 1.0}
    found = np.zeros((size, size))
    for left in range(size, 1, -1):
        for members in [members for members in reached if len(members) == left]:
            chance = reached[members]
            rows = list(members)
            found[np.ix_(rows, rows)] += chance * _choice(strength[rows])
            for best in members:
                rest = tuple(i for i in members if i != best)
                reached[rest] = reached.get(rest, 0.0) + chance * float(odds[best] / odds[rows].sum())
    return found


def _choice(strength: Array) -> Array:
    """Information of one choice among these players."""
    chance = special.softmax(strength)
    found: Array = np.diag(chance) - np.outer(chance, chance)
    return found
