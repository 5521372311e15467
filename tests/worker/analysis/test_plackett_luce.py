import itertools
import math

import numpy as np
import pytest

from worker.analysis.plackett_luce import Ranking, counts, expected_share, fit


def fitted(rankings, players, extra=True):
    counted = counts(rankings, players)
    half = counted.extra[None] / 2 if extra else np.zeros((1, len(counted.pairs)))
    return fit(counted, np.ones((1, len(counted.deals))), half, half)[0]


def orders(*rows, deal=0):
    """Matches given by their players from first to last, one a deal."""
    return [Ranking(deal + i, row, tuple(range(1, len(row) + 1))) for i, row in enumerate(rows)]


def test_two_players_by_hand():
    # 7 wins, 1 loss, 1 draw, and half a win for each: odds of 8 : 2, and a draw is half a win, so 7.5 + .5 : 1.5 + .5.
    found = fitted([*orders(*[(0, 1)] * 7, (1, 0)), Ranking(8, (1, 0), (1, 1))], 2)
    assert found[0] - found[1] == pytest.approx(math.log(8 / 2))
    assert found.sum() == pytest.approx(0)


def test_players_are_compared_by_way_of_third_ones():
    found = fitted(orders(*[(0, 1)] * 3, (1, 0), *[(1, 2)] * 3, (2, 1)), 3)
    # The extra deals are (1 + 1/2) / 2 of a deal for each pair: odds of 3 + 3/8 to 1 + 3/8, twice.
    assert found[0] - found[2] == pytest.approx(2 * math.log(3.375 / 1.375))


def test_three_at_a_table_by_hand():
    # Players 1 and 2 are alike: 4 log t/(t+2) + 2 log 1/(t+2) + 2 log t/(t+1) is largest where
    # 6t/(t+2) + 2t/(t+1) = 6, so t^2 - 4t - 6 = 0.
    played = orders(*[(0, 1, 2), (0, 2, 1)] * 2, (1, 0, 2), (2, 0, 1))
    found = fitted(played, 3, extra=False)
    assert found[0] - found[1] == pytest.approx(math.log(2 + math.sqrt(10)))
    assert found[1] == pytest.approx(found[2])


def test_a_tie_is_each_of_its_orders_in_equal_parts():
    tied = [Ranking(0, (0, 1, 2, 3), (1, 2, 2, 4)), *orders((3, 2, 1, 0), deal=1)]
    halves = [*orders((0, 1, 2, 3), (0, 2, 1, 3)), *orders(*[(3, 2, 1, 0)] * 2, deal=2)]
    assert fitted(tied, 4, extra=False) == pytest.approx(fitted(halves, 4, extra=False))


def test_the_largest_likelihood_is_where_none_near_it_is_larger():
    rng = np.random.default_rng(3)
    played = orders(*[tuple(map(int, rng.permutation(5)[:4])) for _ in range(40)])

    def likelihood(strength):
        odds = np.exp(strength)
        return sum(
            math.log(odds[m.players[i]] / odds[list(m.players[i:])].sum())
            for m in played
            for i in range(len(m.players))
        )

    found = fitted(played, 5, extra=False)
    best = likelihood(found)
    for change in (*np.eye(5), *rng.normal(size=(10, 5))):
        assert likelihood(found + 1e-3 * change) < best + 1e-9
        assert likelihood(found - 1e-3 * change) < best + 1e-9


def test_who_else_is_at_the_table_does_not_change_who_comes_in_ahead():
    strength = np.array([0.7, -0.2, 0.1, -0.6])
    odds = np.exp(strength)

    def chance(order):
        return math.prod(odds[order[i]] / odds[list(order[i:])].sum() for i in range(len(order)))

    ahead = sum(chance(order) for order in itertools.permutations(range(4)) if order.index(0) < order.index(3))
    assert expected_share(strength, [(0, 3)])[0] == pytest.approx(ahead)


def test_matches_of_one_deal_that_go_alike_are_one_deal():
    # All 20 matches of 10 deals won: the extra deal is 2 matches, so the odds are those of 10 + 1/2 deals.
    found = fitted([Ranking(deal, (0, 1), (1, 2), times=2) for deal in range(10)], 2)
    assert found[0] - found[1] == pytest.approx(math.log(10.5 / 0.5))


def test_groups_that_never_met():
    assert counts(orders((0, 1), (2, 4), (4, 3)), 6).groups() == [[2, 3, 4], [0, 1], [5]]


@pytest.mark.parametrize("wrong", [Ranking(0, (1, 1), (1, 2)), Ranking(0, (0, 2), (1, 2)), Ranking(0, (0, 1), (1,))])
def test_impossible_matches_are_refused(wrong):
    with pytest.raises(ValueError, match=r"a match has two or more|each player has a rank"):
        counts([wrong], 2)
