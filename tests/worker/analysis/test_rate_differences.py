"""Differences of rates, against published values, cases by hand and a search for the likeliest rates."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from worker.analysis import rate_differences
from worker.analysis.moments import Moments
from worker.analysis.rate_differences import TwoRates, independent_rates, paired_rates, paired_rates_from_sums
from worker.analysis.rates import Share


def blocks(*rows):
    return {deal: Moments.of(row) for deal, row in enumerate(rows)}


def test_independent_rates_have_mees_interval():
    # Newcombe 1998, table II, contrast (a), method 5 (Mee): 56/70 less 48/80.
    found = independent_rates(Share(56, 70), Share(48, 80))
    assert found.interval == pytest.approx((0.0533, 0.3377), abs=5e-5)
    assert (found.blocks, found.mean, found.left_out, found.variance_ratio) == (150, pytest.approx(0.2), 0, None)
    # Pooled rate 104/150: error sqrt(0.69333 * 0.30667 * (1/70 + 1/80)) = 0.075467, z = 2.6502, p = 2 * 0.004022.
    assert found.p == pytest.approx(0.008045, abs=1e-5)


def test_all_against_none_differ_and_have_an_interval():
    """By hand, 20 of 20 less 0 of 20: if the difference is d, the likeliest rates are (1 + d)/2 and (1 - d)/2.

    Squared error 2 * (1 - d^2)/4 / 20, so (1 - d)^2 = t^2 (1 - d^2) / 40: d = (1 - t^2/40) / (1 + t^2/40).
    """
    found = independent_rates(Share(20, 20), Share(0, 20))
    part = 2.093024**2 / 40  # t(19, 0.975)
    assert found.interval == pytest.approx(((1 - part) / (1 + part), 1), abs=1e-6)
    # If they are equal the rate is one half: a score of 1 / sqrt(2 * 0.25 / 20) = sqrt(40).
    assert found.p == pytest.approx(2 * special.stdtr(19, -math.sqrt(40)))
    mirrored = independent_rates(Share(0, 20), Share(20, 20))
    assert mirrored.interval == pytest.approx((-1, -found.interval.low))


def test_none_against_none_do_not_differ_and_are_not_known_to_be_equal():
    """If the difference is d > 0 the likeliest rates are d and 0: d^2 = t^2 d (1 - d) / 20, as Wilson has it."""
    found = independent_rates(Share(0, 20), Share(0, 20))
    end = 2.093024**2 / (20 + 2.093024**2)  # t(19, 0.975)
    assert found.interval == pytest.approx((-end, end), abs=1e-6)
    assert found.p == 1


def test_two_deals_prove_nothing():
    """If both rates were one half, 2 of 2 against 0 of 2 would come once in eight times, either way."""
    for size in (1, 2, 4):
        found = paired_rates(blocks(*[[1] * size] * 2), blocks(*[[0] * size] * 2))
        # A score of 2 with one degree of freedom (Cauchy).
        assert found.p == pytest.approx(1 - 2 * math.atan(2) / math.pi)
        assert found.interval.low < 0 < found.interval.high == 1


def test_without_matches_nothing_is_said():
    found = independent_rates(Share(0, 0), Share(1, 3))
    assert (found.blocks, found.mean, found.interval, found.p) == (3, None, None, None)


def test_paired_rates_by_hand():
    """Ten deals of one match. First wins 8, second 4, both 4: rates 0.8 and 0.4.

    Effects 10/9 each, so 9 effective trials. Variances 0.16 and 0.24 times 10/9, of the difference 0.24 times
    it: correlation (0.16 + 0.24 - 0.24) / 2 / sqrt(0.0384) = 0.408248. If they are equal the rate is 0.6:
    squared error 2 * 0.24 / 9 * (1 - 0.408248) = 0.0315601, score 0.4 / 0.177652 = 2.25159.
    """
    first = blocks(*[[1]] * 8, *[[0]] * 2)
    second = blocks(*[[1]] * 4, *[[0]] * 6)
    sums = [Moments.of(row) for row in ([0] * 4 + [1] * 4 + [0] * 2, [1] * 8 + [0] * 2, [1] * 4 + [0] * 6)]
    rates = TwoRates.of_deals(tuple(sums), (1, 1))
    assert rates.correlation == pytest.approx(0.408248, abs=1e-6)
    assert (rates.difference, rates.freedom) == (pytest.approx(0.4), 9)
    assert rates.score(0.0) == pytest.approx(2.25159, abs=1e-5)
    found = paired_rates(first, second)
    assert (found.blocks, found.mean, found.left_out) == (10, pytest.approx(0.4), 0)
    # t(9) is 2.262157: just not different, and p just above 0.05.
    assert found.interval.low < 0 < found.interval.high
    assert 0.05 < found.p < 0.052
    assert found.variance_ratio == pytest.approx(0.24 / 0.4)
    assert paired_rates_from_sums(tuple(sums), (1, 1), 0) == found


def test_two_sides_of_one_table_are_one_rate():
    """Without draws one wins what the other loses: the difference is 2 p - 1, its interval Wilson's, stretched."""
    won = [1, 1, 0, 1, 1, 1, 0, 1, 0, 1]
    found = paired_rates(blocks(*([w] for w in won)), blocks(*([1 - w] for w in won)))
    low, high = Share(7, 10, effect=10 / 9, freedom=9).interval()
    assert found.mean == pytest.approx(0.4)
    assert found.interval == pytest.approx((2 * low - 1, 2 * high - 1))


def test_the_same_in_every_deal_counts_as_one_step_apart():
    """Five deals of two, won 2, 1, 0, 1, 1 times by both: variances 0.125 each, of the difference 0.5^2 / 4."""
    rows = blocks([1, 1], [0, 1], [0, 0], [1, 0], [0, 1])
    found = paired_rates(rows, rows)
    assert (found.mean, found.p, found.variance_ratio) == (0, 1, 0)
    assert found.interval.low == pytest.approx(-found.interval.high)
    moments = Moments.of([1, 0.5, 0, 0.5, 0.5])
    rates = TwoRates.of_deals((Moments(5), moments, moments), (2, 2))
    assert rates.correlation == pytest.approx((0.25 - 0.0625) / 0.25)
    assert found.interval == rates.interval()
    assert 0.2 < found.interval.high < 0.5


def test_arms_that_never_vary_still_differ():
    found = paired_rates(blocks(*[[1, 1]] * 10), blocks(*[[0, 0]] * 10))
    assert (found.mean, found.variance_ratio) == (1, None)
    # Each deal is one trial: 10 of 10 less 0 of 10, by the formula of all against none with t(9, 0.975).
    part = 2.262157**2 / 20
    assert found.interval == pytest.approx(((1 - part) / (1 + part), 1), abs=1e-6)
    assert found.p == pytest.approx(2 * special.stdtr(9, -math.sqrt(20)))


def test_one_deal_alone_has_a_wide_interval():
    found = paired_rates(blocks([1, 1]), blocks([0, 1]))
    assert (found.blocks, found.mean) == (1, 0.5)
    assert found.interval.low < -0.3
    assert found.p > 0.2


def test_deals_of_one_arm_alone_are_left_out_and_counted():
    first, second = blocks([1, 0], [1, 1], [0, 0]), {1: Moments.of([0, 1]), 9: Moments.of([1, 1])}
    found = paired_rates(first, second)
    assert (found.blocks, found.mean, found.left_out) == (1, 0.5, 3)
    none = paired_rates(first, {})
    assert (none.blocks, none.mean, none.interval, none.p, none.left_out) == (0, None, None, None, 3)


def test_arms_may_have_different_numbers_of_matches():
    """An engine against itself has one match a deal, here two rows of it, beside one with two matches."""
    found = paired_rates(blocks([1, 0], [0, 1]), blocks([1], [1]))
    assert (found.blocks, found.mean) == (2, -0.5)


SHARES = st.builds(
    Share,
    st.integers(0, 20),
    st.just(20),
    effect=st.floats(0.3, 3.0),
    freedom=st.sampled_from([None, 3, 9, 40.5]),
)


@given(first=SHARES, second=SHARES, common=st.floats(-0.9, 0.9))
def test_interval_and_test_agree(first, second, common):
    vary = all(0 < share.successes < share.trials for share in (first, second))
    rates = TwoRates(first, second, common if vary else 0.0)
    low, high = rates.interval()
    assert -1 <= low <= rates.difference + 1e-9
    assert rates.difference - 1e-9 <= high <= 1
    for end in (low, high):
        if -1 < end < 1:
            assert abs(rates.score(end)) == pytest.approx(rates.bound(), abs=1e-4)
    inside, outside = low + 0.5 * (high - low), (high + 0.01, low - 0.01)
    assert rates.holds(inside)
    assert not any(rates.holds(value) for value in outside if -1 <= value <= 1)
    assert (rates.p() > 0.05) == (low <= 0 <= high)


@given(
    rate=st.integers(0, 10),
    other=st.integers(0, 10),
    ours=st.floats(1, 50),
    theirs=st.floats(1, 50),
    step=st.integers(-19, 19),
)
def test_the_likeliest_rates_are_those_of_a_search(rate, other, ours, theirs, step):
    difference = step / 20
    one, two = rate_differences._likeliest(rate / 10, ours, other / 10, theirs, difference)
    assert one - two == pytest.approx(difference)

    def loss(p, q):
        with np.errstate(divide="ignore"):
            parts = [(ours * rate / 10, p), (ours * (1 - rate / 10), 1 - p)]
            parts += [(theirs * other / 10, q), (theirs * (1 - other / 10), 1 - q)]
            return -sum(n * np.log(np.maximum(part, 0)) for n, part in parts if n)

    grid = np.linspace(max(0.0, difference), min(1.0, 1.0 + difference), 1001)
    assert loss(one, two) <= loss(grid, grid - difference).min() + 1e-6
