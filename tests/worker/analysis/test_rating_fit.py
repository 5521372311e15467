import itertools

import numpy as np
import pytest

from tests.worker.analysis.rating_coverage import pair_counts, played, pool
from worker.analysis.rating_fit import check, pair_results
from worker.analysis.ratings import rate_counts

PAIRS = [(0, 1), (0, 2), (1, 2)]


def circle(deals, share=0.65):
    """0 beats 1, 1 beats 2, 2 beats 0, each on the same part of the deals, two matches a deal."""
    won = np.arange(deals)[:, None] % 20 < 20 * np.array([share, 1 - share, share])
    return pair_counts(3, PAIRS, 2.0 * won, np.full((deals, 3), 2.0))


def test_ratings_of_a_circle_are_equal_and_do_not_fit():
    counted = circle(100)
    found = rate_counts(counted)
    assert found.elo == pytest.approx([0, 0, 0], abs=1e-6)
    fit = check(counted, found)
    assert fit.p < 0.01
    assert fit.freedom == 1
    assert [c.players for c in fit.circles] == [(0, 1, 2)]
    assert fit.circles[0].probability > 0.95


def test_a_circle_the_other_way_round_is_named_in_its_direction():
    counted = circle(100, share=0.35)
    assert [c.players for c in check(counted, rate_counts(counted)).circles] == [(0, 2, 1)]


def test_pairs_have_their_share_and_what_is_expected():
    counted = circle(100)
    (row, *_) = pair_results(counted, rate_counts(counted))
    assert (row.first, row.second, row.matches, row.deals) == (0, 1, 200, 100)
    assert (row.share, row.expected) == (pytest.approx(0.65), pytest.approx(0.5))
    # 65 of 100 deals, both matches alike: Wilson over 100 trials is 55.3 to 73.6 %; here over effective ones.
    assert (row.interval.low, row.interval.high) == (pytest.approx(0.553, abs=0.01), pytest.approx(0.736, abs=0.01))


def test_a_chain_leaves_nothing_to_test():
    counted = pair_counts(3, [(0, 1), (1, 2)], np.ones((20, 2)), np.full((20, 2), 2.0))
    fit = check(counted, rate_counts(counted))
    assert (fit.p, fit.freedom, fit.circles) == (None, 0, ())


def test_few_deals_test_nothing():
    counted = circle(8)
    assert check(counted, rate_counts(counted)).p is None


@pytest.mark.slow
@pytest.mark.parametrize("world", ["plain", "seat"])
@pytest.mark.parametrize("deals", [15, 100])
def test_ratings_that_hold_are_seldom_said_not_to_fit(world, deals):
    rng, pairs, runs = np.random.default_rng(5), list(itertools.combinations(range(5), 2)), 400
    rejected = 0
    for run in range(runs):
        counted = played(rng, pool(5), pairs, deals, world)
        rejected += check(counted, rate_counts(counted, run, 300), run).p < 0.05
    # 5 % and three standard errors of 400 ladders
    assert rejected / runs < 0.05 + 3 * (0.05 * 0.95 / runs) ** 0.5
