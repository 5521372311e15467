import math

import numpy as np
import pytest

from worker.analysis.power import Comparison
from worker.analysis.stop_rules.best_of import BestOf
from worker.analysis.stop_rules.chances import chances
from worker.analysis.stop_rules.fixed_number import FixedNumber
from worker.analysis.stop_rules.model import BEST, H1, Truth
from worker.analysis.stop_rules.precision import DIFFERENCE, Precision
from worker.analysis.stop_rules.sprt import Sprt


def test_a_fixed_number_finds_what_its_interval_shows():
    compared = Comparison(10.0, 2)
    nothing, five = chances(FixedNumber(), compared, 3, 40, [0.0, 5.0])
    assert (nothing.found, nothing.deals, nothing.arm_deals) == (0.0, 40, 120)
    assert five.found == compared.power(5.0, 40)


def test_a_precision_takes_the_deals_that_its_width_asks_for():
    """(2.2414 * 10 / 2)^2 = 125.6 with two comparisons; never more than planned."""
    rule = Precision(DIFFERENCE, 2.0)
    (found,) = chances(rule, Comparison(10.0, 2), 3, 1000, [3.0])
    assert (found.deals, found.arm_deals) == (126, 378)
    assert found.found == Comparison(10.0, 2).power(3.0, 126)
    assert chances(rule, Comparison(10.0, 2), 3, 80, [3.0])[0].deals == 80


def test_a_test_costs_what_wald_says_and_errs_as_often_as_allowed():
    """Siegmund's formula has no maximum and no least number of deals; 4.5 points are four errors of 2,000 runs.

    With a maximum that is too small it ends undecided, and finds less.
    """
    rule, compared = Sprt("win_rate", 0.0, 0.1), Comparison(0.5)
    found = chances(rule, compared, 2, 20_000, [0.0, 0.05, 0.1])
    for row in found:
        said = rule.expected(Truth((0.0, row.difference), 0.5), 20_000)
        assert row.deals == pytest.approx(said.deals, rel=0.1)
        assert row.arm_deals == 2 * row.deals
    assert [row.found for row in found] == pytest.approx([0.05, 0.5, 0.95], abs=0.045)
    (short,) = chances(rule, compared, 2, 100, [0.1])
    assert short.deals <= 100
    assert short.found < 0.5
    in_deviations = chances(Sprt("normalised", 0.0, 0.2), Comparison(1.0), 2, 20_000, [0.2])[0]
    assert in_deviations.deals == pytest.approx(found[2].deals, rel=0.1)


def test_a_race_finds_the_one_that_is_better():
    rule = BestOf("margin")
    alike, little, much = chances(rule, Comparison(10.0, 3), 4, 800, [0.0, 1.5, 6.0])
    assert alike.found <= 0.02
    assert alike.found < little.found < much.found == 1.0
    assert alike.deals > little.deals > much.deals
    assert much.arm_deals < 4 * much.deals
    assert chances(rule, Comparison(10.0, 63), 64, 100_000, [9.0])[0].found == 1.0
    with pytest.raises(ValueError, match="planned"):
        chances(rule, Comparison(1.0), 2, 0, [1.0])


RUNS = 150
ON = 3 * math.sqrt(0.25 / RUNS)
"""Three standard errors of a share of so many runs."""


def _rates(rng: np.random.Generator, wins: list[float], deals: int) -> np.ndarray:
    """Win rates of deals of two matches each."""
    return rng.binomial(2, np.array(wins)[:, None], (len(wins), deals)) / 2


@pytest.mark.parametrize(
    ("on", "gap"), [("win_rate", 0.06), pytest.param("win_rate", 0.12, marks=pytest.mark.slow), ("margin", 0.06)]
)
def test_real_tests_go_as_foreseen(on, gap):
    """Deals of two matches of two equals: their difference deviates by 0.5, as the points here do.

    15 %: three standard errors of their mean number.
    """
    rule, rng, planned = Sprt(on, 0.0, 0.12), np.random.default_rng(3), 250
    if on == "win_rate":
        runs = [_rates(rng, [0.5 - gap / 2, 0.5 + gap / 2], planned) for _ in range(RUNS)]
    else:
        runs = [rng.normal([[0.0], [gap]], math.sqrt(0.125), (2, planned)) for _ in range(RUNS)]
    stops = [rule.first_stop(values, planned) for values in runs]
    (said,) = chances(rule, Comparison(0.5), 2, planned, [gap])
    assert np.mean([stop.reason == H1 for stop in stops]) == pytest.approx(said.found, abs=ON)
    assert np.mean([stop.deals for stop in stops]) == pytest.approx(said.deals, rel=0.15)


@pytest.mark.long
@pytest.mark.parametrize("on", ["win_rate", "margin"])
def test_real_races_go_as_foreseen(on):
    """Three arms, the last better by 0.4 deviations. Sequences of rates are others than those of the plan: 20 %."""
    rule, rng, planned, runs = BestOf(on), np.random.default_rng(4), 300, 60
    deviation, gap = (0.5, 0.2) if on == "win_rate" else (10 * math.sqrt(2), 4 * math.sqrt(2))
    found, deals = 0, []
    for _ in range(runs):
        values = _rates(rng, [0.4, 0.4, 0.6], planned) if on == "win_rate" else rng.normal(0, 10, (3, planned))
        if on == "margin":
            values[2] += gap
        stop = rule.first_stop(values, planned)
        found += stop.reason == BEST and stop.arm == 2
        deals.append(stop.deals)
    (said,) = chances(rule, Comparison(deviation, 2), 3, planned, [gap])
    assert found / runs == pytest.approx(said.found, abs=3 * math.sqrt(0.25 / runs))
    assert np.mean(deals) == pytest.approx(said.deals, rel=0.2)
