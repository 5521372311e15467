"""Rates of blocks: effective trials, freedom and intervals, worked by hand."""

import pytest

from worker.analysis.intervals import wilson
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.rates import Share, bounded_interval, rate_interval


def blocks(*rows):
    """Sums over blocks, each given by its trials and its successes."""
    return BlockMoments.of([Moments(trials, float(successes)) for trials, successes in rows])


def test_independent_trials_count_as_they_are():
    share = Share(3, 10)
    assert (share.value, share.weight(), share.interval()) == (0.3, 1, wilson(3, 10))
    assert (Share(0, 0).value, Share(0, 0).interval()) == (None, None)


def test_blocks_that_stand_together_are_worth_half_their_trials():
    """Ten deals of two, six won twice: s less 2 * 0.6 is 0.8 or -1.2, squares 6 * 0.64 + 4 * 1.44 = 9.6.

    Effect 10/9 * 9.6 / 20 / 0.24 = 20/9. t(9) is 2.262157, so 20 trials are worth
    20 * (1.959964 / 2.262157)^2 / (20/9) = 6.7560, and Wilson's interval of 0.6 over these is
    (0.6 + z^2/2n +- z sqrt(0.24/n + z^2/4n^2)) / (1 + z^2/n) = (0.88430 +- 0.46614) / 1.56859.
    """
    share = Share.of_blocks(blocks(*[(2, 2)] * 6, *[(2, 0)] * 4))
    assert (share.successes, share.trials, share.freedom) == (12, 20, 9)
    assert share.effect == pytest.approx(20 / 9)
    assert 20 * share.weight() == pytest.approx(6.7560, abs=1e-4)
    assert share.interval() == pytest.approx((0.26658, 0.86092), abs=1e-5)
    narrow = Share(12, 20).interval()
    assert share.interval().low < narrow.low < narrow.high < share.interval().high


def test_unequal_blocks_are_judged_by_what_their_size_would_have():
    """2 of 2, 0 of 1, 0 of 2: rate 0.4; off by 1.2, -0.4, -0.8: squares 2.24. 3/2 * 2.24 / 5 / 0.24 = 2.8."""
    share = Share.of_blocks(blocks((2, 2), (1, 0), (2, 0)))
    assert (share.successes, share.trials, share.freedom) == (2, 5, 2)
    assert share.effect == pytest.approx(2.8)


def test_luck_that_evens_out_within_a_deal_makes_a_rate_surer():
    """Of 20 deals of two, 16 are won once, 2 twice and 2 never: squares 4; 20/19 * 4 / 40 / 0.25 = 0.42105.

    One more success, whose deal goes like it once in 30 times: 1/30 / 20 = 1/600 on top.
    """
    share = Share.of_blocks(blocks(*[(2, 1)] * 16, *[(2, 2)] * 2, *[(2, 0)] * 2))
    assert share.effect == pytest.approx(20 / 19 * 4 / 10 + 1 / 600)
    assert share.freedom == 19
    assert share.interval().low > Share(20, 40).interval().low


def test_few_successes_leave_few_degrees_of_freedom():
    """50 deals of 12 matches, of which eight have 3, 2, 2, 1, 1, 1, 1, 1 successes: 12 of 600, rate 0.02.

    Squares 22 - 144/50 = 19.12: seen 50/49 * 19.12 / 600 / 0.0196 = 1.65903; unseen 11/30 / 12 = 0.03056.
    Effect 1.68959: alike 0.68959/11 = 0.06269. Clusters 600 / 1.68959 / (0.96^2 / 0.0196) = 7.5524, so
    the squared relative error is 8 / 7.5524 * (0.68959/1.68959 * 0.93731)^2 = 0.155022, which 2 / it =
    12.90 degrees of freedom have.
    """
    share = Share.of_blocks(blocks(*((12, won) for won in (3, 2, 2, 1, 1, 1, 1, 1)), *[(12, 0)] * 42))
    assert share.effect == pytest.approx(1.68959, abs=1e-5)
    assert share.freedom == pytest.approx(12.90, abs=5e-3)


def test_freedom_is_never_under_three_nor_above_what_blocks_have():
    # One deal of 40 with 8 successes among ten: one cluster.
    assert Share.of_blocks(blocks((40, 8), (40, 1), *[(40, 0)] * 8)).freedom == 3
    assert Share.of_blocks(blocks((40, 8), (40, 1), (40, 0))).freedom == 2


def test_where_all_trials_went_alike_a_block_is_one_trial():
    for won in (0, 1):
        single, double = blocks(*[(1, won)] * 20), blocks(*[(2, 2 * won)] * 10)
        assert rate_interval(single) == wilson(20 * won, 20)
        assert Share.of_blocks(double) == Share(20 * won, 20, effect=2.0)
        assert rate_interval(double) == wilson(10 * won, 10)
    assert rate_interval(blocks((2, 2), (1, 1))) == pytest.approx(wilson(1.8, 1.8)), "two and one are worth 3 * 3/5"


def test_one_block_is_one_trial():
    share = Share.of_blocks(blocks((4, 3)))
    assert share == Share(3, 4, effect=4.0)
    assert share.interval() == wilson(0.75, 1)


def test_without_a_spread_in_between_one_success_counts_as_gone_otherwise():
    """Three deals of two, each won once: squares 0 count as 1. 3/2 * 1 / 6 / 0.25 = 1, and 1/30 / 3 unseen."""
    share = Share.of_blocks(blocks(*[(2, 1)] * 3))
    assert (share.effect, share.freedom) == (pytest.approx(1 + 1 / 90), 2)
    assert rate_interval(blocks(*[(2, 1)] * 3)).low < 0.1 < 0.9 < rate_interval(blocks(*[(2, 1)] * 3)).high


def test_successes_and_failures_are_treated_alike():
    rows = [(2, 2), (3, 1), (2, 0), (4, 1)]
    low, high = rate_interval(blocks(*rows))
    assert rate_interval(blocks(*((n, n - won) for n, won in rows))) == pytest.approx((1 - high, 1 - low))


def test_no_trials_have_no_rate():
    assert (Share.of_blocks(BlockMoments()), rate_interval(BlockMoments())) == (None, None)
    assert bounded_interval(BlockMoments(), 1, 3) is None


def test_a_wider_confidence_widens_by_students_law():
    share = Share(6, 10, effect=1.0, freedom=9)
    # t(9, 0.995) is 3.249836, the normal 2.575829.
    assert share.weight(0.99) == pytest.approx((2.575829 / 3.249836) ** 2)
    assert share.interval(0.99).low < share.interval().low


def test_the_mean_of_places_is_a_rate_between_its_bounds():
    """Places 1, 2, 3, 2 of three are 0, 1/2, 1, 1/2: squares 0.5, effect 4/3 * 0.5 / 4 / 0.25 = 2/3.

    t(3) is 3.182446: four are worth 4 * (1.959964 / 3.182446)^2 * 3/2 = 2.27576, and Wilson's interval of
    one half over these is 0.5 +- 0.39622; from 1 to 3 that is 2 +- 0.79245.
    """
    found = bounded_interval(blocks((1, 1), (1, 2), (1, 3), (1, 2)), 1, 3)
    assert found == pytest.approx((2 - 0.79245, 2 + 0.79245), abs=1e-5)


def test_always_first_is_not_surely_first():
    """In 20 deals of three seatings each: Wilson's interval of 0 of 20 goes to 0.16113, twice that from 1 up."""
    assert bounded_interval(blocks(*[(3, 3)] * 20), 1, 3) == pytest.approx((1, 1.32225), abs=1e-5)
    assert bounded_interval(blocks(*[(3, 9)] * 20), 1, 3) == pytest.approx((2.67775, 3), abs=1e-5)


def test_two_places_are_a_rate():
    rows = [(2, 2), (2, 1), (2, 0), (2, 1), (2, 1)]
    low, high = rate_interval(blocks(*rows))
    assert bounded_interval(blocks(*((n, 2 * n - won) for n, won in rows)), 1, 2) == pytest.approx((2 - high, 2 - low))
