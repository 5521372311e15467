import math

import numpy as np
import pytest
from scipy import integrate, stats

from worker.analysis import beyond, sequences
from worker.analysis.running import running

LEVEL = 0.05


def test_a_bet_by_hand():
    """One win against a rate of 0.5, with the deviation 0.5 that is supposed before anything was seen.

    The bets are 1.1, 2.2 and 4.4 times sqrt(2 ln 20 / (400 * 0.25)) = 0.2448, the last one at most 0.9 / 0.5; each
    wins half of what is put in: 4/7 * (1 + 0.1346) + 2/7 * (1 + 0.2693) + 1/7 * (1 + 0.5385) = 1.2308.
    """
    above, below = beyond.of_rates(np.array([1.0]), 0.5, LEVEL)
    assert math.exp(above[0]) == pytest.approx(1.2308, abs=1e-4)
    assert math.exp(below[0]) == pytest.approx(2 - 1.2308, abs=1e-4)


def test_an_e_value_of_a_mean_is_a_mean_likelihood_ratio_of_t():
    """Over the prior of mean / deviation, by numerical integration; t = 3 of 8 values, without skewness."""
    values = np.array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])
    error = values.std(ddof=1) / math.sqrt(8)
    wide = math.sqrt(6 / 8) / (6 * math.sqrt(8))
    # t - wide * (2 t^2 + 1) is what is left of a t after the allowance for an unknown skewness
    claim = values.mean() - error * (3 + wide * (2 * 3**2 + 1))
    found = beyond.of_means(values, claim, LEVEL)[0][-1]
    prior = stats.norm(0, math.sqrt(sequences.prior(beyond.PLANNED, LEVEL)))
    mixed, _ = integrate.quad(lambda size: stats.nct.pdf(3.0, 7, size * math.sqrt(8)) * prior.pdf(size), -8, 8)
    assert math.exp(found) == pytest.approx(mixed / stats.t.pdf(3.0, 7), rel=1e-6)


def test_e_values_and_sequences_leave_out_the_same():
    values = np.random.default_rng(1).exponential(3, 500).round()
    moments = running(values)
    limits = sequences.limits(moments.skewness, beyond.PLANNED, LEVEL)
    for claim in (1.0, 2.0, 2.8, 3.3, 4.0, 6.0):
        t = (moments.mean - claim)[2:] / moments.error[2:]
        for found, sign, limit in zip(beyond.of_means(values, claim, LEVEL), (1, -1), limits, strict=True):
            np.testing.assert_array_equal(found[2:] >= -math.log(LEVEL), sign * t >= limit[2:])


def test_sizes_against_zero_are_means_against_zero():
    values = np.random.default_rng(2).normal(2, 5, 200).round()
    for one, two in zip(beyond.of_sizes(values, 0.0, LEVEL), beyond.of_means(values, 0.0, LEVEL), strict=True):
        np.testing.assert_allclose(one[2:], two[2:])


def test_values_that_never_varied_say_nothing_of_a_mean():
    for of in (beyond.of_means, beyond.of_sizes):
        assert np.isneginf(of(np.full(40, 6.0), 0.1, LEVEL)).all()


RUNS, LOOKS = 1500, 150
ROOM = 3 * math.sqrt(LEVEL * (1 - LEVEL) / RUNS)
"""Three standard errors of a share of so many runs."""


@pytest.mark.parametrize("world", ["normal", "exponential", "rates", "rare", "sizes"])
def test_a_true_claim_is_hardly_ever_refuted(world):
    """At any of 150 looks from the 30th on, as a test has them, on either side of the claim."""
    rng = np.random.default_rng(3)
    if world in ("rates", "rare"):
        rate = 0.5 if world == "rates" else 0.04
        found = beyond.of_rates(rng.binomial(1, rate, (RUNS, LOOKS)).astype(float), rate, LEVEL)
    elif world == "sizes":
        found = beyond.of_sizes(rng.gamma(4, 1, (RUNS, LOOKS)) - 4 + 0.6, 0.3, LEVEL)
    elif world == "normal":
        found = beyond.of_means(rng.normal(1, 4, (RUNS, LOOKS)), 1.0, LEVEL)
    else:
        found = beyond.of_means(rng.exponential(5, (RUNS, LOOKS)), 5.0, LEVEL)
    for side in found:
        assert (side[:, 29:] >= -math.log(LEVEL)).any(axis=1).mean() <= LEVEL + ROOM


def test_how_many_deals_it_takes():
    """A mean one deviation from the claim: all runs of normal values end within a third of the number foreseen."""
    values = np.random.default_rng(4).normal(0.5, 1, (200, 400))
    ended = (beyond.of_means(values, 0.0, 0.005)[0] >= math.log(200)).argmax(axis=1) + 1
    assert beyond.deals(0.5, 0.005) == pytest.approx(ended.mean(), rel=0.15)
    assert beyond.deals(0.0, 0.005) == math.inf
