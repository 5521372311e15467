"""Intervals for every look: worked by hand, and how often they ever leave out the truth."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special

from tests.looping import looped
from tests.worker.analysis.coverage import ALONE, ENGINE, RATES, SEAT, TWICE, World
from worker.analysis import always_valid, rates
from worker.analysis.always_valid import LEAST_DEALS, SKEWNESS
from worker.analysis.intervals import Interval
from worker.analysis.moments import BlockMoments, Moments

Array = NDArray[np.float64]


def blocks_of(*values: float, size: int = 1) -> BlockMoments:
    """Deals of `size` matches with these totals."""
    return BlockMoments.of([Moments(size, total, total) for total in values])


# ---- by hand


def test_the_bound_of_a_mean_by_hand() -> None:
    """With rho^2 = (5.9915 + ln 6.9915) / 100 = 0.079361 the bound after 100 deals is that of 3.0352 errors.

    sqrt(2 * 8.9361 / 7.9361 * ln(sqrt(8.9361) / 0.05)), a tail of 0.0012020; with 99 degrees of freedom that
    takes 3.1154. Skewness adds 0.75 * (2 * 3.1154^2 + 1) / 60 = 0.2551.
    """
    found = always_valid.mean_interval(7, 2, 100, 100)
    assert found is not None
    assert found.low == pytest.approx(7 - 2 * 3.3705, abs=2e-4)
    assert found.high == pytest.approx(7 + 2 * 3.3705, abs=2e-4)


def test_the_tail_of_the_bound_is_that_of_the_normal_one() -> None:
    for deals, planned in ((5, 5), (12, 300), (300, 300), (2000, 300)):
        square = (5.991464547 + math.log(6.991464547)) / planned
        normal = math.sqrt(2 * (1 + 1 / (deals * square)) * math.log(math.sqrt(deals * square + 1) / 0.05))
        limit = _limit(half_width(deals, planned), deals)
        assert special.stdtr(deals - 1, -limit) == pytest.approx(special.ndtr(-normal), rel=1e-6)


def half_width(deals: int, planned: int) -> float:
    found = always_valid.mean_interval(0, 1, deals, planned)
    assert found is not None
    return found.high


def _limit(half: float, deals: int) -> float:
    """The bound without what skewness adds: half = limit + a (2 limit^2 + 1)."""
    a = SKEWNESS / (6 * math.sqrt(deals))
    return (math.sqrt(1 + 8 * a * (half - a)) - 1) / (4 * a)


def test_an_interval_is_narrowest_for_the_number_that_was_planned() -> None:
    for deals in (50, 200, 1000):
        assert half_width(deals, deals) < min(half_width(deals, deals // 5), half_width(deals, 5 * deals))


def test_twenty_wins_of_twenty_by_hand() -> None:
    """The evidence against p is 40! / (20! 20! 4^20) / p^20 = 0.125371 / p^20, which is 20 at p = 0.77599."""
    found = always_valid.of_rate(blocks_of(*[1] * 20))
    assert found == (pytest.approx(0.77599, abs=1e-5), 1)
    assert always_valid.of_rate(blocks_of(*[0] * 20)) == (0, pytest.approx(1 - 0.77599, abs=1e-5))


def test_a_deal_whose_matches_all_ended_alike_is_one_trial() -> None:
    assert always_valid.of_rate(blocks_of(*[3] * 20, size=3)) == always_valid.of_rate(blocks_of(*[1] * 20))


def test_a_rate_in_the_middle_by_hand() -> None:
    """8 wins of 16 deals. Their squared error is 16 / 15 * 4 / 16^2 = 1 / 60, that of independent trials 1 / 64.

    The ends have the evidence 20 over 16 trials times 60 / 64, and less by Student's correction.
    """
    found = always_valid.of_rate(blocks_of(*[0, 1] * 8))
    assert found is not None
    assert found.low == pytest.approx(1 - found.high)
    tail = special.ndtr(math.sqrt(3 + 2 * math.log(20)))
    trials = 16 * 60 / 64 * (special.ndtri(tail) / special.stdtrit(15, tail)) ** 2
    mixture = special.beta(trials / 2 + 0.5, trials / 2 + 0.5) / math.pi
    assert mixture / (found.low * found.high) ** (trials / 2) == pytest.approx(20)
    assert found.low < 0.15
    assert found.low < (rates.rate_interval(blocks_of(*[0, 1] * 8)) or found).low


def test_what_has_other_bounds_is_a_rate_on_another_scale() -> None:
    totals = [0, 1, 1, 0, 1, 1, 1, 0]
    rate = always_valid.of_rate(blocks_of(*totals))
    values = [3 + 4 * total for total in totals]
    found = always_valid.of_bounded(BlockMoments.of([Moments.of([value]) for value in values]), 3, 7, 4)
    assert rate is not None
    assert found == (pytest.approx(3 + 4 * rate.low), pytest.approx(3 + 4 * rate.high))


def test_successes_and_failures_are_alike() -> None:
    totals = [0, 2, 1, 1, 0, 2, 2, 2]
    one, other = (always_valid.of_rate(blocks_of(*values, size=2)) for values in (totals, [2 - n for n in totals]))
    assert one is not None
    assert other is not None
    assert (one.low, one.high) == (pytest.approx(1 - other.high), pytest.approx(1 - other.low))


def test_few_deals_tell_nothing_of_a_mean_and_equal_ones_nothing_of_its_error() -> None:
    assert always_valid.mean_interval(0, 1, LEAST_DEALS - 1, 100) is None
    assert always_valid.of_moments(Moments.of([3, 1, 2, 4]), 100) is None
    assert always_valid.of_blocks(BlockMoments.of([Moments.of([n]) for n in (3, 1, 2, 4)]), 100) is None
    assert always_valid.of_moments(Moments(), 100) is None
    assert always_valid.of_rate(BlockMoments()) is None
    assert always_valid.of_moments(Moments.of([3, 1, 2, 4, 6]), 100) is not None


def test_blocks_of_one_size_have_the_interval_of_their_means() -> None:
    pairs = [(1, 4), (2, 2), (7, 0), (3, 3), (0, 1), (5, 9)]
    by_blocks = always_valid.of_blocks(BlockMoments.of([Moments.of(pair) for pair in pairs]), 50)
    by_means = always_valid.of_moments(Moments.of([sum(pair) / 2 for pair in pairs]), 50)
    assert by_blocks == (pytest.approx(by_means.low), pytest.approx(by_means.high)) if by_means else False


def test_more_confidence_is_wider() -> None:
    values, wins = Moments.of(list(range(20))), blocks_of(*[0, 1, 1, 1] * 5)
    for narrow, wide in (
        (always_valid.of_moments(values, 50, 0.9), always_valid.of_moments(values, 50, 0.99)),
        (always_valid.of_rate(wins, 0.9), always_valid.of_rate(wins, 0.99)),
    ):
        assert narrow is not None
        assert wide is not None
        assert wide.low < narrow.low < narrow.high < wide.high


# ---- how often the truth is ever left out

RUNS, PLANNED = 500, 2000
"""Experiments of each kind, looked at after each of so many deals."""


def most(runs: int) -> float:
    """Part of the runs that may leave out the truth at some look: 5 %, and three standard errors of that."""
    return 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)


def _rng(*key: int) -> np.random.Generator:
    return np.random.Generator(np.random.SFC64(np.random.SeedSequence((17, *key))))


def _deals(world: World, key: int, runs: int = RUNS, deals: int = PLANNED) -> tuple[Array, Array]:
    """Margins of both matches of each deal, of a side that is as good as the other."""
    rng = _rng(key)
    shape = (runs, deals)
    seat = world.seat * rng.standard_normal(shape, dtype=np.float32) if world.seat else 0
    engine = world.engine * rng.standard_normal(shape, dtype=np.float32) if world.engine else 0
    first, second = (rng.standard_normal(shape, dtype=np.float32) for _ in range(2))
    return first + engine + seat, second + engine - seat


def _margins(runs: int, deals: int) -> Iterator[tuple[str, Array, float]]:
    """Means over the matches of deals, and the truth."""
    rng, shape = _rng(0), (runs, deals)
    for key, world in enumerate((ALONE, SEAT, ENGINE)):
        first, second = _deals(world, key, runs, deals)
        yield world.name, (first + second) / 2, 0.0
    yield "exponential", rng.standard_exponential(shape), 1.0
    yield "differences of exponential ones", rng.standard_exponential(shape) - rng.standard_exponential(shape), 0.0
    yield "whole numbers", rng.integers(-3, 4, shape).astype(np.float64), 0.0
    yield "means of two of three whole numbers", rng.integers(-1, 2, (*shape, 2)).mean(axis=2), 0.0


def _outside(values: Array, truth: float, planned: int) -> NDArray[np.bool_]:
    """Whether the truth is left out: bool[runs, deals]."""
    count = np.arange(1, values.shape[1] + 1)
    sums, squares = values.cumsum(axis=1, dtype=np.float64), (values * values).cumsum(axis=1, dtype=np.float64)
    spread = np.maximum(squares - sums * sums / count, 0)
    error = np.sqrt(spread / np.maximum(count - 1, 1) / count)
    few = LEAST_DEALS - 1
    half = np.array([0.0] * few + [half_width(n, planned) for n in count[few:].tolist()])
    found: NDArray[np.bool_] = (np.abs(sums / count - truth) > half * error) & (count > few)
    return found


@pytest.mark.long
@looped("runs, planned", [(500, 2000), (4000, 100), (4000, 25)])
def test_a_mean_is_hardly_ever_left_out_at_any_look(runs: int, planned: int) -> None:
    """0.6 to 3 % everywhere, 4 % of exponential values and few deals."""
    for name, values, truth in _margins(runs, planned):
        assert _outside(values, truth, planned).any(axis=1).mean() <= most(runs), name


def test_what_is_simulated_is_what_sums_give() -> None:
    """At looks of which half leave out a mean of 0.35 deviations that is not the truth."""
    values = _rng(1).standard_normal((1, 150)) + 0.35
    outside = _outside(values, 0.0, 150)[0]
    assert 20 < outside.sum() < 130
    for deals in range(1, 151):
        found = always_valid.of_moments(Moments.of(values[0, :deals]), 150)
        assert _holds(found, 0.0) != outside[deals - 1]


def test_intervals_for_one_look_would_be_found_out() -> None:
    """Of 1,000 looks at Student's interval far more than 5 of 100 runs show one that leaves out the truth."""
    first, second = _deals(ALONE, 0, runs=200, deals=1000)
    values = ((first + second) / 2).astype(np.float64)
    count = np.arange(1, 1001)
    sums, squares = values.cumsum(axis=1), (values * values).cumsum(axis=1)
    error = np.sqrt((squares - sums * sums / count)[:, 1:] / (count[1:] - 1) / count[1:])
    outside = np.abs(sums / count)[:, 1:] > special.stdtrit(count[1:] - 1, 0.975) * error
    assert outside.any(axis=1).mean() > 0.5


LOOKS = np.unique(np.concatenate([np.arange(2, 200), np.arange(200, PLANNED + 1, 4)]))
"""Numbers of deals after which rates are looked at."""


def _evidence(totals: Array, squares: Array, size: int, truth: float) -> Array:
    """About the evidence against a rate, to choose looks by; what counts is the interval."""
    n = LOOKS * size
    rate = np.clip(totals / n, 1e-9, 1 - 1e-9)
    variance = np.maximum(1, squares - totals**2 / LOOKS) * LOOKS / (LOOKS - 1) / n**2
    effect = np.where((totals > 0) & (totals < n), variance * n / (rate * (1 - rate)), size)
    won, lost = totals / effect, (n - totals) / effect
    mixture = special.betaln(won + 0.5, lost + 0.5)
    found: Array = mixture - special.xlogy(won, truth) - special.xlog1py(lost, -truth)
    return found


@cache
def _margins_of(world: World) -> tuple[Array, Array]:
    return _deals(world, 10)


@pytest.mark.long
@looped("world, rate", [(world, rate) for world in (ALONE, SEAT, ENGINE, TWICE) for rate in RATES])
def test_a_rate_is_hardly_ever_left_out(world: World, rate: float) -> None:
    """0.3 to 1.5 % in 2,000 runs each. Asked are the three looks of a run at which most speaks against the truth."""
    start, size = world.start(rate), 2 * world.copies
    first, second = _margins_of(world)
    wins = world.copies * ((first > -start).astype(np.int64) + (second > -start))
    totals, squares = (x.cumsum(axis=1)[:, LOOKS - 1].astype(np.float64) for x in (wins, wins * wins))
    worst = np.argpartition(_evidence(totals, squares, size, rate), -3, axis=1)[:, -3:]
    left_out = 0
    for run in range(RUNS):
        for look in worst[run]:
            deals, total, square = int(LOOKS[look]), totals[run, look], squares[run, look]
            sums = BlockMoments(deals, deals * size, total, square, total * size, deals * size**2)
            if not _holds(always_valid.of_rate(sums), rate):
                left_out += 1
                break
    assert left_out / RUNS <= most(RUNS)


def _holds(interval: Interval | None, truth: float) -> bool:
    return interval is None or interval.low <= truth <= interval.high
