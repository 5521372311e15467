"""Skills of players, match after match, beside anchors whose own places are known with errors only.

The skill of a player is a normal distribution, and a side is as good as the skills of its players together.
Side a is ahead of side b with the chance 1 / (1 + exp(-(a - b) / ELO)) (Bradley and Terry 1952; a draw is half
of both). What a match says is put in by expectation propagation (Minka 2001, *Expectation Propagation for
Approximate Bayesian Inference*, UAI, section 3; TrueSkill by Herbrich, Minka and Graepel 2006 is the same with
another curve): each pair of sides becomes a normal term with the mean and the variance that the pair's own
likelihood has beside all else. With two sides, mean and variance are exact.

An anchor does not learn: its place is a number from elsewhere, and may be off. How far a player's mean follows
that number if it moves is the player's *leaning* on the anchor: the derivative of the one by the other, match by
match, with the terms as they are. Where the errors of the anchors' places have the covariance S, a player with
the leanings c is off by c'Sc because of them, beside the variance that the player's own matches leave open; the
difference of two players is off by (c - d)'S(c - d), so what both lean on alike is nothing between them. These
are parameters that a filter "considers" and does not estimate (Schmidt 1966; Jazwinski 1970, *Stochastic
Processes and Filtering Theory*, section 8.4): the gain is that of the whole covariance, and then the anchors'
rows of it are struck out. With the gain K of what a match shows with the variance R, leanings c become (1 - K) c,
and variances V become (1 - K) V (1 - K)' + K R K' (Joseph's form, right for any gain; section 8.4, too).
Covariances between players' own parts, by what they learnt from each other, are dropped.

All arrays begin with R, worlds side by side: one in a lab, thousands in a simulation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from worker.analysis.ratings import ELO

Array = NDArray[np.float64]

NODES = 40
"""Points of Gauss and Hermite's quadrature; 21 differ from 80 by a hundredth of a point at a deviation of 700."""
ROUNDS = 40
"""Rounds of expectation propagation at most."""
CLOSE = 1e-4
"""Points by which no mean moves any more."""
CAUTION = 0.7
"""Part of a step that is taken where pairs work on each other."""

_nodes, _weights = np.polynomial.hermite_e.hermegauss(NODES)
_log_weights = np.log(_weights / _weights.sum())


@dataclass(frozen=True)
class Skills:
    """Skills of N players in R worlds, in points of Elo.

    mean, variance: float64[R, N]; an anchor's variance is 0.
    leaning: float64[R, N, J], on each of J anchors; an anchor's own row is 1 at its place and 0 elsewhere.
    """

    mean: Array
    variance: Array
    leaning: Array


def after_match(skills: Skills, anchors: Array, side_of: Sequence[int], ranks: Array) -> Skills:
    """The skills after a match of all players.

    anchors: float64[J, J], covariance of their places; side_of: side of each player; ranks: float64[R, sides],
    1 is best, equal ones drew.
    """
    contrast, ahead = _pairs(side_of, ranks)
    prior = _covariance(skills, anchors)
    moved, information = _posterior(skills.mean, prior, contrast, ahead, ranking_weight(ranks.shape[1]))
    learns = skills.variance > 0
    covariance = np.where(learns[..., None], _after(prior, information), 0.0)
    kept = np.eye(learns.shape[1]) - covariance @ information
    own = np.einsum("rij,rj->ri", kept**2, skills.variance)
    own += np.einsum("rij,rjk,rik->ri", covariance, information, covariance)
    return Skills(skills.mean + np.where(learns, moved, 0.0), own, kept @ skills.leaning)


def _covariance(skills: Skills, anchors: Array) -> Array:
    own = skills.variance[..., None] * np.eye(skills.variance.shape[1])
    return own + skills.leaning @ anchors @ skills.leaning.swapaxes(1, 2)


def ranking_weight(num_sides: int) -> float:
    """The information of one ranking of `num_sides` sides, as a share of that of its pairs taken one by one.

    The pairs of a ranking hang together. Of equal sides, by Plackett and Luce, the choice of the best
    of m tells 1/m (1 - 1/m) of a side that is among them, which m of n are: 1/n times the sum of
    1 - 1/m in all, where n - 1 pairs tell a quarter each (Fisher information). 1 with two sides, 23/36 with four.
    """
    ranking = sum(1 - 1 / left for left in range(2, num_sides + 1)) / num_sides
    return ranking / ((num_sides - 1) / 4)


def _pairs(side_of: Sequence[int], ranks: Array) -> tuple[Array, Array]:
    """Who stands against whom in each pair of sides, float64[pairs, N], and whether the first is ahead, [R, pairs]."""
    pairs = np.array(list(combinations(range(ranks.shape[1]), 2)))
    first, second = (np.equal.outer(pairs[:, place], np.asarray(side_of)) for place in (0, 1))
    ahead = (1 + np.sign(ranks[:, pairs[:, 1]] - ranks[:, pairs[:, 0]])) / 2
    return first.astype(np.float64) - second, ahead


def _posterior(mean: Array, prior: Array, contrast: Array, ahead: Array, weight: float) -> tuple[Array, Array]:
    """By how much means move, float64[R, N], and the information of the match about them, float64[R, N, N]."""
    several = len(contrast) > 1
    speed = CAUTION if several else 1.0
    precision, pull = np.zeros(ahead.shape), np.zeros(ahead.shape)
    start, moved = mean @ contrast.T, np.zeros_like(mean)
    for _ in range(ROUNDS if several else 1):
        spread = np.einsum("pi,rij,pj->rp", contrast, _after(prior, _information(precision, contrast)), contrast)
        rest = 1 / np.maximum(1 - spread * precision, 1e-9)
        expected = (start + moved @ contrast.T - spread * pull) * rest
        beside = np.maximum(spread * rest, 1e-9)  # nothing is to learn between two anchors
        found_mean, found_variance = _tilted(expected, beside, ahead, weight)
        precision += speed * (np.maximum(1 / found_variance - 1 / beside, 0) - precision)
        pull += speed * (found_mean / found_variance - expected / beside - pull)
        before = moved
        after = _after(prior, _information(precision, contrast))
        moved = np.einsum("rij,rj->ri", after, (pull - precision * start) @ contrast)
        if np.abs(moved - before).max(initial=0) < CLOSE:
            break
    return moved, _information(precision, contrast)


def _information(precision: Array, contrast: Array) -> Array:
    found: Array = np.einsum("rp,pi,pj->rij", precision, contrast, contrast)
    return found


def _after(prior: Array, information: Array) -> Array:
    """Covariance after so much information."""
    found: Array = np.linalg.solve(np.eye(prior.shape[1]) + prior @ information, prior).astype(np.float64, copy=False)
    return found


def _tilted(mean: Array, variance: Array, ahead: Array, weight: float) -> tuple[Array, Array]:
    """Mean and variance of a normal difference times the likelihood of what came out, with that weight."""
    at = mean[..., None] + np.sqrt(variance)[..., None] * _nodes
    log = _log_weights - weight * (
        ahead[..., None] * np.logaddexp(0, -at / ELO) + (1 - ahead[..., None]) * np.logaddexp(0, at / ELO)
    )
    mass = np.exp(log - log.max(axis=-1, keepdims=True))
    mass /= mass.sum(axis=-1, keepdims=True)
    found = (mass * at).sum(axis=-1)
    return found, (mass * (at - found[..., None]) ** 2).sum(axis=-1)
