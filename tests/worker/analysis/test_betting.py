import math

import numpy as np
import pytest

from worker.analysis import betting

LEVEL = 0.025


def test_capital_of_one_win_by_hand():
    # Bets: sqrt(2 * 2 / (16 / 4)) = 1 times 1.1, 2.2 and 4.4, of which half, half and 0.9 of the capital may be lost
    # at m = 0.5: 1, 1 and 1.8. A win is 0.5 above the mean: factors 1.5, 1.5, 1.9, and 0.5, 0.5, 0.1 for the others.
    higher, lower = betting.capital(np.array([1.0]), 0.5, planned=16, level=math.exp(-2))
    assert higher == pytest.approx([(6 * 1.5 + 1.9) / 7])
    assert lower == pytest.approx([(6 * 0.5 + 0.1) / 7])


def test_an_end_is_where_the_capital_reached_its_bound():
    values = np.random.default_rng(1).binomial(2, 0.3, 700) / 2
    low, high = betting.bounds(values, 700, LEVEL)
    for deals in (40, 300, 700):
        at, width = (low[deals - 1], high[deals - 1]), high[deals - 1] - low[deals - 1]
        inside = width / betting.POINTS * 3  # steps of the supposed means were chosen at most twice as wide before
        for end, inner, better in ((at[0], at[0] + inside, 0), (at[1], at[1] - inside, 1)):
            assert betting.capital(values[:deals], end, 700, LEVEL)[better].max() >= 1 / LEVEL
            assert betting.capital(values[:deals], inner, 700, LEVEL)[better].max() < 1 / LEVEL


def test_ends_depend_on_the_values_before_alone():
    values = np.random.default_rng(2).binomial(1, 0.6, 400).astype(float)
    low, high = betting.bounds(values, 300, LEVEL)
    for deals in (1, 31, 32, 33, 64, 65, 399):
        ends = betting.bounds(values[:deals], 300, LEVEL)
        assert (ends[0] == low[:deals]).all()
        assert (ends[1] == high[:deals]).all()


def test_ends_never_go_back_and_never_cross():
    values = np.concatenate([np.zeros(200), np.ones(2000)])
    low, high = betting.bounds(values, 200, LEVEL)
    assert (np.diff(low) >= 0).all()
    assert (np.diff(high) <= 0).all()
    assert (low < high).all()


def test_losses_mirror_wins():
    values = np.random.default_rng(3).binomial(1, 0.1, 200).astype(float)
    low, high = betting.bounds(values, 200, LEVEL)
    mirrored = betting.bounds(1 - values, 200, LEVEL)
    assert 1 - mirrored[1] == pytest.approx(low, abs=1e-9)
    assert 1 - mirrored[0] == pytest.approx(high, abs=1e-9)


@pytest.mark.long
def test_the_truth_is_left_out_at_any_of_5000_looks_in_at_most_5_of_100_runs():
    rng, runs = np.random.default_rng(4), 300
    worlds = {rate: rng.binomial(1, rate, (runs, 5000)).astype(float) for rate in (0.02, 0.5, 0.98)}
    worlds[0.3] = rng.binomial(2, 0.3, (runs, 5000)) / 2
    for rate, values in worlds.items():
        ever = np.maximum(*betting.capital(values, rate, 500, LEVEL)).max(axis=1) >= 1 / LEVEL
        # 5 % is certain (Ville); three standard errors of a rate in 300 runs are 3.8 %
        assert ever.mean() <= 0.05 + 0.038, rate


@pytest.mark.long
def test_intervals_are_half_as_wide_again_as_fixed_ones_at_most():
    rng = np.random.default_rng(5)
    for rate, deals, most in ((0.5, 50, 1.45), (0.5, 500, 1.45), (0.5, 5000, 1.45), (0.02, 500, 1.6)):
        widths = []
        for _ in range(8):
            low, high = betting.bounds(rng.binomial(1, rate, deals).astype(float), deals, LEVEL)
            widths.append((high[-1] - low[-1]) / 2)
        fixed = 1.96 * math.sqrt(rate * (1 - rate) / deals)
        # measured: 1.27, 1.30, 1.24 and 1.33 times as wide (60 runs each)
        assert np.mean(widths) <= most * fixed
