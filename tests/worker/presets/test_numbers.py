import pytest

from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.rates import Share
from worker.presets.numbers import Collector, Numbers, Quantity
from worker.records import Failure, MatchRecord

MEEPLES = Quantity("placed", ("placed_city", "placed_road"))
PAY = Quantity("points_city", ("points_city",), ("features_city",))


def record(deal: int, rotation: int, scores: tuple[int, int], cities: int = 1) -> MatchRecord:
    """A match of two; every seat has `cities` cities of 6 points, two meeples there and one on a road."""
    metrics = {"placed_city": 2, "placed_road": 1, "points_city": 6 * cities, "features_city": cities}
    results = (
        ("draw", "draw") if scores[0] == scores[1] else ("win", "loss") if scores[0] > scores[1] else ("loss", "win")
    )
    return MatchRecord(
        arm=0,
        deal=deal,
        rotation=rotation,
        seed=1,
        deal_seed=1,
        lineup=(0, 1) if rotation == 0 else (1, 0),
        status="finished",
        scores=scores,
        results=results,
        metrics=(metrics, metrics),
    )


@pytest.fixture
def numbers():
    """Place 0 wins 60:40 from seat 0 and 30:30 is a draw; from seat 1 it loses 20:50."""
    collector = Collector([MEEPLES, PAY])
    collector.write([record(0, 0, (60, 40)), record(0, 1, (50, 20))])
    collector.write([record(1, 0, (30, 30), cities=3)])
    return collector.numbers()


def test_results_are_kept_by_place_and_seat(numbers: Numbers):
    first = numbers.tally(0, 0, 0)
    assert (first.wins, first.draws, first.losses, first.matches) == (1, 1, 0, 2)
    assert (first.lowest, first.highest, first.scores.mean) == (30, 60, 45)
    assert numbers.wins(0, 0, 1) == Share(0, 1)
    assert numbers.wins(0, 1, 0) == Share(1, 1)
    assert (numbers.wins(0, 0).successes, numbers.wins(0, 0).trials) == (1, 3)
    assert numbers.score(0, 0).value == pytest.approx(110 / 3)


def test_what_was_not_played_is_no_number():
    numbers = Collector([MEEPLES]).numbers()
    assert numbers.wins(0, 0) is None
    assert numbers.score(0, 0, 1) is None
    assert numbers.quantity(0, 0, "placed") is None
    assert numbers.tally(0, 0).lowest is None


def test_quantities_are_means_over_matches_or_quotients(numbers: Numbers):
    assert numbers.quantity(0, 0, "placed").value == 3
    # 6 + 6 + 18 points in 1 + 1 + 3 cities.
    assert numbers.quantity(0, 1, "points_city").value == 6
    assert numbers.quantity(0, 1, "points_city").n == 3


def test_matches_that_reach_a_total_are_counted():
    collector = Collector([Quantity("many", ("placed_city", "points_city"), reaches=20)])
    collector.write([record(deal, 0, (60, 40), cities=1 + deal) for deal in range(4)])  # 2 and 6 a city: 8, 14, 20, 26
    assert collector.numbers().share(0, 0, "many") == Share(2, 4, effect=pytest.approx(4 / 3), freedom=3)
    assert collector.numbers().share(0, 0, "few") is None


def test_a_deal_is_one_block(numbers: Numbers):
    expected = BlockMoments.of([Moments(2, 6.0), Moments(1, 3.0)])
    assert numbers.blocks[(0, 0)]["placed"] == expected


def test_wins_in_all_seats_are_judged_by_deals():
    """Who is dealt well wins from both seats: 20 matches say no more than 10 deals."""
    collector = Collector([])
    for deal in range(10):
        good, bad = ((60, 40), (40, 60)) if deal < 6 else ((40, 60), (60, 40))
        collector.write([record(deal, 0, good), record(deal, 1, bad)])
    found = collector.numbers().wins(0, 0)
    assert (found.successes, found.trials, found.freedom) == (12, 20, 9)
    # blocks of 2 and 0: their spread is twice the binomial one, times 10 / 9 for the mean taken out
    assert found.effect == pytest.approx(2 * 10 / 9)
    narrow = Share(12, 20).interval()
    assert found.interval().low < narrow.low < narrow.high < found.interval().high
    assert found.interval().low < Share(6, 10).interval().low


def test_wins_without_a_spread_between_deals_count_as_independent():
    collector = Collector([])
    for deal in range(3):
        collector.write([record(deal, 0, (60, 40)), record(deal, 1, (60, 40))])
    assert collector.numbers().wins(0, 0) == Share(3, 6)


def test_failed_matches_are_counted_apart():
    collector = Collector([MEEPLES])
    failed = MatchRecord(0, 0, 0, 1, 1, (0, 1), "failed", failure=Failure(0, "exception", "no move"))
    collector.write([failed])
    assert collector.failed == 1
    assert collector.numbers().seats == {}
