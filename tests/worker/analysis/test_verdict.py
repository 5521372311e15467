import math

import pytest

from worker.analysis.intervals import Interval
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.rates import Share
from worker.analysis.verdict import (
    AGREES,
    CANNOT_TELL,
    DIFFERS,
    Sample,
    judge_claim,
    judge_exact,
    judge_samples,
    judge_shares,
    share_difference,
)


def test_difference_of_rates_is_newcombes():
    # Newcombe 1998, table II, contrast (a), method 10: 56/70 less 48/80.
    interval = share_difference(Share(56, 70), Share(48, 80), 0.95)
    assert interval == pytest.approx((0.0524, 0.3339), abs=5e-5)


def test_difference_of_rates_keeps_its_width_at_the_ends():
    # Contrast (h) of the same table: 10/10 less 0/10.
    assert share_difference(Share(10, 10), Share(0, 10), 0.95) == pytest.approx((0.6075, 1.0), abs=5e-5)
    assert share_difference(Share(0, 0), Share(1, 2), 0.95) is None


def test_rates_differ_where_the_99_per_cent_interval_leaves_out_zero():
    found = judge_shares(Share(90, 100), Share(60, 100), 0.05)
    assert found is not None
    assert found.verdict == DIFFERS
    assert found.difference == pytest.approx(0.3)
    assert found.interval.low > 0
    assert found.needed is None


def test_the_published_sampling_error_counts():
    # 0.58 of 2,000 leaves out 0.5 by itself (half-width 0.028 at 99 %), but not 10 wins of 20.
    assert judge_shares(Share(1160, 2000), Share(10, 20), 0.05).verdict == AGREES
    assert judge_shares(Share(1160, 2000), Share(10000, 20000), 0.05).verdict == DIFFERS


def test_rates_agree_only_where_ours_is_known_well_enough():
    agrees = judge_shares(Share(200, 400), Share(50, 100), 0.05)
    assert agrees.verdict == AGREES
    assert agrees.half_width == pytest.approx(0.0488, abs=5e-4)  # Wilson: 1.96 * sqrt(.25/400 + ...) / 1.0096
    unsure = judge_shares(Share(50, 100), Share(50, 100), 0.05)
    assert unsure.verdict == CANNOT_TELL


def test_needed_matches_are_the_fewest_that_suffice():
    unsure = judge_shares(Share(50, 100), Share(50, 100), 0.05)
    enough = 100 + unsure.needed
    # Half-width at one half by hand: z * sqrt(1 / 4n + z^2 / 4n^2) / (1 + z^2 / n) = z / (2 sqrt(n + z^2)).
    assert enough == math.ceil((1.959964 / 0.1) ** 2 - 1.959964**2)
    assert judge_shares(Share(enough // 2, enough), Share(50, 100), 0.05).half_width <= 0.0501


def test_means_take_our_deviation_where_none_was_published():
    # s = 10, n = 25 and 50: error sqrt(100/25 + 100/50) = 2.449; t(24, 0.995) = 2.797: 6.851 either way.
    found = judge_samples(Sample(25, 66.0, 10.0), Sample(50, 60.0), 6.0)
    assert found.interval == pytest.approx((6 - 6.851, 6 + 6.851), abs=2e-3)
    # t(24, 0.975) = 2.064: half-width 4.128, within 6.
    assert found.half_width == pytest.approx(4.128, abs=1e-3)
    assert found.verdict == AGREES
    assert judge_samples(Sample(25, 67.0, 10.0), Sample(50, 60.0), 6.0).verdict == DIFFERS


def test_means_with_both_deviations_are_welchs():
    # Squared errors 4 and 1; freedom 25 / (16/24 + 1/99) = 36.94; t(36.94, 0.995) = 2.7157.
    found = judge_samples(Sample(25, 10.0, 10.0), Sample(100, 10.0, 10.0), 1.0)
    assert found.interval.high == pytest.approx(2.7157 * math.sqrt(5), abs=2e-3)
    assert found.verdict == CANNOT_TELL


def test_needed_units_of_a_mean():
    found = judge_samples(Sample(25, 10.0, 10.0), Sample(25, 10.0), 2.0)
    enough = 25 + found.needed  # near (1.96 * 10 / 2)^2 = 96, a little more for Student's t
    assert enough == 99
    assert judge_samples(Sample(enough, 10.0, 10.0), Sample(25, 10.0), 2.0).verdict == AGREES
    assert judge_samples(Sample(enough - 1, 10.0, 10.0), Sample(25, 10.0), 2.0).verdict == CANNOT_TELL


@pytest.mark.parametrize("ours", [Sample(1, 12.0), Sample(20, 12.0, 0.0)])
def test_a_mean_without_spread_tells_nothing_about_its_error(ours):
    found = judge_samples(ours, Sample(50, 60.0), 6.0)
    assert (found.verdict, found.interval, found.needed) == (CANNOT_TELL, None, None)


def test_a_sample_of_blocks_has_the_error_of_the_blocks():
    # Two deals of two matches with totals 4 and 8: block means 2 and 4, error 1, one degree of freedom.
    blocks = BlockMoments.of([Moments(2, 4.0, 0.0), Moments(2, 8.0, 0.0)])
    sample = Sample.of_blocks(blocks, 4)
    assert sample.value == 3.0
    assert sample.deviation / math.sqrt(4) == pytest.approx(1.0)
    assert sample.degrees == 1
    assert sample.interval() == pytest.approx(blocks.interval())
    assert Sample.of_blocks(BlockMoments(), 0) is None
    assert Sample.of(Moments()) is None


def test_exact_numbers_agree_in_the_digits_printed():
    assert judge_exact(2.8412e32, 2.8e32, 2).verdict == AGREES
    assert judge_exact(2.86e32, 2.8e32, 2).verdict == DIFFERS
    assert judge_exact(10**27 + 1, 10**27, 15).verdict == AGREES
    assert judge_exact(10**27 + 1, 10**27, None).verdict == DIFFERS


def test_claims_are_judged_by_our_whole_interval():
    assert judge_claim(Interval(0.55, 0.7), 0.62, 0.5, 1.0).verdict == AGREES
    assert judge_claim(Interval(0.45, 0.7), 0.57, 0.5, 1.0).verdict == CANNOT_TELL
    below = judge_claim(Interval(0.2, 0.4), 0.3, 0.5, 1.0)
    assert below.verdict == DIFFERS
    assert below.difference == pytest.approx(0.2)
    assert judge_claim(None, None, 0.5, 1.0) is None
