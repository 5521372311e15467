import pytest

from worker.analysis.first_seat import first_seat, lead
from worker.analysis.intervals import wilson
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.rates import rate_interval


def deals(*rows):
    return BlockMoments.of([Moments.of(row) for row in rows])


def test_lead_of_two_seats_is_the_difference():
    assert lead((30, 20)) == 10


def test_lead_of_three_seats_is_against_the_mean_of_the_others():
    assert lead((30, 20, 10)) == 15


def test_hand_worked_advantage():
    # Decisive matches of five deals, of which the last has but draws: 6 of 8 won.
    won = deals([1, 1], [1, 0], [1, 1], [1, 0], [])
    result = first_seat(won, deals([4, 2], [6, 8]), 2)
    assert (result.decisive, result.decisive_share, result.fair_share) == (8, 0.75, 0.5)
    # Squares 4 * 0.25: effect 4/3 * 1 / 8 / 0.1875 = 8/9, and 1/30 / 2 unseen; t(3) is 3.182446.
    n = 8 * (1.959964 / 3.182446) ** 2 / (8 / 9 + 1 / 60)
    assert result.decisive_interval == pytest.approx(wilson(0.75 * n, n), abs=1e-6)
    # Block means 3 and 7: 5 +- 12.7062 * 2.
    assert (result.lead, result.lead_interval) == (5, pytest.approx((5 - 25.41241, 5 + 25.41241), abs=1e-4))
    assert result.matters is False


def test_matches_of_many_arms_on_one_deal_are_no_further_evidence():
    """Seat 0 wins 12 of 20 deals, whatever the arm: 240 matches say what 20 do."""
    one, twelve = (deals(*[[1] * arms] * 12, *[[0] * arms] * 8) for arms in (1, 12))
    found = [first_seat(won, BlockMoments(), 2) for won in (one, twelve)]
    assert [row.decisive for row in found] == [20, 240]
    assert found[1].decisive_interval == pytest.approx(found[0].decisive_interval)
    assert found[1].matters is False
    assert wilson(144, 240).low > 0.5, "taken for independent they would have shown an advantage"


def test_draws_make_deals_of_different_sizes():
    won = deals([1, 1], [0], [1, 0, 0])
    result = first_seat(won, BlockMoments(), 2)
    assert (result.decisive, result.decisive_share) == (6, 0.5)
    assert result.decisive_interval == rate_interval(won)


def test_a_clear_advantage_matters():
    result = first_seat(deals(*[[1, 1, 1]] * 20), BlockMoments(), 3)
    assert result.fair_share == pytest.approx(1 / 3)
    # Every deal as one trial: Wilson's interval of 20 of 20 begins at 0.8389.
    assert result.decisive_interval == pytest.approx(wilson(20, 20))
    assert result.matters is True


def test_a_clear_disadvantage_matters_too():
    assert first_seat(deals(*[[0]] * 60), BlockMoments(), 2).matters is True


def test_draws_alone_decide_nothing():
    result = first_seat(deals(*[[]] * 5), deals(*[[0]] * 5), 2)
    assert (result.decisive, result.decisive_share, result.decisive_interval) == (0, None, None)
    assert (result.lead, result.lead_interval, result.matters) == (0, (0, 0), None)


def test_no_matches_are_undefined():
    result = first_seat(BlockMoments(), BlockMoments(), 2)
    assert (result.decisive, result.decisive_share, result.lead, result.lead_interval) == (0, None, None, None)
    assert result.matters is None


def test_one_seat_cannot_be_compared():
    with pytest.raises(ValueError, match="from two up"):
        first_seat(BlockMoments(), BlockMoments(), 1)
