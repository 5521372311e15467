import pytest

from worker.analysis.intervals import wilson
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.seats import first_seat, lead
from worker.analysis.summary import Tally


def test_lead_of_two_seats_is_the_difference():
    assert lead((30, 20)) == 10


def test_lead_of_three_seats_is_against_the_mean_of_the_others():
    assert lead((30, 20, 10)) == 15


def test_hand_worked_advantage():
    by_seat = {0: Tally(wins=6, draws=2, losses=2), 1: Tally(wins=2, draws=2, losses=6)}
    leads = BlockMoments.of([Moments.of([4, 2]), Moments.of([6, 8])])
    result = first_seat(by_seat, leads, 2)
    assert (result.matches, result.wins, result.draws, result.losses) == (10, 6, 2, 2)
    assert (result.decisive, result.decisive_share, result.fair_share) == (8, 0.75, 0.5)
    assert result.decisive_interval == wilson(6, 8)
    # Block means 3 and 7: 5 +- 12.7062 * 2.
    assert (result.lead, result.lead_interval) == (5, pytest.approx((5 - 25.41241, 5 + 25.41241), abs=1e-4))
    assert result.matters is False


def test_a_clear_advantage_matters():
    by_seat = {0: Tally(wins=60), 1: Tally(losses=60), 2: Tally(losses=60)}
    result = first_seat(by_seat, BlockMoments(), 3)
    assert result.fair_share == pytest.approx(1 / 3)
    assert result.matters is True


def test_a_clear_disadvantage_matters_too():
    by_seat = {0: Tally(losses=60), 1: Tally(wins=60)}
    assert first_seat(by_seat, BlockMoments(), 2).matters is True


def test_draws_alone_decide_nothing():
    by_seat = {0: Tally(draws=5), 1: Tally(draws=5)}
    result = first_seat(by_seat, BlockMoments.of([Moments.of([0])] * 5), 2)
    assert (result.draws, result.decisive, result.decisive_share, result.decisive_interval) == (5, 0, None, None)
    assert (result.lead, result.lead_interval, result.matters) == (0, (0, 0), None)


def test_no_matches_are_undefined():
    result = first_seat({}, BlockMoments(), 2)
    assert (result.matches, result.decisive_share, result.lead, result.lead_interval) == (0, None, None, None)


def test_one_seat_cannot_be_compared():
    with pytest.raises(ValueError, match="from two up"):
        first_seat({}, BlockMoments(), 1)
