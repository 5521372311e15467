import math

import numpy as np
import pytest
from scipy import special, stats

from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.rate_differences import TwoRates
from worker.analysis.rates import Share
from worker.analysis.verdict import (
    CANNOT_TELL,
    COMPATIBLE,
    DIFFERS,
    EQUIVALENT,
    Levels,
    Sample,
    judge_claim,
    judge_exact,
    judge_samples,
    judge_shares,
)


def test_rates_are_compared_by_the_score_interval_of_their_difference():
    # Pooled rate 150 of 200: error sqrt(.75 * .25 * 2 / 100) = .0612, score .3 / .0612 = 4.899.
    found = judge_shares(Share(90, 100), Share(60, 100), 0.05)
    assert found.verdict == DIFFERS
    assert found.difference == pytest.approx(0.3)
    assert found.p == pytest.approx(2 * special.ndtr(-0.3 / math.sqrt(0.75 * 0.25 / 50)))
    assert found.interval == TwoRates(Share(90, 100), Share(60, 100)).interval(0.99)
    assert found.interval.low > 0
    assert (found.needed, found.level) == (None, 0.01)
    assert judge_shares(Share(1, 2), Share(0, 0), 0.05) is None
    assert judge_shares(Share(0, 0), Share(1, 2), 0.05) is None


def test_the_published_sampling_error_counts():
    # 0.58 of 2,000 leaves out 0.5 by itself (half-width 0.028 at 99 %), but not 10 wins of 20.
    assert judge_shares(Share(1160, 2000), Share(10, 20), 0.05).verdict == COMPATIBLE
    assert judge_shares(Share(1160, 2000), Share(10000, 20000), 0.05).verdict == DIFFERS


def test_twenty_points_apart_are_no_agreement():
    """280 of 400 and 10 of 20: a gap of 39 points may hide, whatever is known of ours."""
    found = judge_shares(Share(280, 400), Share(10, 20), 0.05)
    assert found.verdict == COMPATIBLE
    assert found.hidden == max(map(abs, TwoRates(Share(280, 400), Share(10, 20)).interval(0.9)))
    # By hand: at a difference of .377 the likeliest rates are .708 and .331, their error .1076: 1.645 * .1076 = .177.
    assert found.hidden == pytest.approx(0.377, abs=0.001)


def test_the_examples_of_the_page_are_what_is_said():
    """Those of /judging/, in points."""
    rows = {
        EQUIVALENT: judge_shares(Share(1050, 2000), Share(520, 1000), 0.05),
        DIFFERS: judge_shares(Share(90, 100), Share(60, 100), 0.05),
        CANNOT_TELL: judge_shares(Share(50, 100), Share(50, 100), 0.05),
    }
    assert [row.verdict for row in rows.values()] == list(rows)
    assert [round(100 * end, 1) for end in rows[EQUIVALENT].narrow] == [-2.7, 3.7]
    assert round(100 * rows[DIFFERS].interval.low, 1) == 14.8
    assert (round(100 * rows[CANNOT_TELL].half_width, 1), rows[CANNOT_TELL].needed) == (9.6, 281)


def test_rates_are_equivalent_only_where_the_whole_interval_is_within_the_margin():
    # Equal rates of one half: 1.645 * sqrt(.5 / n) is 5 points at n = 541.
    assert judge_shares(Share(275, 550), Share(275, 550), 0.05).verdict == EQUIVALENT
    assert judge_shares(Share(265, 530), Share(265, 530), 0.05).verdict == COMPATIBLE
    assert judge_shares(Share(50, 100), Share(50, 100), 0.05).verdict == CANNOT_TELL


def test_a_difference_too_small_to_matter_is_equivalent_and_known():
    found = judge_shares(Share(51_500, 100_000), Share(50_000, 100_000), 0.05)
    assert found.verdict == EQUIVALENT
    assert found.p < found.level


def test_needed_matches_are_the_fewest_that_suffice():
    unsure = judge_shares(Share(50, 100), Share(50, 100), 0.05)
    enough = 100 + unsure.needed
    # Half-width at one half by hand: z * sqrt(1 / 4n + z^2 / 4n^2) / (1 + z^2 / n) = z / (2 sqrt(n + z^2)).
    assert enough == math.ceil((1.959964 / 0.1) ** 2 - 1.959964**2)
    assert judge_shares(Share(enough // 2, enough), Share(50, 100), 0.05).half_width <= 0.0501


def test_every_further_look_has_half_of_the_level():
    assert Levels.of_look(1) == Levels(0.01, 0.05)
    assert Levels.of_look(3) == Levels(0.0025, 0.0125)
    assert sum(Levels.of_look(look).differs for look in range(1, 40)) == pytest.approx(0.02)
    found = judge_shares(Share(66, 100), Share(48, 100), 0.05, Levels.of_look(2))
    # score .18 / sqrt(.57 * .43 / 50) = 2.571: p .0101 of a level of .005; a larger gap is needed than at one look.
    assert found.p == pytest.approx(0.0101, abs=1e-4)
    assert judge_shares(Share(67, 100), Share(48, 100), 0.05).verdict == DIFFERS
    assert judge_shares(Share(67, 100), Share(48, 100), 0.05, Levels.of_look(2)).verdict == CANNOT_TELL


@pytest.mark.parametrize(("ours", "published"), [(100, 100), (200, 50), (40, 50)])
def test_equal_rates_are_called_different_in_one_of_a_hundred_cases(ours, published):
    """All outcomes, weighed by their chances: no sampling. 1.5 % where few wins are expected, else at most 1.05 %."""
    p = np.array([[TwoRates(Share(x, ours), Share(y, published)).p() for y in range(published + 1)]
                  for x in range(ours + 1)])  # fmt: skip
    for rate, most in ((0.02, 0.015), (0.1, 0.0105), (0.5, 0.0105), (0.9, 0.0105)):
        chances = np.outer(*(stats.binom.pmf(np.arange(n + 1), n, rate) for n in (ours, published)))
        assert chances[p < 0.01].sum() <= most


def test_rates_as_far_apart_as_the_margin_are_rarely_called_equivalent():
    """Two one-sided tests at 5 %, by simulation: 2,000 runs, so three standard errors are 1.5 points."""
    rng = np.random.default_rng(19)
    pairs = zip(rng.binomial(900, 0.55, 2000).tolist(), rng.binomial(900, 0.5, 2000).tolist(), strict=True)
    rates = [TwoRates(Share(x, 900), Share(y, 900)) for x, y in pairs]
    z = float(special.ndtri(0.95))
    wrong = sum(two.score(0.05) < -z and two.score(-0.05) > z for two in rates) / len(rates)
    assert 0.005 < wrong < 0.05 + 0.015


def test_means_take_our_deviation_where_none_was_published():
    # s = 10, n = 25 and 50: error sqrt(100/25 + 100/50) = 2.449; t(24, 0.995) = 2.797: 6.851 either way.
    found = judge_samples(Sample(25, 66.0, 10.0), Sample(50, 60.0), 6.0)
    assert found.interval == pytest.approx((6 - 6.851, 6 + 6.851), abs=2e-3)
    # t(24, 0.975) = 2.064: half-width 4.128, within 6. t(24, 0.95) = 1.711: up to 6 + 4.19 may hide.
    assert found.half_width == pytest.approx(4.128, abs=1e-3)
    assert found.verdict == COMPATIBLE
    assert found.hidden == pytest.approx(10.19, abs=1e-2)
    assert judge_samples(Sample(25, 61.0, 10.0), Sample(50, 60.0), 6.0).verdict == EQUIVALENT
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
    assert judge_samples(Sample(enough, 10.0, 10.0), Sample(25, 10.0), 2.0).verdict == COMPATIBLE
    assert judge_samples(Sample(enough - 1, 10.0, 10.0), Sample(25, 10.0), 2.0).verdict == CANNOT_TELL


def test_one_unit_tells_nothing_about_its_error():
    found = judge_samples(Sample(1, 12.0), Sample(50, 60.0), 6.0)
    assert (found.verdict, found.interval, found.needed) == (CANNOT_TELL, None, None)


ALWAYS_83 = Sample.of(Moments.of([83.0] * 10_000))


@pytest.mark.parametrize(
    ("ours", "published", "margin", "verdict"),
    [
        (ALWAYS_83, Sample(100, 83.0, 0.0), 8.3, EQUIVALENT),
        (ALWAYS_83, Sample(100, 82.9, 0.0), 8.3, DIFFERS),  # theirs never varied either: only the same is the same
        (Sample(33, 83.0, 0.0), Sample(100, 82.9), 8.3, EQUIVALENT),  # their error is unknown: by the margin
        (Sample(33, 83.0, 0.0), Sample(100, 74.6), 8.3, DIFFERS),
        (Sample(20, 12.0, 0.0), Sample(50, 60.0), 6.0, DIFFERS),
        # t(99, 0.995) = 2.6264: an error of 3.8 makes 9.98, of 0.03 makes 0.079. t(99, 0.95) = 1.660: 6.31 and 0.05.
        (ALWAYS_83, Sample.of_interval(100, 50.0, 3.0), 8.3, DIFFERS),
        (ALWAYS_83, Sample(100, 73.1, 38.0), 8.3, COMPATIBLE),
        (ALWAYS_83, Sample(100, 72.9, 38.0), 8.3, DIFFERS),
        (ALWAYS_83, Sample(100, 81.1, 38.0), 8.3, EQUIVALENT),
        (ALWAYS_83, Sample(100, 82.9, 0.3), 8.3, EQUIVALENT),  # a difference, too small to matter
    ],
)
def test_a_mean_of_ours_that_never_varied_is_judged_exactly(ours, published, margin, verdict):
    found = judge_samples(ours, published, margin)
    assert (found.verdict, found.half_width, found.margin, found.needed) == (verdict, 0.0, margin, None)
    assert found.difference == pytest.approx(ours.value - published.value)


def test_few_equal_values_do_not_show_that_ours_never_varies():
    found = judge_samples(Sample(8, 83.0, 0.0, 3), Sample(100, 83.0, 0.0), 8.3)
    assert (found.verdict, found.needed) == (CANNOT_TELL, 2), "four deals of two matches: one deal more"


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


def test_exact_numbers_are_the_same_in_the_digits_printed():
    assert judge_exact(2.8412e32, 2.8e32, 2).verdict == EQUIVALENT
    assert judge_exact(2.86e32, 2.8e32, 2).verdict == DIFFERS
    assert judge_exact(10**27 + 1, 10**27, 15).verdict == EQUIVALENT
    assert judge_exact(10**27 + 1, 10**27, None).verdict == DIFFERS
    assert judge_exact(1, 1, None).level == 0.0


def test_claims_are_judged_by_our_whole_interval():
    # Wilson at 99 %: 120 of 200 has 50.8 to 68.6, 115 has 48.4 to 66.2, 80 has 31.4 to 49.2.
    assert judge_claim(Share(120, 200), 0.5, 1.0).verdict == EQUIVALENT
    unsure = judge_claim(Share(115, 200), 0.5, 1.0)
    assert unsure.verdict == CANNOT_TELL
    # 7.5 points from one half: n = (2.5758 / .15)^2 = 294.9.
    assert unsure.needed == 295 - 200
    below = judge_claim(Share(80, 200), 0.5, 1.0)
    assert (below.verdict, below.level) == (DIFFERS, 0.005)
    assert below.difference == pytest.approx(0.1)
    assert below.p == pytest.approx(special.ndtr(-0.1 / math.sqrt(0.25 / 200)))
    assert judge_claim(None, 0.5, 1.0) is None
    # t(24, 0.995) = 2.797: a mean of 5 with an error of 2 is not above 0 for sure, one of 6 is.
    assert judge_claim(Sample(25, 5.0, 10.0), 0.0, math.inf).verdict == CANNOT_TELL
    assert judge_claim(Sample(25, 6.0, 10.0), 0.0, math.inf).verdict == EQUIVALENT
    assert judge_claim(Sample(20, 1.0, 0.0), 0.0, math.inf).verdict == EQUIVALENT, "it never varies"
    assert judge_claim(Sample(20, -1.0, 0.0), 0.0, math.inf).verdict == DIFFERS
    assert judge_claim(Sample(3, 1.0, 0.0), 0.0, math.inf) is None
    assert judge_claim(Sample(25, -6.0, 10.0), 0.0, math.inf).p == pytest.approx(special.stdtr(24, -3.0))
