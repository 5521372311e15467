"""Strengths of players who met in twos or more: the model of Bradley and Terry (1952) and of Plackett and Luce.

The best of the sides at a table is player i with probability e^s_i / sum of e^s_j, the next best is the best of the
others, and so on (Luce 1959; Plackett 1975, Applied Statistics 24, section 2). Two sides make Bradley and Terry's
model. What is known of matches is then how often each player was chosen, and from which sets: chosen T_i, sets c_S, and

    log-likelihood = sum_i T_i s_i - sum_S c_S log(sum_{i in S} e^s_i),

which is concave (Hunter 2004, Annals of Statistics 32, section 3).

A tie counts as each of the orders that it allows, in equal parts; of two sides this is half a win for each. So a
difference of strengths is the logistic Elo of the expected share of points, whether draws are common or rare, which
is also what levels and people are rated by. Davidson's parameter for draws (1970) would make it that of decisive
matches instead, and would have to be right about draws, while expected points need no such assumption.

A player who won every match has no largest likelihood. So each player has one deal more, half won and half lost,
spread evenly over those it met (see `Counts.extra`).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.analysis.lazy_scipy import special

Array = NDArray[np.float64]
Players = tuple[int, ...]

EXTRA = 1.0
"""Deals that each player has besides, half won."""
STEPS = 60
"""Newton's steps at most; about six suffice unless somebody won or lost nearly all."""
FARTHEST = 2.0
"""Length of a step in a strength."""
CLOSE = 1e-9
"""Step that is not worth another."""


class Ranking(NamedTuple):
    """How a match ended. players: of each side; ranks: 1 is best, equal ones tied; times: how often it came out so."""

    deal: int
    players: Players
    ranks: tuple[int, ...]
    times: int = 1


@dataclass(frozen=True)
class Counts:
    """Matches as the likelihood sees them, deal by deal.

    deals: their numbers, ascending; sets: from which players were chosen, of two or more; chosen: float64[deals, N],
    how often each player was; times: float64[deals, sets]; pairs: those who met, the lower number first; ahead,
    met: float64[deals, pairs], how often the lower number came in ahead (half for ties), and how often they met;
    tables: float64[pairs], on how many deals they met, one for each line-up there.
    """

    players: int
    deals: NDArray[np.int64]
    sets: tuple[Players, ...]
    chosen: Array
    times: Array
    pairs: tuple[tuple[int, int], ...]
    ahead: Array
    met: Array
    tables: Array

    @property
    def deals_of_each(self) -> NDArray[np.int64]:
        """Deals that each player took part in: int64[N]."""
        took = [self.met[:, [i in pair for pair in self.pairs]].any(axis=1).sum() for i in range(self.players)]
        return np.array(took, dtype=np.int64)

    @property
    def extra(self) -> Array:
        """Matches that each pair has besides, half won: float64[pairs].

        One deal for each player, spread over those it met: 1 / (number of them), averaged between the two, times
        how often a line-up has them meet on a deal, since all these may go alike.
        """
        degree = np.bincount(np.array(self.pairs).ravel(), minlength=self.players)
        share = np.array([(1 / degree[a] + 1 / degree[b]) / 2 for a, b in self.pairs])
        return EXTRA * share * self.meetings

    @property
    def meetings(self) -> Array:
        """Matches of a deal in which a line-up has two players meet: float64[pairs]."""
        found: Array = self.met.sum(axis=0) / self.tables
        return found

    def groups(self) -> list[list[int]]:
        """Players that can be compared with each other, if only by way of third ones; the largest group first."""
        group = list(range(self.players))
        for a, b in self.pairs:
            group = [group[a] if g == group[b] else g for g in group]
        found = [[i for i in range(self.players) if group[i] == g] for g in dict.fromkeys(group)]
        return sorted(found, key=len, reverse=True)


def counts(rankings: Iterable[Ranking], players: int) -> Counts:
    """Add up matches. Raises ValueError where a match has one side, a player twice, or a rank too few."""
    rows = [_checked(ranking, players) for ranking in rankings]
    deals = np.unique(np.array([row.deal for row in rows], dtype=np.int64))
    place = {int(deal): i for i, deal in enumerate(deals)}
    sets = _numbered({chosen for row in rows for chosen in _choices(row.players, row.ranks)[1]})
    pairs = _numbered({pair for row in rows for pair in itertools.combinations(sorted(row.players), 2)})
    chosen, times = np.zeros((len(deals), players)), np.zeros((len(deals), len(sets)))
    ahead, met = np.zeros((len(deals), len(pairs))), np.zeros((len(deals), len(pairs)))
    tables = np.zeros(len(pairs))
    for _, table in {(row.deal, tuple(sorted(row.players))) for row in rows}:
        tables[[pairs[pair] for pair in itertools.combinations(table, 2)]] += 1
    for row in rows:
        deal = place[row.deal]
        won, asked = _choices(row.players, row.ranks)
        for player, part in won.items():
            chosen[deal, player] += row.times * part
        for members, part in asked.items():
            times[deal, sets[members]] += row.times * part
        for (a, rank_a), (b, rank_b) in itertools.combinations(sorted(zip(row.players, row.ranks, strict=True)), 2):
            met[deal, pairs[a, b]] += row.times
            ahead[deal, pairs[a, b]] += row.times * (0.5 if rank_a == rank_b else float(rank_a < rank_b))
    two_each = tuple((a, b) for a, b in pairs)
    return Counts(players, deals, tuple(sets), chosen, times, two_each, ahead, met, tables)


def _checked(row: Ranking, players: int) -> Ranking:
    is_known = all(0 <= player < players for player in row.players)
    if not is_known or len(row.players) < 2 or len(set(row.players)) < len(row.players):
        raise ValueError(f"a match has two or more different players of {players}, not {row!r}")
    if len(row.ranks) != len(row.players):
        raise ValueError(f"each player has a rank, unlike in {row!r}")
    return row


def _numbered(found: set[Players]) -> dict[Players, int]:
    return {members: i for i, members in enumerate(sorted(found, key=lambda members: (len(members), members)))}


@cache
def _choices(players: Players, ranks: tuple[int, ...]) -> tuple[Mapping[int, float], Mapping[Players, float]]:
    """How often each player was chosen in a match, and from which sets, over all orders that its ties allow."""
    ties = [[p for p, r in zip(players, ranks, strict=True) if r == rank] for rank in sorted(set(ranks))]
    orders = [list(itertools.chain(*parts)) for parts in itertools.product(*map(itertools.permutations, ties))]
    chosen: dict[int, float] = {}
    sets: dict[Players, float] = {}
    for order in orders:
        for i, best in enumerate(order[:-1]):
            left = tuple(sorted(order[i:]))
            chosen[best] = chosen.get(best, 0.0) + 1 / len(orders)
            sets[left] = sets.get(left, 0.0) + 1 / len(orders)
    return chosen, sets


def fit(counted: Counts, weights: Array, ahead: Array, behind: Array, start: Array | None = None) -> Array:
    """Likeliest strengths, whose mean is 0, where deals count so often: float64[R, N], by Newton's method.

    weights: float64[R, deals]; ahead, behind: float64[R, pairs], wins and losses that pairs have besides.
    """
    first, second = np.array(counted.pairs).T
    sets, times = _padded(counted, weights @ counted.times, ahead + behind)
    chosen = weights @ counted.chosen
    for players, more in ((first, ahead), (second, behind)):
        np.add.at(chosen.T, players, more.T)
    strength = np.zeros_like(chosen) if start is None else np.repeat(start[None], len(chosen), axis=0)
    for _ in range(STEPS):
        step = np.clip(_step(strength, chosen, sets, times), -FARTHEST, FARTHEST)
        strength += step
        if np.abs(step).max() < CLOSE:
            break
    centred: Array = strength - strength.mean(axis=1, keepdims=True)
    return centred


def _padded(counted: Counts, times: Array, extra: Array) -> tuple[NDArray[np.int64], Array]:
    """Sets as rows of equal length (with the number of players where there is none), those of the pairs included."""
    members = [*counted.sets, *counted.pairs]
    size = max(map(len, members))
    rows = np.array([[*row, *[counted.players] * (size - len(row))] for row in members])
    return rows, np.concatenate([times, extra], axis=1)


def _step(strength: Array, chosen: Array, sets: NDArray[np.int64], times: Array) -> Array:
    """Newton's step of each row; a ridge along (1, ..., 1), in which the likelihood is flat, keeps the mean."""
    runs, players = strength.shape
    padded = np.concatenate([strength, np.full((runs, 1), -np.inf)], axis=1)
    expected, information = np.zeros((runs, players + 1)), np.zeros((runs, players + 1, players + 1))
    chance = special.softmax(padded[:, sets], axis=2)
    for i in range(sets.shape[1]):
        part = times * chance[:, :, i]
        _add(expected, sets[:, i], part)
        _add(information.reshape(runs, -1), sets[:, i] * (players + 2), part)
        for j in range(sets.shape[1]):
            _add(information.reshape(runs, -1), sets[:, i] * (players + 1) + sets[:, j], -part * chance[:, :, j])
    gradient = chosen - expected[:, :players]
    return np.linalg.solve(information[:, :players, :players] + 1 / players, gradient[..., None])[..., 0]


def _add(target: Array, columns: NDArray[np.int64], values: Array) -> None:
    """Add values to columns of which some may be the same."""
    order = np.argsort(columns, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(columns[order]) > 0])
    target[:, columns[order][starts]] += np.add.reduceat(values[:, order], starts, axis=1)


def expected_share(strength: Array, pairs: Sequence[tuple[int, int]]) -> Array:
    """Probability that the first of each pair comes in ahead of the second: float64[..., pairs].

    In this model it is the same whoever else is at the table (Luce's choice axiom).
    """
    first, second = np.array(pairs).T
    share: Array = special.expit(strength[..., first] - strength[..., second])
    return share
