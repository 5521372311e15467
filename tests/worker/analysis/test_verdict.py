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


def test_one_unit_tells_nothing_about_its_error():
    found = judge_samples(Sample(1, 12.0), Sample(50, 60.0), 6.0)
    assert (found.verdict, found.interval, found.needed) == (CANNOT_TELL, None, None)


ALWAYS_83 = Sample.of(Moments.of([83.0] * 10_000))


@pytest.mark.parametrize(
    ("ours", "published", "margin", "verdict"),
    [
        (ALWAYS_83, Sample(100, 83.0, 0.0), 8.3, AGREES),
        (ALWAYS_83, Sample(100, 82.9, 0.0), 8.3, DIFFERS),  # theirs never varied either: only the same is the same
        (Sample(33, 83.0, 0.0), Sample(100, 82.9), 8.3, AGREES),  # their error is unknown: by the margin
        (Sample(33, 83.0, 0.0), Sample(100, 74.6), 8.3, DIFFERS),
        (Sample(20, 12.0, 0.0), Sample(50, 60.0), 6.0, DIFFERS),
        # t(99, 0.995) = 2.6264: an error of 3.8 makes 9.98, of 0.03 makes 0.079.
        (ALWAYS_83, Sample.of_interval(100, 50.0, 3.0), 8.3, DIFFERS),
        (ALWAYS_83, Sample(100, 73.1, 38.0), 8.3, AGREES),
        (ALWAYS_83, Sample(100, 72.9, 38.0), 8.3, DIFFERS),
        (ALWAYS_83, Sample(100, 82.9, 0.3), 8.3, DIFFERS),
    ],
)
def test_a_mean_of_ours_that_never_varied_is_judged_exactly(ours, published, margin, verdict):
    found = judge_samples(ours, published, margin)
    assert (found.verdict, found.half_width, found.margin, found.needed) == (verdict, 0.0, margin, None)
    assert found.difference == pytest.approx(ours.value - published.value)


def test_the_interval_of_an_exact_mean_is_the_published_one():
    found = judge_samples(ALWAYS_83, Sample(100, 80.0, 20.0), 8.3)
    # t(99, 0.995) * 20 / 10 = 5.2528.
    assert found.interval == pytest.approx((3 - 5.2528, 3 + 5.2528), abs=1e-3)
    assert judge_samples(ALWAYS_83, Sample(100, 83.0), 8.3).interval is None


def test_rates_over_deals_are_judged_by_their_effective_trials():
    """400 matches in 200 deals that went alike are worth 200: half as sure, and twice as many are needed."""
    alone, twice = Share(200, 400), Share(200, 400, effect=2.0)
    half = judge_shares(twice, Share(50, 100), 0.05).half_width
    assert half == pytest.approx(judge_shares(Share(100, 200), Share(50, 100), 0.05).half_width)
    needed = [judge_shares(share, Share(50, 100), 0.03).needed + 400 for share in (alone, twice)]
    assert needed[1] == pytest.approx(2 * needed[0], abs=1)


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
