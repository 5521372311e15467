"""Counts the nodes of huge trees and layered graphs by growing populations of random paths.

A path that takes each of its f1, f2, ... choices at random reaches depth d once in f1 * ... * fd
times, so the mean of that product over paths is the number of nodes at depth d, without bias
(Knuth 1975, Estimating the efficiency of backtrack programs). Where different paths lead to the
same node, a step counts for (children of the node it leaves) / (nodes that the new node can
come from): the second factor spreads each node's count over all paths to it, so the mean is
the number of different nodes. Single paths vary by orders of magnitude; a population that
keeps what is heavy and drops what is light varies far less and stays without bias (Chen 1992,
Heterogeneous sampling; the estimate of normalising constants by particle filters, Del Moral
2004, section 7.4).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games import rng
from games.protocol import Rng

Step = Callable[[Any, Rng], tuple[float, Any]]
"""(node, generator) -> (factor of one random step, node reached); factor 0: it goes no further."""

RESAMPLE_BELOW = 0.5
"""Part of the population that effectively counts, below which it is drawn anew."""


@dataclass(frozen=True)
class Count:
    """Decimal logarithms of one population's estimates; None: of zero.

    levels: nodes at depth 0, 1, 2, ...; marked: the sum over those nodes of what `mark` gives
    them; leaves: nodes that go no further, at all depths together.
    """

    levels: tuple[float | None, ...]
    marked: tuple[float | None, ...]
    leaves: float | None


def count(
    start: Any,
    step: Step,
    size: int,
    r: Rng,
    mark: Callable[[Any], float] | None = None,
    promise: Callable[[Any], float] | None = None,
) -> Count:
    """Grow a population of `size` paths until none goes further.

    mark: natural logarithm of a number that each node brings (say, how many ways it can be
    completed); without it `marked` is empty. promise: natural logarithm of a guess of what
    hangs below a node; when the population is drawn anew, nodes are kept by weight times
    promise and the promise is taken back from their weights, so a bad guess costs precision
    but brings no bias. Consumes `r`.
    """
    nodes = [start] * size
    logs = np.zeros(size)
    levels, marked, leaves = [0.0], [], -math.inf
    if mark is not None:
        marked.append(mark(start))
    while True:
        grown = [step(node, r) for node in nodes]
        factors = np.array([factor for factor, _ in grown])
        leaves = float(np.logaddexp(leaves, _log_mean(np.where(factors == 0, logs, -math.inf))))
        with np.errstate(divide="ignore"):
            logs = logs + np.log(factors)
        nodes = [node for _, node in grown]
        if not np.isfinite(logs).any():
            return Count(_decimal(levels), _decimal(marked), _decimal([leaves])[0])
        levels.append(_log_mean(logs))
        if mark is not None:
            alive = np.isfinite(logs)
            marks = [mark(node) if alive[i] else -math.inf for i, node in enumerate(nodes)]
            marked.append(_log_mean(logs + np.array(marks)))
        promises = np.array([promise(node) for node in nodes]) if promise else np.zeros(size)
        nodes, logs = _renewed(nodes, logs, promises, r)


def _renewed(
    nodes: list[Any], logs: NDArray[np.float64], promises: NDArray[np.float64], r: Rng
) -> tuple[list[Any], NDArray[np.float64]]:
    """The population and its weights, drawn anew by weight times promise where too little of it counts."""
    hopes = logs + promises
    if _effective(hopes) >= RESAMPLE_BELOW * len(nodes):
        return nodes, logs
    drawn = _drawn(hopes, r)
    return [nodes[i] for i in drawn], _log_mean(hopes) - promises[drawn]


def _log_mean(logs: NDArray[np.float64]) -> float:
    """Logarithm of the mean of numbers given by their logarithms."""
    top = float(logs.max())
    return top + math.log(float(np.exp(logs - top).mean())) if math.isfinite(top) else -math.inf


def _shares(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    weights = np.exp(logs - logs.max())
    shares: NDArray[np.float64] = weights / weights.sum()
    return shares


def _effective(logs: NDArray[np.float64]) -> float:
    """Equally weighted paths that would tell as much (Kong 1992)."""
    return 1.0 / float((_shares(logs) ** 2).sum())


def _drawn(logs: NDArray[np.float64], r: Rng) -> NDArray[np.int64]:
    """Draw as many paths anew, each as often as its weight says on average (systematic resampling)."""
    size = len(logs)
    points = (rng.uniform(r) + np.arange(size)) / size
    return np.minimum(np.searchsorted(np.cumsum(_shares(logs)), points, side="right"), size - 1).astype(np.int64)


def _decimal(logs: list[float]) -> tuple[float | None, ...]:
    return tuple(log / math.log(10) if math.isfinite(log) else None for log in logs)
