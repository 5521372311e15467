"""Results of a place from sums over deals, worked by hand."""

import dataclasses
import json

import pytest

from worker.analysis.intervals import wilson
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.rates import rate_interval
from worker.analysis.summary import RankShare, SeatRow, Sums, place_result


def row(deal, seat, place, score, margin, rank=None):
    """A seat of a match of two, or of more with its rank."""
    result = "draw" if margin == 0 else ("win" if margin > 0 else "loss")
    return SeatRow(deal, seat, place, score, margin, result, rank or (1 if margin >= 0 else 2))


def result_of(*deals, seats=2, per_match=1):
    """The result of place 0 from its rows, deal by deal."""
    by_seat = {seat: Sums.of([[r for r in rows if r.seat == seat] for rows in deals], seats) for seat in range(seats)}
    return place_result(0, Sums.of(deals, seats), per_match, by_seat)


# Place 0 of two against place 1, deal 0: 50-40 and, from the other seat, 30-30; deal 1: 20-25 and 60-40.
FIRST = [[row(0, 0, 0, 50, 10), row(0, 1, 0, 30, 0)], [row(1, 0, 0, 20, -5), row(1, 1, 0, 60, 20)]]


def shares(*counts):
    """Successes in deals of two matches."""
    return BlockMoments.of([Moments(2, float(count)) for count in counts])


def test_hand_worked_table():
    first = result_of(*FIRST)
    assert (first.deals, first.matches, first.wins, first.draws, first.losses) == (2, 4, 2, 1, 1)
    assert (first.win_rate, first.draw_rate, first.loss_rate) == (0.5, 0.25, 0.25)
    assert (first.mean_score, first.mean_margin) == (40, 6.25)
    # Block means of the score are 40 both times; of the margin 5 and 7.5, so 6.25 +- 12.7062 * 1.25.
    assert first.score_interval == (40, 40)
    assert first.margin_interval == pytest.approx((6.25 - 15.88276, 6.25 + 15.88276), abs=1e-4)
    # Scores 50, 30, 20, 60: squared deviations 1000. Margins 10, 0, -5, 20: 368.75.
    assert first.score_deviation == pytest.approx((1000 / 3) ** 0.5)
    assert first.margin_deviation == pytest.approx((368.75 / 3) ** 0.5)


def test_every_rate_has_the_deal_as_its_unit():
    first = result_of(*FIRST)
    assert first.win_rate_interval == rate_interval(shares(1, 1))
    assert first.draw_rate_interval == rate_interval(shares(1, 0))
    assert first.loss_rate_interval == rate_interval(shares(0, 1))
    # One draw in two deals: squares 0.5 count as 1, effect 2 * 1 / 4 / 0.1875 = 8/3, one degree of freedom.
    weight = (1.959964 / 12.706205) ** 2 * 3 / 8
    assert first.draw_rate_interval == pytest.approx(wilson(weight, 4 * weight), abs=1e-6)


def test_places_come_with_their_mean_and_how_often():
    """Three seats, two deals of one match: second of three, then first."""
    deals = [[row(0, 1, 0, 20, -10, rank=2)], [row(1, 2, 0, 40, 5, rank=1)]]
    found = result_of(*deals, seats=3)
    single = [BlockMoments.of([Moments(1, float(a)), Moments(1, float(b))]) for a, b in ((0, 1), (1, 0), (0, 0))]
    assert found.ranks == tuple(
        RankShare(rank, matches, share, rate_interval(blocks))
        for rank, matches, share, blocks in zip((1, 2, 3), (1, 1, 0), (0.5, 0.5, 0.0), single, strict=True)
    )
    assert found.mean_rank == 1.5
    # As a rate from 1 to 3: 1/2 and 0, mean 1/4; squares 1/8 count as those of one step, 1/4: effect
    # 2 * 1/4 / 2 / (3/16) = 4/3, one degree of freedom.
    weight = (1.959964 / 12.706205) ** 2 * 3 / 4
    low, high = wilson(0.5 * weight, 2 * weight)
    assert found.rank_interval == pytest.approx((1 + 2 * low, 1 + 2 * high), abs=1e-6)


def test_a_side_that_always_comes_in_first_is_not_surely_first():
    found = result_of(*([row(deal, 0, 0, 40, 5, rank=1)] for deal in range(20)), seats=3)
    assert found.mean_rank == 1
    # Wilson's interval of 0 of 20 goes to 0.16113; places go from 1 to 3.
    assert found.rank_interval == pytest.approx((1, 1 + 2 * 0.16113), abs=1e-4)
    assert [share.share for share in found.ranks] == [1, 0, 0]


def test_places_of_one_side_share_its_matches():
    """An engine against itself: both places add to each match, and each has half of what is won."""
    deals = [[row(0, 0, 0, 30, 5), row(0, 1, 1, 25, -5)], [row(1, 0, 0, 20, 0), row(1, 1, 1, 20, 0)]]
    found = result_of(*deals, per_match=2)
    assert (found.deals, found.matches, found.wins, found.draws, found.losses) == (2, 2, 0.5, 1, 0.5)
    assert (found.win_rate, found.draw_rate, found.mean_score, found.mean_margin) == (0.25, 0.5, 23.75, 0)


def test_seats_are_told_apart():
    sitting_first, sitting_second = result_of([row(0, 0, 0, 50, 10), row(0, 1, 0, 30, -5)]).seats
    assert (sitting_first.seat, sitting_first.wins, sitting_first.losses, sitting_first.mean_score) == (0, 1, 0, 50)
    assert sitting_first.margin_interval is None, "one match has none"
    assert sitting_first.win_rate_interval == wilson(1, 1)
    assert (sitting_second.seat, sitting_second.wins, sitting_second.losses, sitting_second.mean_margin) == (
        1,
        0,
        1,
        -5,
    )


def test_a_seat_nobody_sat_in_is_left_out():
    assert [seat.seat for seat in result_of([row(0, 1, 0, 30, -5)]).seats] == [1]


def test_no_matches_are_undefined_everywhere():
    result = result_of()
    counts = ("place", "deals", "matches", "wins", "draws", "losses")
    for name, value in dataclasses.asdict(result).items():
        if name == "ranks":
            assert value == tuple({"rank": rank, "matches": 0, "share": None, "interval": None} for rank in (1, 2))
        else:
            assert value == (0 if name in counts else () if name == "seats" else None), name
    assert place_result(0, Sums(), 1, {}).ranks == ()


def test_one_match_has_means_and_no_interval_of_them():
    first = result_of([row(0, 0, 0, 12, 2)])
    assert (first.win_rate, first.mean_score, first.mean_margin, first.mean_rank) == (1, 12, 2, 1)
    assert first.win_rate_interval == wilson(1, 1)
    assert (first.score_interval, first.score_deviation, first.margin_interval) == (None, None, None)


def test_all_wins_keep_an_honest_interval():
    first, second = (result_of(*([row(d, 0, 0, 20, sign * (10 + d))] for d in range(20))) for sign in (1, -1))
    assert (first.win_rate, second.win_rate) == (1, 0)
    assert first.win_rate_interval.low == pytest.approx(0.8389, abs=1e-4)
    assert second.win_rate_interval.high == pytest.approx(0.1611, abs=1e-4)
    both_seats = result_of(*([row(d, 0, 0, 20, 10), row(d, 1, 0, 20, 10)] for d in range(10)))
    assert both_seats.win_rate_interval == pytest.approx(wilson(10, 10)), "20 of 20, but in ten deals"


def test_all_draws_win_nothing():
    result = result_of(*([row(deal, 0, 0, 15, 0)] for deal in range(4)))
    assert (result.wins, result.draws, result.losses) == (0, 4, 0)
    assert (result.win_rate, result.draw_rate, result.loss_rate) == (0, 1, 0)
    assert (result.mean_margin, result.margin_interval) == (0, (0, 0))


def test_identical_margins_have_a_point_interval():
    first = result_of(*([row(deal, 0, 0, deal + 7, 7)] for deal in range(3)))
    assert (first.mean_margin, first.margin_interval, first.margin_deviation) == (7, (7, 7), 0)


def test_sums_added_elsewhere_give_the_same_table():
    """As a database adds them up: block by block, merged in any order."""
    deals = [*FIRST, [row(2, 0, 0, 31, 4)]]
    parts = [Sums.of([rows], 2) for rows in reversed(deals)]
    names = ("wins", "draws", "losses", "scores", "margins", "rank")
    merged = Sums(
        **{name: sum((getattr(part, name) for part in parts), BlockMoments()) for name in names},
        ranks=tuple(sum((part.ranks[rank] for part in parts), BlockMoments()) for rank in range(2)),
        score_squares=sum(part.score_squares for part in parts),
        margin_squares=sum(part.margin_squares for part in parts),
    )
    assert merged == Sums.of(deals, 2)
    assert merged.single_scores == Moments.of([50, 30, 20, 60, 31])
    assert merged.single_margins == Moments.of([10, 0, -5, 20, 4])


def test_an_unknown_result_is_refused():
    with pytest.raises(ValueError, match="half"):
        Sums.of([[SeatRow(0, 0, 0, 1, 1, "half", 1)]], 2)


def test_the_table_is_json():
    text = json.dumps(dataclasses.asdict(result_of(*([row(d, 0, 0, 12, 2)] for d in range(2)))), allow_nan=False)
    assert json.loads(text)["margin_interval"] == [2, 2]
