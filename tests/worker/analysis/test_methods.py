"""Both methods of intervals, and how often those of differences for every look leave out the truth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special

from tests.looping import looped
from tests.worker.analysis.coverage import ALONE, ENGINE, World
from worker.analysis import always_valid, independent, paired, rate_differences, rates
from worker.analysis.intervals import Interval
from worker.analysis.methods import FIXED, AlwaysValid
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.rates import Share

Array = NDArray[np.float64]
EVERY = AlwaysValid(60)
WINS = BlockMoments.of([Moments(2, n) for n in [0, 1, 2, 1, 2, 2, 1, 0, 2, 1] * 4])
POINTS = BlockMoments.of([Moments.of([n, n // 2]) for n in [4, -2, 9, 0, 1, 6, 3, 8] * 5])
PLACES = BlockMoments.of([Moments.of([1, 2, 3 - n]) for n in [0, 1, 2, 1, 2] * 8])


def sums_of(first: list[float], second: list[float]) -> tuple[Moments, Moments, Moments]:
    return Moments.of([a - b for a, b in zip(first, second, strict=True)]), Moments.of(first), Moments.of(second)


ONE, OTHER = [1, 0.5, 1, 0, 0.5, 1, 1, 0.5] * 5, [0, 0.5, 0.5, 0, 0.5, 0, 1, 0] * 5
RATE_SUMS = sums_of(ONE, OTHER)
FIRST, SECOND = Moments.of([3, 1, 4, 1, 5, 9, 2, 6]), Moments.of([2, 7, 1, 8, 2, 8])


def test_for_one_look_intervals_are_those_for_a_planned_number() -> None:
    assert FIXED.rate(WINS) == rates.rate_interval(WINS)
    assert FIXED.mean(POINTS) == POINTS.interval()
    assert FIXED.bounded(PLACES, 1, 3) == rates.bounded_interval(PLACES, 1, 3)
    assert FIXED.paired(RATE_SUMS, 3, 0.99) == paired.paired_from_sums(*RATE_SUMS, 3, 0.99)
    assert FIXED.paired_rates(RATE_SUMS, (2, 2), 3, 0.99) == rate_differences.paired_rates_from_sums(
        RATE_SUMS, (2, 2), 3, 0.99
    )
    assert FIXED.independent(FIRST, SECOND, 0.99) == independent.independent_difference(FIRST, SECOND, 0.99)
    shares = [Share.of_blocks(blocks) or Share(0, 0) for blocks in (WINS, PLACES)]
    assert FIXED.independent_rates(WINS, PLACES, 0.99) == rate_differences.independent_rates(*shares, 0.99)


def test_for_every_look_intervals_are_wider() -> None:
    for wide, narrow in (
        (EVERY.rate(WINS), FIXED.rate(WINS)),
        (EVERY.mean(POINTS), FIXED.mean(POINTS)),
        (EVERY.bounded(PLACES, 1, 3), FIXED.bounded(PLACES, 1, 3)),
        (EVERY.paired(RATE_SUMS, 0, 0.95).interval, FIXED.paired(RATE_SUMS, 0, 0.95).interval),
        (
            EVERY.paired_rates(RATE_SUMS, (2, 2), 0, 0.95).interval,
            FIXED.paired_rates(RATE_SUMS, (2, 2), 0, 0.95).interval,
        ),
        (EVERY.independent(FIRST, SECOND, 0.95).interval, FIXED.independent(FIRST, SECOND, 0.95).interval),
        (EVERY.independent_rates(WINS, WINS, 0.95).interval, FIXED.independent_rates(WINS, WINS, 0.95).interval),
    ):
        assert wide is not None
        assert narrow is not None
        assert wide.low < narrow.low < narrow.high < wide.high


def test_for_every_look_all_but_interval_and_p_is_the_same() -> None:
    for every, fixed in (
        (EVERY.paired(RATE_SUMS, 3, 0.95), FIXED.paired(RATE_SUMS, 3, 0.95)),
        (EVERY.paired_rates(RATE_SUMS, (2, 2), 3, 0.95), FIXED.paired_rates(RATE_SUMS, (2, 2), 3, 0.95)),
        (EVERY.independent(FIRST, SECOND, 0.95), FIXED.independent(FIRST, SECOND, 0.95)),
        (EVERY.independent_rates(WINS, WINS, 0.95), FIXED.independent_rates(WINS, WINS, 0.95)),
    ):
        assert (every.blocks, every.variance_ratio, every.left_out) == (
            fixed.blocks,
            fixed.variance_ratio,
            fixed.left_out,
        )
        assert every.mean == pytest.approx(fixed.mean)
        assert fixed.p is not None
        assert every.p is None


def test_what_is_planned_decides_where_they_are_narrowest() -> None:
    """Of 40 deals for 40."""
    ends = [found.high for planned in (5, 40, 300) if (found := AlwaysValid(planned).mean(POINTS))]
    assert ends[1] < min(ends[0], ends[2])


def test_differences_between_one_and_minus_one_are_rates_by_hand() -> None:
    """Two arms of a match a deal, of which either alone won each: the first one's rate, on a scale from -1 to 1."""
    won = [1.0, 0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0]
    found = EVERY.paired_rates(sums_of(won, [1 - n for n in won]), (1, 1), 0, 0.95)
    rate = EVERY.rate(BlockMoments.of([Moments(1, n) for n in won]))
    assert rate is not None
    assert found.mean == pytest.approx(0.5)
    assert found.interval == (pytest.approx(2 * rate.low - 1), pytest.approx(2 * rate.high - 1))


def test_independent_differences_are_of_two_intervals_that_hold_together() -> None:
    """Each at 97.5 %; from the lower end of one less the upper end of the other."""
    found = EVERY.independent(FIRST, SECOND, 0.95).interval
    ours, theirs = (always_valid.of_moments(values, 60, 0.975) for values in (FIRST, SECOND))
    assert ours is not None
    assert theirs is not None
    assert found == (ours.low - theirs.high, ours.high - theirs.low)
    assert EVERY.independent(FIRST, Moments.of([1, 2]), 0.95).interval is None
    rate = EVERY.independent_rates(WINS, WINS, 0.95).interval
    one = always_valid.of_rate(WINS, 0.975)
    assert one is not None
    assert rate == (one.low - one.high, one.high - one.low)


def test_a_difference_that_never_varies_has_no_interval() -> None:
    same = sums_of([0.5] * 30, [0.5] * 30)
    for found in (EVERY.paired(same, 0, 0.95), EVERY.paired_rates(same, (2, 2), 0, 0.95)):
        assert (found.mean, found.interval, found.p) == (0, None, None)
    for found in (EVERY.paired(sums_of([], []), 2, 0.95), EVERY.paired_rates(sums_of([], []), (2, 2), 2, 0.95)):
        assert (found.blocks, found.mean, found.interval, found.left_out) == (0, None, None, 2)


def test_nothing_beyond_its_bounds_is_shown() -> None:
    """Nearly all differences are -1, and nearly all places the last."""
    few = EVERY.paired_rates(sums_of([0.0] * 30, [1.0] * 28 + [0.5, 0.0]), (2, 2), 0, 0.95).interval
    assert few is not None
    assert -1 <= few.low < -0.9 < few.high < 0
    last = EVERY.bounded(BlockMoments.of([Moments.of([3, 3 - (n == 7)]) for n in range(30)]), 1, 3)
    assert last is not None
    assert 2.5 < last.low < 2.99 < last.high <= 3
    assert EVERY.bounded(BlockMoments(), 1, 3) is None
    assert EVERY.rate(BlockMoments()) is None
    assert EVERY.mean(BlockMoments()) is None


# ---- how often the truth is ever left out

RUNS, PLANNED = 400, 400
MOST = 0.05 + 3 * math.sqrt(0.05 * 0.95 / RUNS)
"""Part of the runs that may leave out the truth at some look: 5 %, and three standard errors of that, 3.3 %."""
PAIRS = ((0.02, 0.02), (0.5, 0.5), (0.98, 0.02), (0.5, 0.02), (0.1, 0.02))


@pytest.mark.long
@looped("world, one, other", [(ALONE, 0.98, 0.02), *((ENGINE, *pair) for pair in PAIRS)])
def test_a_difference_of_rates_is_hardly_ever_left_out(world: World, one: float, other: float) -> None:
    """Up to 4.3 % in 2,000 runs, where deals favour a side that hardly ever wins.

    An interval that took the difference for normal would leave out that of 98 and 2 in 9 %. Asked are the three looks
    of a run at which the difference is farthest off, in standard errors and as a rate.
    """
    rng = np.random.Generator(np.random.SFC64(np.random.SeedSequence((18, int(100 * one), int(100 * other)))))
    shape = (RUNS, PLANNED)
    engine = world.engine * rng.standard_normal(shape)

    def rate(truth: float) -> Array:
        start = world.start(truth)
        found: Array = sum((engine + rng.standard_normal(shape) > -start).astype(np.float64) for _ in range(2)) / 2
        return found

    difference, truth, count = rate(one) - rate(other), one - other, np.arange(1, PLANNED + 1)
    totals, squares = difference.cumsum(axis=1), (difference**2).cumsum(axis=1)
    variance = np.maximum(squares - totals**2 / count, 0.25) / count**2
    off = np.abs(totals / count - truth) / np.sqrt(variance)
    share, likely = np.clip((totals / count + 1) / 2, 1e-9, 1 - 1e-9), (truth + 1) / 2
    as_rate = special.rel_entr(share, likely) + special.rel_entr(1 - share, 1 - likely)
    asked = [np.argpartition(x, -3, axis=1)[:, -3:] for x in (off, as_rate * share * (1 - share) / variance)]
    left_out = 0
    for run in range(RUNS):
        for look in np.unique(np.concatenate([x[run] for x in asked])):
            sums = Moments(int(count[look]), totals[run, look], squares[run, look])
            found = EVERY.paired_rates((sums, sums, sums), (2, 2), 0, 0.95).interval
            if not _holds(found, truth):
                left_out += 1
                break
    assert left_out / RUNS <= MOST


def _holds(interval: Interval | None, truth: float) -> bool:
    return interval is None or interval.low <= truth <= interval.high


def test_for_every_look_a_difference_of_rates_knows_no_more_than_for_one() -> None:
    """59 of 60 against 60 of 60: the spread of the one deal that varied says too little."""
    sums = sums_of([0.5, *[1.0] * 29], [1.0] * 30)
    every, once = (method.paired_rates(sums, (2, 2), 0, 0.95).interval for method in (AlwaysValid(30), FIXED))
    assert every is not None
    assert once is not None
    assert every.low <= once.low
    assert once.high <= every.high


def test_an_interval_of_a_mean_that_tells_nothing_is_none() -> None:
    few, more = ([3.0, -1, 4, 1, -5, 9, 2, 6] * n for n in (1, 2))
    blocks = [BlockMoments.of([Moments.of([x]) for x in values]) for values in (few, more)]
    half = always_valid.of_blocks(blocks[0], 400)
    assert half is not None
    assert half.high > 500, "of 8 deals it is hundreds of standard errors"
    assert [AlwaysValid(400).mean(found) is None for found in blocks] == [True, False]
    sums = [sums_of(values, [0.0] * len(values)) for values in (few, more)]
    assert [AlwaysValid(400).paired(found, 0, 0.95).interval is None for found in sums] == [True, False]
