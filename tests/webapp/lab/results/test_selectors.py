"""The numbers of result tables, recounted from the rows."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from statistics import mean
from typing import Any

import pytest
from django.db import connection

from tests.webapp.lab.results import factory
from tests.webapp.lab.results.by_hand import rate_bounds
from tests.webapp.lab.results.factory import FLAT, RANDOM, seat
from webapp.lab.results.cache import version
from webapp.lab.results.queries import snapshot
from webapp.lab.results.selectors import results
from webapp.lab.results.table import table
from webapp.records.models import Experiment, Seat
from worker.analysis.holm import adjust

pytestmark = pytest.mark.django_db
GREEDY = seat("scripted", {"policy": "greedy"})


def _rows(made: Experiment, arm: int, place: int) -> list[Seat]:
    return list(
        Seat.objects.filter(match__experiment=made, match__arm_index=arm, lineup_index=place, match__status="finished")
    )


@pytest.mark.long
def test_totals_are_those_of_the_rows(alice: Any) -> None:
    made = factory.played(alice, [[FLAT, RANDOM], [GREEDY, RANDOM]], deals=4)
    found = results(made)
    assert found.finished == made.num_matches == 16
    for arm in range(2):
        for place in range(2):
            rows, side = _rows(made, arm, place), found.sides[arm][place].result
            assert side.matches == len(rows) == 8
            for name, number in (("win", side.wins), ("draw", side.draws), ("loss", side.losses)):
                assert number == sum(row.result == name for row in rows)
            assert side.mean_score == pytest.approx(mean(row.score for row in rows))
            assert side.mean_margin == pytest.approx(mean(row.margin for row in rows))
            assert side.deals == 4


def test_rates_take_the_deal_as_their_unit(alice: Any) -> None:
    made = factory.played(alice, deals=6)
    rows: dict[int, list[Seat]] = {}
    for row in _rows(made, 0, 0):
        rows.setdefault(row.deal, []).append(row)
    side = results(made).sides[0][0].result
    for name, rate, interval in (
        ("win", side.win_rate, side.win_rate_interval),
        ("draw", side.draw_rate, side.draw_rate_interval),
        ("loss", side.loss_rate, side.loss_rate_interval),
    ):
        found = [[row.result == name for row in deal] for deal in rows.values()]
        assert rate == pytest.approx(mean(map(mean, found)))
        assert interval == pytest.approx(rate_bounds(found), abs=1e-6), name
    for by_seat in side.seats:
        alone = [[row.result == "win" for row in deal if row.seat == by_seat.seat] for deal in rows.values()]
        assert by_seat.win_rate_interval == pytest.approx(rate_bounds(alone), abs=1e-6)


def test_numbers_by_seat_add_up_to_those_of_the_side(alice: Any) -> None:
    side = results(factory.played(alice, deals=4)).sides[0][0].result
    assert [row.seat for row in side.seats] == [0, 1]
    assert sum(row.wins for row in side.seats) == side.wins
    assert sum(row.matches for row in side.seats) == side.matches == 8
    assert mean(row.mean_score or 0 for row in side.seats) == pytest.approx(side.mean_score)


def test_wins_and_losses_mirror_each_other_for_two_sides(alice: Any) -> None:
    first, second = (side.result for side in results(factory.played(alice, deals=3)).sides[0])
    assert (first.wins, first.draws, first.losses) == (second.losses, second.draws, second.wins)
    assert first.mean_margin == pytest.approx(-(second.mean_margin or 0))


def test_margins_take_the_deal_as_their_unit(alice: Any) -> None:
    made = factory.played(alice, deals=3)
    deals: dict[int, list[int]] = {}
    for row in Seat.objects.filter(match__experiment=made, lineup_index=0).select_related("match"):
        deals.setdefault(row.match.deal, []).append(row.margin)
    means = [mean(values) for values in deals.values()]
    half = 4.302653 * (sum((m - mean(means)) ** 2 for m in means) / 2 / 3) ** 0.5  # t, 2 degrees, 97.5 %
    interval = results(made).sides[0][0].result.margin_interval
    assert interval is not None
    assert (interval.high - interval.low) / 2 == pytest.approx(half, rel=1e-5)


def test_failed_matches_are_counted_apart_and_charged_to_their_engine(alice: Any) -> None:
    made = factory.experiment(alice, deals=2)
    factory.write(made, [factory.record(made, 0, i, fail_at=9 if i == 1 else None) for i in range(4)])
    found = results(made)
    assert (found.finished, found.failed) == (3, 1)
    assert sum(side.failures for side in found.sides[0]) == 1
    assert found.sides[0][0].result.matches == 2, "those of the deal that has both"
    failing = next(side.side.place for side in found.sides[0] if side.failures)
    row = Seat.objects.get(
        match__experiment=made, match__status="failed", seat=made.matches.get(status="failed").failure["seat"]
    )
    assert row.lineup_index == failing


def test_nothing_played_is_undefined_and_not_zero(alice: Any) -> None:
    made = factory.experiment(alice)
    side = results(made).sides[0][0].result
    assert side.win_rate is None
    assert side.win_rate_interval is None
    assert side.mean_margin is None
    assert results(made).seats == ()
    shown = table(made)
    assert shown.empty == "Numbers appear here with the first deal that is played."
    assert shown.finding == "No answer yet. Numbers appear here with the first deal that is played."


def test_one_match_has_a_rate_but_no_interval_of_the_margin(alice: Any) -> None:
    made = factory.experiment(alice, rotation="none")
    factory.write(made, [factory.record(made, 0, 0)])
    made.status = made.Status.FINISHED
    row = table(made).rows[0]
    assert row.rate is not None
    assert row.rate.interval in ("20.7 to 100.0", "0.0 to 79.3"), "Wilson's of one trial: z = 1.96, z² / (1 + z²)"
    assert row.half == ""
    assert row.margin != "undefined"


def test_arms_are_compared_over_the_deals_both_have_whole(alice: Any) -> None:
    made = factory.experiment(alice, [[FLAT, RANDOM], [GREEDY, RANDOM]], deals=4)
    factory.write(made, [factory.record(made, 0, i) for i in range(8)] + [factory.record(made, 1, i) for i in range(5)])
    (difference,) = results(made).differences
    assert (difference.points.blocks, difference.points.left_out) == (2, 2)
    assert (difference.wins.blocks, difference.wins.left_out) == (2, 2)
    ours, theirs = (mean(row.margin for row in _rows(made, arm, 0) if row.match.deal < 2) for arm in (1, 0))
    assert difference.points.mean == pytest.approx(ours - theirs)
    assert table(made).differences[0].cells[0] == "2"


def test_the_leads_compare_the_best_arm_with_every_other_wherever_it_stands(alice: Any) -> None:
    made = factory.played(alice, [[FLAT, RANDOM], [GREEDY, RANDOM], [seat("flat_mc", budget={"playouts": 9}), RANDOM]])
    found = results(made)
    best, second, third = (row.side.arm for row in found.ranked)
    assert [(lead.side.arm, lead.baseline.arm) for lead in found.leads] == [(best, second), (best, third)]
    lead = found.leads[0]
    wins = [sum(row.result == "win" for row in _rows(made, arm, 0)) / 6 for arm in (best, second)]
    margins = [mean(row.margin for row in _rows(made, arm, 0)) for arm in (best, second)]
    assert lead.wins.mean == pytest.approx(wins[0] - wins[1])
    assert lead.points.mean == pytest.approx(margins[0] - margins[1])
    assert [row.baseline.arm for row in found.differences] == [0, 0]
    for family in (found.differences, found.leads):
        plain = [row.points.p for row in family]
        assert [row.points_p for row in family] == list(adjust(plain))


def test_differences_are_to_the_baseline_wherever_it_stands(alice: Any) -> None:
    lineups = [[FLAT, RANDOM], [GREEDY, RANDOM], [seat("flat_mc", budget={"playouts": 9}), RANDOM]]
    made, first = factory.played(alice, lineups, baseline=2), factory.played(alice, lineups)
    found = results(made)
    assert [(row.side.arm, row.baseline.arm) for row in found.differences] == [(0, 2), (1, 2)]
    last, opposite = found.differences[0].points, results(first).differences[1].points
    assert last.mean == pytest.approx(-(opposite.mean or 0))
    assert last.interval is not None
    assert opposite.interval is not None
    assert [last.interval.low, last.interval.high] == pytest.approx([-opposite.interval.high, -opposite.interval.low])
    best = found.ranked[0].side.arm
    assert {(lead.side.arm, lead.baseline.arm) for lead in found.leads} == {(best, arm) for arm in {0, 1, 2} - {best}}
    assert [lead.points.mean for lead in found.leads] == [lead.points.mean for lead in results(first).leads]


def _half(values: list[float], t: float) -> float:
    """Half-width of Student's interval of a mean."""
    middle = mean(values)
    return t * (sum((v - middle) ** 2 for v in values) / (len(values) - 1) / len(values)) ** 0.5


def test_what_a_seat_is_worth_takes_the_deal_as_its_unit(alice: Any) -> None:
    made = factory.played(alice, [[FLAT, RANDOM], [GREEDY, RANDOM]], deals=3)
    found = results(made)
    by_deal: dict[int, list[Seat]] = {}
    for row in Seat.objects.filter(experiment=made, seat=0):
        by_deal.setdefault(row.deal, []).append(row)
    assert {len(rows) for rows in by_deal.values()} == {4}, "two arms, two rotations"
    margins = [mean(row.margin for row in rows) for rows in by_deal.values()]
    wins = [[row.result == "win" for row in rows] for rows in by_deal.values()]
    first, second = found.seats
    assert (first.seat, first.matches) == (0, 12)
    assert first.wins == second.losses == sum(map(sum, wins))
    assert first.win_rate == pytest.approx(mean(map(mean, wins)))
    assert first.win_rate_interval == pytest.approx(rate_bounds(wins), abs=1e-6)
    assert first.margin_interval is not None
    half = (first.margin_interval.high - first.margin_interval.low) / 2
    assert half == pytest.approx(_half(margins, 4.302653), rel=1e-5)  # t, 2 degrees, 97.5 %
    assert found.first is not None
    assert found.first.lead == pytest.approx(mean(margins)), "of two seats the lead is the margin"
    assert found.first.lead_interval == pytest.approx(first.margin_interval)
    assert found.first.decisive == first.wins + second.wins
    decisive = [[row.result == "win" for row in rows if row.result != "draw"] for rows in by_deal.values()]
    assert found.first.decisive_interval == pytest.approx(rate_bounds(decisive), abs=1e-6)
    assert "The first seat moves first." in table(made).seats_note


def test_the_lead_among_three_is_against_the_mean_of_the_others(alice: Any) -> None:
    made = factory.played(alice, [[FLAT, RANDOM, GREEDY]], deals=2)
    leads = []
    for match in made.matches.all():
        scores = list(match.seats.order_by("seat").values_list("score", flat=True))
        leads.append(scores[0] - mean(scores[1:]))
    found = results(made)
    assert found.first is not None
    assert found.first.lead == pytest.approx(mean(leads))
    assert found.first.fair_share == pytest.approx(1 / 3)


def test_where_engines_keep_their_seats_no_seat_is_given_a_worth(alice: Any, client: Any) -> None:
    made = factory.played(alice, deals=2, rotation="none")
    found = results(made)
    assert found.sides[0][0].result.matches == 2
    assert (found.seats, found.first) == ((), None)
    client.force_login(alice)
    assert "Every engine kept its seat" in client.get(f"/experiments/{made.pk}/result/").content.decode()


@pytest.mark.django_db(transaction=True)
def test_all_numbers_are_of_one_moment(alice: Any) -> None:
    made = factory.experiment(alice, deals=2)
    factory.write(made, [factory.record(made, 0, 0)])

    def write_one_more() -> None:
        factory.write(made, [factory.record(made, 0, 1)])
        connection.close()

    with snapshot(), ThreadPoolExecutor(1) as elsewhere:
        assert made.matches.count() == 1
        elsewhere.submit(write_one_more).result()
        assert made.matches.count() == 1
    assert made.matches.count() == 2


def test_numbers_are_kept_until_something_is_written(alice: Any, django_assert_num_queries: Any) -> None:
    made = factory.experiment(alice, deals=2)
    factory.write(made, [factory.record(made, 0, 0)])
    first, before = results(made), version(made)
    assert first.sides[0][0].result.matches == 0, "half a deal"
    with django_assert_num_queries(1):
        assert results(made) is first
    factory.write(made, [factory.record(made, 0, 1)])
    assert version(made) != before
    assert results(made).finished == results(made).sides[0][0].result.matches == 2
