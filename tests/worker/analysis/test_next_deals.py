import itertools
import math

import numpy as np
import pytest

from tests.worker.analysis.rating_coverage import played, pool
from worker.analysis.next_deals import ORDER, WIDTH, Table, _saved, choose, design_effect, ranking_information
from worker.analysis.ratings import ELO, rate_counts

PAIRS = list(itertools.combinations(range(4), 2))
TABLES = [Table(pair, 2, 1.0) for pair in PAIRS]


def test_information_of_a_ranking_by_hand():
    # Three equal players: the choice of one of three has variance 2/9 and covariance -1/9; then each two are left in
    # a third of the matches, with 1/4 and -1/4: 2/9 + 2/3 * 1/4 = 7/18.
    assert ranking_information(np.zeros(3)) == pytest.approx(np.array([[14, -7, -7], [-7, 14, -7], [-7, -7, 14]]) / 36)
    # Two: p (1 - p), as of a coin.
    assert ranking_information(np.array([math.log(3), 0.0]))[0, 0] == pytest.approx(3 / 16)


def test_what_a_choice_leaves_by_hand():
    # Two players, equal so far, each known with an error of 50 Elo: their lead has a variance of 5000.
    # 100 matches tell 25 / ELO^2, so 1 / (1/5000 + 25 / ELO^2) are left.
    (choice,) = choose(np.zeros(2), np.diag([2500.0, 2500.0]), 1.0, [Table((0, 1), 2, 0.5)], 50, 3)
    left = 1 / (1 / 5000 + 25 / ELO**2)
    assert choice.before == pytest.approx(1.96 * math.sqrt(5000))
    assert choice.after == pytest.approx(1.96 * math.sqrt(left))


def test_points_that_are_saved_by_hand():
    # f(0) is the density of the normal distribution at 0; f(-1) = 0.24197 - 0.15866.
    assert _saved(np.array([0.0, 30.0, 30.0]), np.array([10.0, 30.0, 0.0])) == pytest.approx(
        [10 / math.sqrt(2 * math.pi), 30 * 0.08331, 0], rel=1e-3
    )


def test_neighbours_whose_order_is_open_play_first():
    elo = np.array([300.0, 5.0, -5.0, -300.0])
    (choice,) = choose(elo, np.eye(4) * 1600, 1.0, TABLES, 10, 1)
    assert (choice.why, PAIRS[choice.table], choice.first, choice.second) == (ORDER, (1, 2), 1, 2)
    assert choice.after < choice.before


def test_of_two_that_tell_alike_the_cheaper_plays():
    elo = np.array([200.0, 200.0, -200.0, -200.0])
    dear = [Table(pair, 2, 5.0 if pair == (0, 1) else 1.0) for pair in PAIRS]
    (choice,) = choose(elo, np.eye(4) * 1600, 1.0, dear, 10, 1)
    assert PAIRS[choice.table] == (2, 3)


def test_every_other_choice_is_of_the_lead_that_is_known_worst():
    elo = np.array([600.0, 200.0, 190.0, -600.0])
    first, second = choose(elo, np.diag([100.0, 400.0, 400.0, 9000.0]), 1.0, TABLES, 10, 2)
    assert (first.why, PAIRS[first.table]) == (ORDER, (1, 2))
    assert (second.why, second.first, second.second) == (WIDTH, 2, 3)
    assert second.after < second.before


def test_a_table_is_chosen_once_and_one_that_tells_nothing_never():
    elo = np.array([9000.0, 3000.0, -3000.0, -9000.0])
    assert choose(elo, np.zeros((4, 4)), 1.0, TABLES, 10, 6) == []
    chosen = [choice.table for choice in choose(np.zeros(4), np.eye(4) * 1600, 1.0, TABLES, 10, 9)]
    assert sorted(chosen) == list(range(6))


def test_the_design_effect_of_matches_that_go_alike_is_their_number():
    rng = np.random.default_rng(2)
    plain = played(rng, pool(4), PAIRS, 300, "plain")
    # The error of a variance from 1000 draws is 4.5 %; deals themselves add about as much.
    assert design_effect(plain, rate_counts(plain)) == pytest.approx(1, abs=0.2)
    alike = played(rng, pool(4), PAIRS, 300, "plain")
    alike.ahead[:] = 2 * (alike.ahead + rng.random(alike.ahead.shape) > 1)
    alike.chosen[:] = 0
    for i, (a, b) in enumerate(PAIRS):
        alike.chosen[:, a] += alike.ahead[:, i]
        alike.chosen[:, b] += 2 - alike.ahead[:, i]
    assert design_effect(alike, rate_counts(alike)) == pytest.approx(2, abs=0.4)
