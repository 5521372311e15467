"""Populations count trees and layered graphs without bias: against counts by hand and by enumeration."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from games import rng
from worker.studies import populations


def stream(seed: int) -> Any:
    return rng.new_stream(seed, rng.ANALYSIS)


def lopsided(node: int, r: Any) -> tuple[float, int]:
    """Node n has the children 0 .. n - 1: nodes at depth d are falling chains of d numbers below n."""
    return (float(node), rng.below(r, node)) if node else (0.0, node)


def numbers(logs: list[float | None]) -> Any:
    """The numbers themselves; what never came up is zero."""
    return np.array([0.0 if log is None else 10**log for log in logs])


def assert_mean(found: Any, expected: float) -> None:
    """The mean is as expected within four of its standard errors, which are small."""
    error = found.std(ddof=1) / math.sqrt(len(found))
    assert abs(found.mean() - expected) < 4 * error + 1e-9
    assert error < 0.1 * expected


def test_a_regular_tree_is_counted_exactly_by_every_population() -> None:
    found = populations.count(0, lambda depth, r: (3.0 if depth < 4 else 0.0, depth + 1), 5, stream(1))
    assert [10**log for log in found.levels if log is not None] == pytest.approx([1, 3, 9, 27, 81])
    assert 10 ** (found.leaves or 0) == pytest.approx(81)
    assert found.marked == ()


def test_a_lopsided_tree_is_counted_without_bias() -> None:
    # from 6: chains of d numbers below 6; those that end in 0, with any of 1 .. 5 before it, are leaves
    counts = [populations.count(6, lopsided, 20, stream(seed)) for seed in range(300)]
    for depth in range(1, 5):
        at = numbers([count.levels[depth] if depth < len(count.levels) else None for count in counts])
        assert_mean(at, math.comb(6, depth))
    assert_mean(numbers([count.leaves for count in counts]), 32)


@pytest.mark.long
@pytest.mark.parametrize("steepness", [2.0, -0.5])
def test_a_guess_of_what_hangs_below_brings_no_bias(steepness: float) -> None:
    """Right or wrong: below node n hang 2^n nodes, and the guess may say otherwise."""
    guess = lambda node: steepness * node
    counts = [populations.count(6, lopsided, 30, stream(seed), promise=guess) for seed in range(300)]
    assert_mean(numbers([count.leaves for count in counts]), 32)


def test_nodes_that_many_paths_reach_count_once() -> None:
    """Subsets of five things, one more at each step: five choose d, not 5! / (5 - d)! paths."""

    def add(subset: frozenset[int], r: Any) -> tuple[float, frozenset[int]]:
        missing = [thing for thing in range(5) if thing not in subset]
        if not missing:
            return 0.0, subset
        return len(missing) / (len(subset) + 1), subset | {missing[rng.below(r, len(missing))]}

    found = populations.count(frozenset(), add, 4, stream(2))
    assert [10**log for log in found.levels if log is not None] == pytest.approx([1, 5, 10, 10, 5, 1])


def test_marks_are_summed_over_nodes() -> None:
    # every node of depth d brings d: level sums 0, 1 * 3, 2 * 9
    def mark(depth: int) -> float:
        return math.log(depth) if depth else -math.inf

    found = populations.count(0, lambda depth, r: (3.0 if depth < 2 else 0.0, depth + 1), 5, stream(1), mark)
    assert found.marked[0] is None
    assert [10**log for log in found.marked[1:] if log is not None] == pytest.approx([3, 18])


def test_the_same_stream_gives_the_same_count() -> None:
    assert populations.count(9, lopsided, 10, stream(5)) == populations.count(9, lopsided, 10, stream(5))
    assert populations.count(9, lopsided, 10, stream(5)) != populations.count(9, lopsided, 10, stream(6))


def test_numbers_beyond_floats_are_logarithms() -> None:
    found = populations.count(0, lambda depth, r: (1e9 if depth < 100 else 0.0, depth + 1), 2, stream(1))
    assert found.levels[100] == pytest.approx(900)
