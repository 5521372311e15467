"""The numbers of result tables, recounted from the rows."""

from __future__ import annotations

from statistics import mean
from typing import Any

import pytest

from tests.webapp.results import factory
from tests.webapp.results.factory import FLAT, RANDOM, seat
from webapp.records.models import Experiment, Seat
from webapp.results.cache import version
from webapp.results.selectors import Tally, results
from webapp.results.table import table

pytestmark = pytest.mark.django_db
GREEDY = seat("scripted", {"policy": "greedy"})


def _rows(made: Experiment, arm: int, place: int) -> list[Seat]:
    return list(
        Seat.objects.filter(match__experiment=made, match__arm_index=arm, lineup_index=place, match__status="finished")
    )


def test_totals_are_those_of_the_rows(alice: Any) -> None:
    made = factory.played(alice, [[FLAT, RANDOM], [GREEDY, RANDOM]], deals=4)
    found = results(made)
    assert found.finished == found.written == made.num_matches == 16
    for arm in range(2):
        for place in range(2):
            rows, side = _rows(made, arm, place), found.sides[arm][place]
            assert side.tally.matches == len(rows) == 8
            for name, number in (("win", side.tally.wins), ("draw", side.tally.draws), ("loss", side.tally.losses)):
                assert number == sum(row.result == name for row in rows)
            assert side.score.mean == pytest.approx(mean(row.score for row in rows))
            assert side.margin.mean == pytest.approx(mean(row.margin for row in rows))
            assert side.margin.blocks == 4
            assert (side.lowest, side.highest) == (min(row.score for row in rows), max(row.score for row in rows))


def test_numbers_by_seat_add_up_to_those_of_the_side(alice: Any) -> None:
    side = results(factory.played(alice, deals=4)).sides[0][0]
    assert [row.seat for row in side.seats] == [0, 1]
    assert sum((row.tally for row in side.seats), Tally()) == side.tally
    assert sum(row.score.total for row in side.seats) == pytest.approx(side.score.total)


def test_wins_and_losses_mirror_each_other_for_two_sides(alice: Any) -> None:
    first, second = results(factory.played(alice, deals=3)).sides[0]
    assert (first.tally.wins, first.tally.draws, first.tally.losses) == (
        second.tally.losses,
        second.tally.draws,
        second.tally.wins,
    )
    assert first.margin.mean == pytest.approx(-second.margin.mean)


def test_margins_take_the_deal_as_their_unit(alice: Any) -> None:
    made = factory.played(alice, deals=3)
    deals: dict[int, list[int]] = {}
    for row in Seat.objects.filter(match__experiment=made, lineup_index=0).select_related("match"):
        deals.setdefault(row.match.deal, []).append(row.margin)
    means = [mean(values) for values in deals.values()]
    half = 4.302653 * (sum((m - mean(means)) ** 2 for m in means) / 2 / 3) ** 0.5  # t, 2 degrees, 97.5 %
    interval = results(made).sides[0][0].margin.interval()
    assert interval is not None
    assert (interval.high - interval.low) / 2 == pytest.approx(half, rel=1e-5)


def test_failed_matches_are_counted_apart_and_charged_to_their_engine(alice: Any) -> None:
    made = factory.experiment(alice, deals=2)
    factory.write(made, [factory.record(made, 0, 0), factory.record(made, 0, 1, fail_at=9)])
    found = results(made)
    assert (found.finished, found.failed) == (1, 1)
    assert sum(side.failures for side in found.sides[0]) == 1
    assert found.sides[0][0].tally.matches == 1
    failing = next(side.side.place for side in found.sides[0] if side.failures)
    row = Seat.objects.get(
        match__experiment=made, match__status="failed", seat=made.matches.get(status="failed").failure["seat"]
    )
    assert row.lineup_index == failing


def test_nothing_played_is_undefined_and_not_zero(alice: Any) -> None:
    made = factory.experiment(alice)
    side = results(made).sides[0][0]
    assert side.tally.win_rate is None
    assert side.tally.interval is None
    assert side.margin.mean is None
    shown = table(made)
    assert shown.is_empty
    assert shown.finding == ""


def test_one_match_has_a_rate_but_no_interval_of_the_margin(alice: Any) -> None:
    made = factory.experiment(alice)
    factory.write(made, [factory.record(made, 0, 0)])
    row = table(made).rows[0]
    assert row.rate is not None
    assert row.half == ""
    assert row.margin != "undefined"


def test_arms_are_compared_over_the_deals_both_have_whole(alice: Any) -> None:
    made = factory.experiment(alice, [[FLAT, RANDOM], [GREEDY, RANDOM]], deals=4)
    factory.write(made, [factory.record(made, 0, i) for i in range(8)] + [factory.record(made, 1, i) for i in range(5)])
    (difference,) = results(made).differences
    assert difference.margin.blocks == 2
    assert difference.margin.left_out == 2
    ours, theirs = (mean(row.margin for row in _rows(made, arm, 0) if row.match.deal < 2) for arm in (1, 0))
    assert difference.margin.mean == pytest.approx(ours - theirs)
    assert "2" in table(made).differences[0][1][0]


def test_numbers_are_kept_until_something_is_written(alice: Any, django_assert_num_queries: Any) -> None:
    made = factory.experiment(alice, deals=2)
    factory.write(made, [factory.record(made, 0, 0)])
    first, before = results(made), version(made)
    with django_assert_num_queries(2):
        assert results(made) is first
    factory.write(made, [factory.record(made, 0, 1)])
    assert version(made) != before
    assert results(made).finished == 2
