"""Strengths of players who met in pairs, draws included, with intervals by resampling deals.

Davidson's model (1970, JASA 65, equation 2.4): win, draw and loss of a player who is stronger by d have the odds
exp(d / 2) : v : exp(-d / 2), where v says how common draws are (Bradley and Terry 1952 without them). Every two
players who met count one match more, half of it won by each, so that somebody who won every match has a strength,
too. Matches of a deal share their luck, whoever plays them, so deals are drawn again as wholes; the quantiles are
as far out as Student's t asks for (the expanded percentile interval, Hesterberg 2015, American Statistician 69).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from worker.analysis.intervals import CONFIDENCE, Interval

Array = NDArray[np.float64]

ELO = 400 / math.log(10)
"""Elo of one unit of d."""
PRIOR = 0.5
"""Wins that each of two players who met has besides."""
LEAST_DEALS = 10
"""Deals under which resampling says too little."""
RESAMPLES = 1000
STEPS = 50
"""Newton's steps at most; the likelihood is concave, and about six suffice."""
FARTHEST = 2.0
"""Length of a step in a strength."""
CLOSE = 1e-10
"""Step that is not worth another."""
RAREST = -20.0
"""Logarithm of v where there are no draws."""


@dataclass(frozen=True, slots=True)
class PairMatch:
    """Match of two players, by their numbers. points: of the first one: 1, 0.5 for a draw, or 0."""

    first: int
    second: int
    points: float
    deal: int


@dataclass(frozen=True, slots=True)
class Strength:
    """Strength of a player in Elo; the interval is None where deals are too few, and for the player others are from."""

    elo: float
    interval: Interval | None
    matches: int
    points: float


def strengths(
    matches: Sequence[PairMatch], players: int, seed: int, anchor: int | None = None, confidence: float = CONFIDENCE
) -> tuple[Strength, ...]:
    """Strength of each player, less that of the anchor (None: less the mean of all).

    Raises ValueError where some players met none of the others, not even by way of third ones, or points are wrong.
    """
    pairs, counts = _counted(matches)
    _check_connected(pairs, players)
    total = counts.sum(axis=0)
    found = _relative(_fitted(total[None], pairs, players), anchor)[0]
    ends = _ends(counts, pairs, players, seed, anchor, confidence)
    played, points = np.zeros(players, dtype=np.int64), np.zeros(players)
    for (a, b), (won, drawn, lost) in zip(pairs, total, strict=True):
        played[[a, b]] += int(won + drawn + lost)
        points[a] += won + drawn / 2
        points[b] += lost + drawn / 2
    return tuple(
        Strength(
            float(found[i]),
            None if ends is None or i == anchor else Interval(float(ends[0, i]), float(ends[1, i])),
            int(played[i]),
            float(points[i]),
        )
        for i in range(players)
    )


def _counted(matches: Sequence[PairMatch]) -> tuple[list[tuple[int, int]], Array]:
    """Pairs that met, and wins, draws and losses of the lower number: float64[deals, pairs, 3]."""
    for match in matches:
        if match.points not in {0, 0.5, 1} or match.first == match.second:
            raise ValueError(f"two players share one point as 1, 0.5 or 0, not as {match!r}")
    pairs = sorted({(min(m.first, m.second), max(m.first, m.second)) for m in matches})
    number = {pair: i for i, pair in enumerate(pairs)}
    deals = {deal: i for i, deal in enumerate(sorted({match.deal for match in matches}))}
    counts = np.zeros((len(deals), len(pairs), 3))
    for m in matches:
        first = m.first < m.second
        points = m.points if first else 1 - m.points
        counts[deals[m.deal], number[(m.first, m.second) if first else (m.second, m.first)], round(2 - 2 * points)] += 1
    return pairs, counts


def _check_connected(pairs: Sequence[tuple[int, int]], players: int) -> None:
    group = list(range(players))
    for a, b in pairs:
        group = [group[a] if g == group[b] else g for g in group]
    if len(set(group)) > 1:
        apart = [i for i in range(players) if group[i] != group[0]]
        raise ValueError(f"players {apart} met none of the others, so nothing says how strong they are beside them")


def _fitted(counts: Array, pairs: Sequence[tuple[int, int]], players: int) -> Array:
    """Likeliest strengths: float64[R, players] of counts float64[R, pairs, 3], by Newton's method.

    Sufficient are, of each player, half of what he won more often than he lost, and the number of draws.
    """
    design = np.zeros((len(pairs), players))
    for i, (a, b) in enumerate(pairs):
        design[i, a], design[i, b] = 1, -1
    has_draws = bool(counts[..., 1].any())
    won, drawn, lost = counts[..., 0] + PRIOR, counts[..., 1], counts[..., 2] + PRIOR
    played = won + drawn + lost
    strength, log_v = np.zeros((len(counts), players)), np.full(len(counts), 0.0 if has_draws else RAREST)
    for _ in range(STEPS):
        odds = np.stack(
            [strength @ design.T / 2, np.broadcast_to(log_v[:, None], played.shape), -strength @ design.T / 2]
        )
        win, draw, loss = special.softmax(odds, axis=0)
        lead, draws = (won - lost - played * (win - loss)) / 2, (drawn - played * draw).sum(axis=1)
        spread = played * (win + loss - (win - loss) ** 2) / 4
        cross = -played * draw * (win - loss) / 2
        information = np.zeros((len(counts), players + 1, players + 1))
        information[:, :players, :players] = np.einsum("rp,pi,pj->rij", spread, design, design) + 1 / players
        information[:, :players, players] = information[:, players, :players] = cross @ design
        information[:, players, players] = (played * draw * (1 - draw)).sum(axis=1) + 1e-12
        gradient = np.concatenate([lead @ design, draws[:, None] * has_draws], axis=1)
        step = np.clip(np.linalg.solve(information, gradient[..., None])[..., 0], -FARTHEST, FARTHEST)
        before, strength, log_v = log_v, strength + step[:, :players], np.maximum(log_v + step[:, players], RAREST)
        if np.abs(step[:, :players]).max() < CLOSE and (not has_draws or np.abs(log_v - before).max() < CLOSE):
            break
    return strength


def _relative(strength: Array, anchor: int | None) -> Array:
    origin = strength.mean(axis=1) if anchor is None else strength[:, anchor]
    return ELO * (strength - origin[:, None])


def _ends(
    counts: Array, pairs: Sequence[tuple[int, int]], players: int, seed: int, anchor: int | None, confidence: float
) -> Array | None:
    """Lower and upper ends: float64[2, players]; None with too few deals."""
    deals = len(counts)
    if deals < LEAST_DEALS:
        return None
    rng = np.random.Generator(np.random.PCG64(seed))
    drawn = rng.multinomial(deals, np.full(deals, 1 / deals), size=RESAMPLES).astype(np.float64)
    resampled = (drawn @ counts.reshape(deals, -1)).reshape(RESAMPLES, len(pairs), 3)
    found = _relative(_fitted(resampled, pairs, players), anchor)
    t = float(special.stdtrit(deals - 1, (1 + confidence) / 2))
    tail = float(special.ndtr(-t * math.sqrt(deals / (deals - 1))))
    return np.asarray(np.quantile(found, (tail, 1 - tail), axis=0))
