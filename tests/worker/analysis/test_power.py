import math

import numpy as np
import pytest

from worker.analysis.methods import FIXED, AlwaysValid
from worker.analysis.moments import Moments
from worker.analysis.power import Comparison

ONE = Comparison(1.0)


def test_numbers_of_pairs_are_those_of_cohens_tables():
    """Two-sided 5 %, power 80 %, one sample: d = 0.2, 0.5, 0.8, 1 take 199, 34, 15, 10 (Cohen 1988, G*Power 3.1)."""
    assert [ONE.deals(gap) for gap in (0.2, 0.5, 0.8, 1.0)] == [199, 34, 15, 10]
    assert ONE.power(0.5, 34) == pytest.approx(0.808, abs=5e-4)  # G*Power: 0.8077775
    assert Comparison(10.0).deals(5.0) == 34


def test_of_many_deals_it_is_the_normal_law_by_hand():
    """(1.95996 + 0.84162)^2 = 7.8489, so 0.01 deviations take 78,489 deals; of two comparisons 2.24140 for 1.95996."""
    assert ONE.deals(0.01) == pytest.approx(78_489, abs=3)
    assert Comparison(1.0, 2).deals(0.01) == pytest.approx((2.24140 + 0.84162) ** 2 * 10_000, abs=3)
    assert ONE.half_width(40_000) == pytest.approx(1.95996 / 200, rel=1e-4)


def test_the_example_of_the_page_on_judging():
    rates = Comparison(0.5, bounds=(-1.0, 1.0, 0.0))
    assert (rates.half_width(400), rates.detectable(400)) == (
        pytest.approx(0.049, abs=5e-4),
        pytest.approx(0.070, abs=5e-4),
    )
    assert (rates.deals(0.05), rates.detectable(400, planned=400)) == (787, pytest.approx(0.114, abs=5e-4))
    assert Comparison(0.5, 5).detectable(400) == pytest.approx(0.086, abs=5e-4)


def test_what_is_detectable_is_seen_with_that_power():
    for deals in (2, 3, 12, 400, 30_000):
        for planned in (None, max(deals, 5)):
            gap = ONE.detectable(deals, planned=planned)
            assert gap is None or ONE.power(gap, deals, planned) == pytest.approx(0.8, abs=1e-4)
    assert ONE.detectable(400, planned=400) > 1.3 * ONE.detectable(400)
    assert ONE.deals(ONE.detectable(50)) == 50


def test_where_there_is_no_interval_nothing_is_seen():
    assert (ONE.power(9.0, 1), ONE.detectable(1), ONE.half_width(1)) == (0.0, None, math.inf)
    assert ONE.power(9.0, 4, planned=50) == 0.0  # intervals for every look begin with the fifth deal
    assert (ONE.deals(0.0), ONE.deals(-1.0), ONE.deals(1e-9)) == (None, None, None)
    assert ONE.power(0.0, 100) == 0.0
    constant = Comparison(0.0)
    assert (constant.deals(0.1), constant.detectable(10), constant.power(0.1, 2)) == (2, 0.0, 1.0)
    for wrong in ({"deviation": -1.0}, {"deviation": 1.0, "comparisons": 0}, {"deviation": 1.0, "alpha": 1.0}):
        with pytest.raises(ValueError, match=r"must be|no error"):
            Comparison(**wrong)


RUNS = 400
CASES = [(60, 0.2, 1), (200, 0.1, 3)]


@pytest.mark.parametrize(("deals", "gap", "comparisons"), CASES)
def test_pages_see_a_difference_of_win_rates_as_often_as_said(deals, gap, comparisons):
    """With the intervals of pages: two matches a deal, a common luck, Bonferroni's share of the error.

    A share of 400 runs near 60 % deviates by 2.4 points; three of these, and 2 since win rates of 60 deals have few
    values.
    """
    rng = np.random.default_rng(7)
    luck = rng.random((RUNS, deals, 1))  # a part of all matches is decided by the deal
    own = rng.random((2, RUNS, deals, 2))
    won = np.where(rng.random((2, RUNS, deals, 2)) < 0.2, luck, own) < np.array([0.4, 0.4 + gap])[:, None, None, None]
    rates = won.mean(axis=-1)
    compared = Comparison(float((rates[1] - rates[0]).std(ddof=1)), comparisons, bounds=(-1.0, 1.0, 0.0))
    seen = {"fixed": 0, "every look": 0}
    for first, second in zip(rates[1], rates[0], strict=True):
        sums = (Moments.of(first - second), Moments.of(first), Moments.of(second))
        for name, method in (("fixed", FIXED), ("every look", AlwaysValid(deals))):
            found = method.paired_rates(sums, (2, 2), 0, compared.confidence).interval
            seen[name] += found is not None and found.low > 0
    assert seen["fixed"] / RUNS == pytest.approx(compared.power(gap, deals), abs=0.072 + 0.02)
    assert seen["every look"] / RUNS == pytest.approx(compared.power(gap, deals, deals), abs=0.072 + 0.02)
