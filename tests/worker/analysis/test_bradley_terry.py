import math

import numpy as np
import pytest

from worker.analysis.bradley_terry import ELO, PairMatch, strengths


def matches(*results, deal=0):
    """Matches of (first, second, points), one a deal."""
    return [PairMatch(a, b, points, deal + number) for number, (a, b, points) in enumerate(results)]


def test_two_players_by_hand():
    # 7 wins, 1 loss, 1 draw, and half a win for each: the odds of a win to a loss are 7.5 : 1.5.
    found = strengths(matches(*[(0, 1, 1)] * 7, (0, 1, 0), (1, 0, 0.5)), 2, seed=1, anchor=1)
    assert found[0].elo == pytest.approx(400 * math.log10(5))
    assert found[1].elo == 0
    assert [(row.matches, row.points) for row in found] == [(9, 7.5), (9, 1.5)]


def test_strengths_without_an_anchor_add_up_to_0():
    found = strengths(matches((0, 1, 1), (1, 2, 1), (2, 0, 0.5), (0, 2, 1)), 3, seed=1)
    assert sum(row.elo for row in found) == pytest.approx(0)
    assert found[0].elo > found[1].elo > found[2].elo


def test_players_are_compared_by_way_of_third_ones():
    found = strengths(matches(*[(0, 1, 1)] * 3, (0, 1, 0), *[(1, 2, 1)] * 3, (1, 2, 0)), 3, seed=1, anchor=2)
    # Odds of 3.5 : 1.5 twice.
    assert found[0].elo == pytest.approx(2 * 400 * math.log10(3.5 / 1.5))


def test_somebody_who_won_every_match_has_a_strength():
    found = strengths(matches(*[(0, 1, 1)] * 20), 2, seed=1, anchor=1)
    assert found[0].elo == pytest.approx(400 * math.log10(20.5 / 0.5))
    assert found[0].interval is not None


def test_groups_that_never_met_have_no_strengths():
    with pytest.raises(ValueError, match=r"players \[2, 3\] met none of the others"):
        strengths(matches((0, 1, 1), (2, 3, 1)), 4, seed=1)


def test_wrong_points_and_lone_players_are_refused():
    for wrong in ((0, 1, 0.7), (1, 1, 1)):
        with pytest.raises(ValueError, match="share one point"):
            strengths(matches(wrong), 2, seed=1)


def test_few_deals_give_no_interval_and_an_anchor_has_none():
    assert strengths(matches(*[(0, 1, 1), (0, 1, 0)] * 4), 2, seed=1)[0].interval is None
    found = strengths(matches(*[(0, 1, 1), (0, 1, 0)] * 6), 2, seed=1, anchor=0)
    assert found[0].interval is None
    assert found[1].interval.low < 0 < found[1].interval.high


def test_a_deal_is_drawn_as_a_whole():
    # Ten matches of a deal that all end alike say what one says: intervals are as wide.
    ends = [1, 1, 0, 1, 0.5, 0, 1, 1, 0, 1, 1, 0] * 3
    one = strengths([PairMatch(0, 1, points, deal) for deal, points in enumerate(ends)], 2, seed=1)[0]
    ten = strengths([PairMatch(0, 1, p, deal) for deal, p in enumerate(ends) for _ in range(10)], 2, seed=1)[0]
    width, wide = (row.interval.high - row.interval.low for row in (one, ten))
    # Half a win for each is a tenth as much beside ten times the matches: 36 + 1 against 360 + 1, 2.5 %.
    assert wide == pytest.approx(width, rel=0.06)


@pytest.mark.long
def test_intervals_hold_the_truth():
    rng, runs, held = np.random.default_rng(1), 60, 0
    truth = np.array([-100.0, 0.0, 130.0])
    pairs = [(0, 1), (0, 2), (1, 2)]
    for run in range(runs):
        played = []
        for a, b in pairs:
            lead = (truth[a] - truth[b]) / ELO + rng.normal(0, 0.7, 40)  # luck of a deal, for both matches
            odds = np.exp(np.stack([lead / 2, np.full(40, math.log(0.5)), -lead / 2]))
            chances = odds.cumsum(axis=0) / odds.sum(axis=0)
            for _ in range(2):
                points = 1 - (rng.random(40) > chances).sum(axis=0) / 2
                played += [PairMatch(a, b, float(p), deal) for deal, p in enumerate(points)]
        found = strengths(played, 3, seed=run)
        held += sum(
            row.interval.low <= t - truth.mean() <= row.interval.high for row, t in zip(found, truth, strict=True)
        )
    # 95 % less three standard errors of 180 intervals that depend on each other by threes, 3 * sqrt(0.0475 / 60);
    # luck of deals makes all strengths smaller by some 3 %, which is little beside an error of 30 Elo
    assert held / (3 * runs) >= 0.95 - 0.084
