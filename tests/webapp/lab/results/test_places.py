"""Three seats: places, and differences between every two sides, worked by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.webapp.lab.results import factory
from tests.webapp.lab.results.by_hand import difference, place_bounds, rate_bounds
from tests.webapp.lab.results.factory import FLAT, RANDOM, seat
from tests.webapp.pages import markup
from webapp.common.formats import signed
from webapp.lab.results.charts import registry
from webapp.lab.results.selectors import results
from webapp.lab.results.table import table
from webapp.records.models import Experiment

pytestmark = pytest.mark.django_db
GREEDY = seat("scripted", {"policy": "greedy"})
POINTS = ((30, 20, 10), (30, 30, 10), (10, 20, 30), (30, 20, 10), (20, 30, 10), (30, 10, 20))
"""By place of the line-up, of two deals of three seatings."""


@pytest.fixture
def made(alice: Any) -> Experiment:
    made = factory.experiment(alice, [[FLAT, GREEDY, RANDOM]], deals=2)
    factory.write(made, [factory.decided(made, 0, ordinal, *points) for ordinal, points in enumerate(POINTS)])
    return factory.over(made, "finished")


def test_places_first_to_last_and_the_mean_place(made: Experiment) -> None:
    # ranks 1 1 3 | 1 2 1, 2 1 2 | 2 1 3, 3 3 1 | 3 3 2: a shared best counts as first
    expected = (
        ((4, 1, 1), ((1, 1, 3), (1, 2, 1)), [[[1, 1, 0], [1, 0, 1]], [[0, 0, 0], [0, 1, 0]], [[0, 0, 1], [0, 0, 0]]]),
        ((2, 3, 1), ((2, 1, 2), (2, 1, 3)), [[[0, 1, 0], [0, 1, 0]], [[1, 0, 1], [1, 0, 0]], [[0, 0, 0], [0, 0, 1]]]),
        ((1, 1, 4), ((3, 3, 1), (3, 3, 2)), [[[0, 0, 1], [0, 0, 0]], [[0, 0, 0], [0, 0, 1]], [[1, 1, 0], [1, 1, 0]]]),
    )
    for row, (times, by_deal, ranked) in zip(results(made).sides[0], expected, strict=True):
        side = row.result
        assert tuple(rank.matches for rank in side.ranks) == times
        assert [rank.share for rank in side.ranks] == pytest.approx([n / 6 for n in times])
        for rank, deals in zip(side.ranks, ranked, strict=True):
            assert rank.interval == pytest.approx(rate_bounds(deals), abs=1e-6)
        assert side.mean_rank == pytest.approx(sum(map(sum, by_deal)) / 6)
        assert side.rank_interval == pytest.approx(place_bounds(by_deal, 3), abs=1e-6)


def test_wins_draws_and_losses_of_three(made: Experiment) -> None:
    sides = [row.result for row in results(made).sides[0]]
    assert [(side.wins, side.draws, side.losses) for side in sides] == [(3, 1, 2), (1, 1, 4), (1, 0, 5)]
    assert [side.mean_score for side in sides] == pytest.approx([25, 130 / 6, 15])
    assert [side.mean_margin for side in sides] == pytest.approx([0, -40 / 6, -80 / 6])


def test_differences_between_every_two_sides(made: Experiment) -> None:
    found = {(row.side.place, row.baseline.place): row for row in results(made).differences}
    assert list(found) == [(0, 1), (0, 2), (1, 2)]
    # by deal points 70/3 80/3, 70/3 20, 50/3 40/3; wins of a match 1/3 2/3, 0 1/3, 1/3 0
    expected = {(0, 1): (0, 20 / 3), (0, 2): (20 / 3, 40 / 3), (1, 2): (20 / 3, 20 / 3)}
    won = ([[1, 0, 0], [1, 0, 1]], [[0, 0, 0], [0, 1, 0]], [[0, 0, 1], [0, 0, 0]])
    wide = math.tan(math.pi * (0.5 - 0.05 / 3 / 2))  # t of 1 degree is Cauchy's; 95 % for three at once (Bonferroni)
    wins_p = []
    for pair, (one, two) in expected.items():
        row = found[pair]
        assert row.confidence == pytest.approx(1 - 0.05 / 3)
        assert {(each.blocks, each.left_out) for each in (row.wins, row.points)} == {(2, 0)}
        low, high, p = difference(won[pair[0]], won[pair[1]], row.confidence)
        assert row.wins.mean == pytest.approx((sum(map(sum, won[pair[0]])) - sum(map(sum, won[pair[1]]))) / 6)
        assert row.wins.interval == pytest.approx((low, high), abs=1e-6)
        assert row.wins.p == pytest.approx(p, abs=1e-6)
        wins_p.append(p)
        assert row.points.mean == pytest.approx((one + two) / 2)
        if one == two:
            assert (row.points.interval, row.points.p) == (None, None)
            continue
        assert row.points.interval is not None
        assert row.points.interval.high - row.points.mean == pytest.approx(wide * abs(one - two) / 2)
        assert row.points.p == pytest.approx(1 - 2 / math.pi * math.atan((one + two) / abs(one - two)))
    # Holm over three: three times the least of the rates is above 1; of points one has no test, and t is 3 and 1
    assert 3 * min(wins_p) > 1
    assert [row.wins_p for row in found.values()] == [pytest.approx(1)] * 3
    third = 1 - 2 / math.pi * math.atan(3)
    assert [row.points_p for row in found.values()] == [pytest.approx(1), pytest.approx(3 * third), None]


def test_the_page_has_both_tables(made: Experiment, alice: Any, client: Any) -> None:
    shown = table(made)
    assert shown.places is not None
    assert shown.places.heads == ("1st", "2nd", "3rd")
    assert [side.name for side, _ in shown.places.rows] == [
        "Flat Monte Carlo",
        "Scripted policy: greedy",
        "Random",
    ]
    assert shown.places.rows[0][1][-1] == "1.50 (1.01 to 2.91)"
    low, high, _ = difference([[1, 0, 0], [1, 0, 1]], [[0, 0, 0], [0, 1, 0]], 1 - 0.05 / 3)
    assert shown.differences[0].cells[:4] == ("2", "+33.3", f"{signed(100 * low)} to {signed(100 * high)}", "1.000")
    assert shown.differences[2].cells[5:7] == ("the same in all 2 deals", "undefined")
    # mean places by deal 5/3 4/3, 5/3 2, 7/3 8/3: the first is ahead of the second by 0 and 2/3
    half = math.tan(math.pi * (0.5 - 0.05 / 3 / 2)) / 3
    assert half > 3, "of three places nobody gains or loses more than two"
    ends = f"{signed(-2, 2)} to {signed(2, 2)}"
    assert shown.differences[0].cells[7:10] == ("+0.33", ends, "1.000")
    assert shown.differences[2].cells[7:9] == ("+0.67", "the same in all 2 deals")
    assert shown.every_look[0].place == "1.00 to 3.00", "of two deals nothing is known at every look"
    client.force_login(alice)
    page = markup(client.get(f"/experiments/{made.pk}/result/"))
    answer, folded = page.split('<details class="result-more"', 1)
    assert "What a seat is worth, each side by seat, what held at every look" in folded
    for words in ("At which place they came in", "Every two sides"):
        assert words in answer, "they are the answer, so they are not folded"
    assert "so that all 3 of a column hold together" in page
    assert "Against Flat Monte Carlo" not in page


def test_two_sides_have_neither_table(alice: Any) -> None:
    shown = table(factory.played(alice, deals=2))
    assert (shown.places, shown.differences) == (None, ())


def test_partners_have_no_places(alice: Any) -> None:
    shown = table(factory.played(alice, [[GREEDY, RANDOM]], deals=2, game="dominoes"))
    assert (shown.places, shown.differences) == (None, ())


def test_arms_of_three_have_places_each(alice: Any) -> None:
    made = factory.played(alice, [[FLAT, RANDOM, RANDOM], [GREEDY, RANDOM, RANDOM]], deals=2)
    shown = table(made)
    assert shown.places is not None
    assert [side.name for side, _ in shown.places.rows] == ["Arm 0", "Arm 1"]
    assert [row.baseline for row in shown.differences] == [None]


def test_equal_engines_among_four_are_one_side(alice: Any) -> None:
    """Two pairs of equals sit in turn in two ways; each of a pair has half of what the pair did."""
    made = factory.experiment(alice, [[FLAT, RANDOM, FLAT, RANDOM]], deals=1, game="kingdomino")
    assert made.num_matches == 2
    factory.write(made, [factory.decided(made, 0, 0, 40, 30, 20, 10), factory.decided(made, 0, 1, 10, 20, 30, 40)])
    sides = [row.result for row in results(factory.over(made, "finished")).sides[0]]
    assert [side.matches for side in sides] == [2] * 4
    assert [side.wins for side in sides] == [0.5] * 4, "each pair won one of two matches"
    assert [side.mean_score for side in sides] == [25] * 4
    assert [tuple(rank.matches for rank in side.ranks) for side in sides] == [(0.5, 0.5, 0.5, 0.5)] * 4
    assert results(made).differences == (), "of two sides one's margin says it all"
    for chart in registry.fitting_charts(made):
        figure = chart.build(made, 0)
        assert figure.empty or "2 matches" in figure.subtitle, chart.id
