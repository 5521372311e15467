import math

import numpy as np
import pytest

from worker.analysis import elo, likelihood

PAIRS, MATCHES = np.arange(5) / 4, np.arange(3) / 2


def test_two_outcomes_leave_no_choice():
    # 7 wins of 10 under rates of 0.6 and 0.5: 7 ln(0.6 / 0.5) + 3 ln(0.4 / 0.5).
    ratio = likelihood.mean_ratio(np.array([0.0, 1.0]), np.array([3.0, 7.0]), 0.5, 0.6)
    assert ratio == pytest.approx(7 * math.log(1.2) + 3 * math.log(0.8))


def test_three_outcomes_by_hand():
    # One each of -1, 0 and 1. With p for -1 and p + m for 1 the mean is m; log p + log(p + m) + log(1 - 2 p - m) is
    # highest where 1 / p + 1 / (p + m) = 2 / (1 - 2 p - m), that is 6 p^2 + (6 m - 2) p + m^2 - m = 0.
    m = 0.2
    p = (2 - 6 * m + math.sqrt((6 * m - 2) ** 2 - 24 * (m * m - m))) / 12
    expected = math.log(p) + math.log(1 - 2 * p - m) + math.log(p + m) - 3 * math.log(1 / 3)
    ratio = likelihood.mean_ratio(np.array([-1.0, 0.0, 1.0]), np.ones(3), 0.0, m)
    assert ratio == pytest.approx(expected)


@pytest.mark.parametrize(
    ("outcomes", "counts", "elo0", "elo1", "llr"),
    [
        (PAIRS, (223, 9863, 21279, 10037, 246), 0.5, 2.5, -3.07),
        (PAIRS, (871, 26175, 55983, 26678, 821), 0, 2, -4.98),
        (MATCHES, (21184, 40708, 21404), 0.5, 2.5, -1.57),
        (MATCHES, (57030, 106593, 57433), 0, 2, -2.59),
    ],
)
def test_logistic_ratios_are_those_that_fastchess_is_tested_with(outcomes, counts, elo0, elo1, llr):
    # Disservin/fastchess, app/tests/sprt_test.cpp, from tests of Stockfish on fishtest; printed with two digits.
    ratio = likelihood.mean_ratio(outcomes, np.array(counts, float), elo.share(elo0), elo.share(elo1))
    assert ratio == pytest.approx(llr, abs=0.005)


@pytest.mark.parametrize(
    ("outcomes", "counts", "elo0", "elo1", "llr"),
    [
        (PAIRS, (365, 16618, 36229, 16974, 390), 0, 2, 2.25),
        (PAIRS, (127, 4883, 10712, 5150, 104), -1.75, 0.25, 3.01),
        (MATCHES, (36027, 68692, 36433), 0, 2, 0.92),
        (MATCHES, (10650, 20431, 10871), -1.75, 0.25, 2.30),
    ],
)
def test_normalised_ratios_are_those_that_fastchess_is_tested_with(outcomes, counts, elo0, elo1, llr):
    h0, h1 = (elo.deviations(x, matches=2 if len(counts) == 5 else 1) for x in (elo0, elo1))
    ratio = likelihood.normalised_ratio(outcomes - 0.5, np.array(counts, float), h0, h1)
    assert ratio == pytest.approx(llr, abs=0.005)


def test_a_ratio_has_a_value_where_all_pairs_were_won():
    # The same source: 5,550 pairs won, 111.82 (fastchess ends its iteration at 1e-4, so two parts in 10,000 are left).
    counts = np.array([likelihood.UNSEEN] * 4 + [5550])
    h1 = elo.deviations(5, matches=2)
    assert likelihood.normalised_ratio(PAIRS - 0.5, counts, 0.0, h1) == pytest.approx(111.82, rel=5e-4)


def test_outcomes_that_never_came_change_nothing():
    counts = np.array([[0, 3, 0, 7, 0.0]])
    outcomes = np.array([-9.0, 0.0, 0.5, 1.0, 12.0])
    ratio = likelihood.mean_ratio(outcomes, counts, 0.5, 0.6)
    assert ratio == pytest.approx([7 * math.log(1.2) + 3 * math.log(0.8)])


def test_the_mean_that_was_observed_is_the_likeliest():
    rng = np.random.default_rng(1)
    outcomes, counts = np.arange(-8.0, 9.0), rng.integers(1, 9, 17).astype(float)
    mean = float(counts @ outcomes / counts.sum())
    for other in (mean - 0.5, mean + 0.1, -7.9, 7.9):
        lower, upper = sorted((mean, other))
        ratio = float(likelihood.mean_ratio(outcomes, counts, lower, upper))
        assert (ratio < 0) == (other > mean), other


def test_normalised_ratios_are_finite_for_few_and_for_equal_values():
    # where the fixed point fails they are those of normal distributions
    rng = np.random.default_rng(2)
    for sample in (np.zeros(30), np.full(5, 20.0), rng.normal(20, 5, 6).round(), rng.choice([0.0, 30.0], 9)):
        outcomes, counts = np.unique(sample, return_counts=True)
        reach = max(1.0, np.abs(sample).max())
        rows = np.concatenate([outcomes, [-reach, reach]])
        weights = np.concatenate([counts, [likelihood.UNSEEN] * 2])
        assert np.isfinite(likelihood.normalised_ratio(rows, weights, 0.0, 0.5))
