import pytest

from worker import spec as specs
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.rates import Share
from worker.presets.numbers import Collector, Numbers, Quantity, num_speakers
from worker.records import Failure, MatchRecord
from worker.schedule import lineup
from worker.spec import ExperimentSpec

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


RANDOM, GREEDY = {"engine": "random"}, {"engine": "scripted", "options": {"policy": "greedy"}}


def spec(*seats: dict[str, object], **changes: object) -> ExperimentSpec:
    """An arm of these engines, both of two different ones where none are given."""
    data = {
        "version": 1,
        "game": "carcassonne",
        "seats": len(seats) or 2,
        "arms": [{"name": "a", "seats": list(seats) or [RANDOM, GREEDY]}],
        "deals": 10,
        "seed": 1,
    }
    return specs.from_json({**data, **changes})


@pytest.fixture
def numbers():
    """Place 0 wins 60:40 from seat 0 and 30:30 is a draw; from seat 1 it loses 20:50 and wins 45:40. One is over."""
    collector = Collector([MEEPLES, PAY], spec())
    collector.write([record(0, 0, (60, 40)), record(1, 1, (40, 45))])
    collector.write([record(0, 1, (50, 20)), record(2, 0, (99, 1)), record(1, 0, (30, 30), cities=3)])
    return collector.numbers()


def test_results_are_kept_by_place_and_seat(numbers: Numbers):
    first = numbers.tally(0, 0, 0)
    assert (first.wins, first.draws, first.losses, first.matches) == (1, 1, 0, 2)
    assert (first.lowest, first.highest, first.scores.mean) == (30, 60, 45)
    assert numbers.wins(0, 0, 1) == Share(1, 2)
    assert numbers.wins(0, 1, 0) == Share(1, 2)
    assert (numbers.wins(0, 0).successes, numbers.wins(0, 0).trials) == (2, 4)
    assert numbers.score(0, 0).value == pytest.approx(155 / 4)
    assert numbers.draws(0, 1).value == 0.25
    assert numbers.margin(0, 0).value == pytest.approx((20 - 30 + 0 + 5) / 4)


def test_a_deal_in_part_counts_nowhere(numbers: Numbers):
    """Of deal 2 the second seating is missing: its 99 points are the highest of none."""
    assert numbers.tally(0, 0).matches == numbers.tally(0, 1).matches == 4
    assert numbers.tally(0, 0).highest == 60
    assert numbers.quantity(0, 0, "placed").n == 4


def test_what_was_not_played_is_no_number():
    numbers = Collector([MEEPLES], spec()).numbers()
    assert numbers.wins(0, 0) is None
    assert numbers.score(0, 0, 1) is None
    assert numbers.quantity(0, 0, "placed") is None
    assert numbers.tally(0, 0).lowest is None


def test_quantities_are_means_over_matches_or_quotients(numbers: Numbers):
    assert numbers.quantity(0, 0, "placed").value == 3
    # 6 + 6 + 18 + 6 points in 1 + 1 + 3 + 1 cities.
    assert numbers.quantity(0, 1, "points_city").value == 6
    assert numbers.quantity(0, 1, "points_city").n == 4


def test_matches_that_reach_a_total_are_counted():
    collector = Collector([Quantity("many", ("placed_city", "points_city"), reaches=20)], spec(rotation="none"))
    collector.write([record(deal, 0, (60, 40), cities=1 + deal) for deal in range(4)])  # 2 and 6 a city: 8, 14, 20, 26
    assert collector.numbers().share(0, 0, "many") == Share(2, 4, effect=pytest.approx(4 / 3), freedom=3)
    assert collector.numbers().share(0, 0, "few") is None


def test_a_deal_is_one_block(numbers: Numbers):
    assert numbers.blocks[(0, 0)]["placed"] == BlockMoments.of([Moments(2, 6.0), Moments(2, 6.0)])
    assert numbers.blocks[(0, 0)]["points_city"] == BlockMoments.of([Moments(2, 12.0), Moments(4, 24.0)])


def test_wins_in_all_seats_are_judged_by_deals():
    """Who is dealt well wins from both seats: 20 matches say no more than 10 deals."""
    collector = Collector([], spec())
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


def test_wins_without_a_spread_between_deals_count_one_as_gone_otherwise():
    collector = Collector([], spec())
    for deal in range(3):
        collector.write([record(deal, 0, (60, 40)), record(deal, 1, (60, 40))])
    # 3/2 * 1 / 6 / 0.25 = 1, and 1/30 of an unseen one of three
    assert collector.numbers().wins(0, 0) == Share(3, 6, effect=pytest.approx(1 + 1 / 90), freedom=2)


def test_an_engine_against_itself_is_one_side_that_plays_each_deal_once():
    collector = Collector([MEEPLES], spec(RANDOM, RANDOM))
    collector.write([record(0, 0, (60, 40)), record(1, 0, (30, 30))])
    numbers = collector.numbers()
    for place in (0, 1):
        assert (numbers.wins(0, place).successes, numbers.wins(0, place).trials) == (1, 4)
        assert numbers.score(0, place).value == 40
        assert numbers.margin(0, place).value == 0
    assert (numbers.tally(0, 0, 0).wins, numbers.tally(0, 1, 1).losses) == (1, 1)


def test_places_that_are_never_exchanged_are_told_apart():
    collector = Collector([], spec(RANDOM, RANDOM, rotation="none"))
    collector.write([record(0, 0, (60, 40))])
    numbers = collector.numbers()
    assert [numbers.wins(0, place) for place in (0, 1)] == [Share(1, 1), Share(0, 1)]


def test_of_partners_one_speaks_for_both():
    teams = spec(GREEDY, RANDOM, GREEDY, RANDOM, game="dominoes", options={"length": "round"})
    collector = Collector([], teams)
    won = ("win", "loss", "win", "loss")
    for rotation, results in enumerate((won, won[1:] + won[:1])):  # the greedy team, in both seatings
        points = tuple(0 if result == "win" else -20 for result in results)
        collector.write([MatchRecord(0, 0, rotation, 1, 1, lineup(4, rotation), "finished", points, results=results)])
    numbers = collector.numbers()
    for place, wins in enumerate((2, 0, 2, 0)):
        assert (numbers.wins(0, place).successes, numbers.wins(0, place).trials) == (wins, 2), place


def test_who_speaks_for_a_side():
    """Of a team's places the first; in other games every place, also of equal engines."""
    assert [num_speakers("dominoes", sides, 4) for sides in (1, 2, 4)] == [2, 2, 4]
    assert [num_speakers("carcassonne", sides, 3) for sides in (1, 3)] == [3, 3]


def test_failed_matches_are_counted_apart():
    collector = Collector([MEEPLES], spec())
    failed = MatchRecord(0, 0, 0, 1, 1, (0, 1), "failed", failure=Failure(0, "exception", "no move"))
    collector.write([failed, record(0, 1, (60, 40))])
    assert collector.failed == 1
    assert collector.numbers().seats == {}, "the deal has but one of its two matches"
