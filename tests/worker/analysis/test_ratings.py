import math

import numpy as np
import pytest
from scipy import special, stats

from tests.worker.analysis.rating_coverage import coverage
from worker.analysis.plackett_luce import Ranking
from worker.analysis.ratings import ELO, rate


def pair(*points, first=0, second=1):
    """Matches of two players, one a deal, by the points of the first."""
    return [Ranking(deal, (first, second), (2, round(1 + 2 * p))) for deal, p in enumerate(points)]


def test_two_players_by_hand():
    found = rate(pair(*[1] * 30, *[0] * 9), 2)
    assert found.lead(0, 1) == pytest.approx(400 * math.log10(30.5 / 9.5))
    assert found.elo.sum() == pytest.approx(0)
    assert found.order() == [0, 1]
    # Jeffreys' interval: quantiles of a beta distribution; a t of 38 degrees and the spread of weights make them wider.
    interval = found.lead_interval(0, 1)
    tail = special.ndtr(-special.stdtrit(39 - 1, 0.975) * math.sqrt(40 / 38))
    low, high = (ELO * special.logit(stats.beta(30.5, 9.5).ppf(q)) for q in (tail, 1 - tail))
    # A quantile so far out of 1000 draws has an error of a tenth of a standard deviation (64 Elo).
    assert (interval.low, interval.high) == (pytest.approx(low, abs=20), pytest.approx(high, abs=20))
    assert found.covariance[0, 0] == pytest.approx(-found.covariance[0, 1])
    spread = ELO**2 * (special.polygamma(1, 30.5) + special.polygamma(1, 9.5)) * 40 / 38
    assert 4 * found.covariance[0, 0] == pytest.approx(spread, rel=0.15)  # three standard errors of 1000 draws


def test_somebody_who_won_every_match_has_an_interval():
    found = rate(pair(*[1] * 20), 2)
    assert found.lead(0, 1) == pytest.approx(400 * math.log10(20.5 / 0.5))
    # Clopper and Pearson's lower end of 20 wins of 20 is 83.2 %; Jeffreys' 88 %, made wider here.
    assert 400 * math.log10(0.832 / 0.168) - 40 < found.lead_interval(0, 1).low < found.lead(0, 1) - 150
    assert found.probability_above(0, 1) > 0.99


def test_many_who_won_or_lost_all_on_few_deals_have_ratings():
    chain = [row for i in range(11) for row in pair(1, 1, first=i, second=i + 1)]
    star = [row for i in range(1, 12) for row in pair(1, first=0, second=i)]
    for played in (chain, star):
        found = rate(played, 12)
        assert np.isfinite(found.samples).all()
        assert found.order()[0] == 0


@pytest.mark.parametrize("won", [7, 8, 9, 10])
def test_interval_probability_and_ranks_never_contradict_each_other(won):
    # Ten deals, of which the first wins most: at 95 % either all hold the two apart, or none does.
    found = rate([*pair(*[1] * won, *[0] * (10 - won)), *pair(*[1, 0] * 20, second=2)], 3)
    for confidence in (0.9, 0.95, 0.99, 0.999):
        above = found.probability_above(0, 1)
        assert (found.lead_interval(0, 1, confidence).low > 0) == (above > (1 + confidence) / 2)
        assert above + found.probability_above(1, 0) == pytest.approx(1, abs=1e-9)
        # A rank is behind those who are above with half of the error, as two others are compared.
        sides = [found.probability_above(1, i) < (1 - confidence) / 4 for i in (0, 2)]
        assert found.ranks(1, confidence)[0] == 1 + sum(sides)


def test_a_probability_knows_no_more_than_few_deals_do():
    # The share of samples as a normal value, less by the root of 9 / 11, is one of Student's t of 9 degrees.
    ten = rate(pair(*[1] * 8, 0, 0), 2)
    share = float((ten.samples[:, 0] > ten.samples[:, 1]).mean())
    widened = special.ndtri(share) * math.sqrt(9 / 11)
    assert ten.probability_above(0, 1) == pytest.approx(stats.t(9).cdf(widened), abs=0.002)
    assert ten.probability_above(0, 1) < share - 0.01


def test_few_deals_give_no_interval_and_one_above_itself_none():
    found = rate(pair(1, 0, 1, 0.5), 2)
    assert (found.interval(0), found.lead_interval(0, 1), found.probability_above(0, 1)) == (None, None, None)
    assert found.ranks(0) == (1, 2)
    above = rate(pair(*[1, 0] * 8), 2).less(0)
    assert above.elo[0] == 0
    assert above.covariance[0, 0] == 0


def test_a_deal_is_drawn_as_a_whole():
    # Ten matches of a deal that all end alike say what one says.
    ends = [1, 1, 0, 1, 0.5, 0, 1, 1, 0, 1, 1, 0] * 3
    one = rate(pair(*ends), 2)
    ten = rate([row._replace(times=10) for row in pair(*ends)], 2)
    assert ten.elo == pytest.approx(one.elo)
    assert ten.covariance == pytest.approx(one.covariance)


def test_the_same_deals_in_another_order_give_the_same():
    played = [*pair(*[1, 0, 0.5, 1] * 5), *pair(*[1, 1, 0, 0.5] * 5, first=1, second=2)]
    one, two = rate(played, 3), rate(played[::-1], 3)
    assert one.elo == pytest.approx(two.elo)
    assert one.samples == pytest.approx(two.samples)


def test_ranks_hold_those_that_are_not_surely_apart():
    close = [1, 0] * 20
    played = [
        *pair(*close),
        *pair(*[1] * 36, *[0] * 4, first=0, second=2),
        *pair(*[1] * 36, *[0] * 4, first=1, second=2),
    ]
    found = rate(played, 3)
    assert [found.ranks(i) for i in range(3)] == [(1, 2), (1, 2), (3, 3)]
    assert 0.3 < found.probability_above(0, 1) < 0.7


def test_groups_that_never_met_have_no_ratings():
    with pytest.raises(ValueError, match=r"players \[2, 3\] met none of the others"):
        rate([*pair(1, 0), *pair(1, 0, first=2, second=3)], 4)


@pytest.mark.parametrize(("shape", "world"), [("all", "seat"), pytest.param("chain", "engine", marks=pytest.mark.slow)])
def test_intervals_hold_the_truth(shape, world):
    # 60 ladders of 4 players: ratings hang together, as if there were two; three standard errors of 120 below 95 %.
    own, leads, ranks = coverage(4, 40, world, 60, shape)
    assert min(own, leads) >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / 120)
    assert ranks >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / 120)
    assert np.isfinite([own, leads, ranks]).all()
