import dataclasses
import json

import pytest

from worker.analysis.intervals import wilson
from worker.analysis.moments import BlockMoments
from worker.analysis.summary import PlaceTally, SeatRow, Tally, place_result, tally_places


def match(deal, rotation, scores):
    """Rows of a two-seat match, rotated, from the scores of the places."""
    rows = []
    for place, score in enumerate(scores):
        margin = score - scores[1 - place]
        result = "draw" if margin == 0 else ("win" if margin > 0 else "loss")
        rows.append(SeatRow(deal, (place + rotation) % 2, place, score, margin, result))
    return rows


def results(*matches):
    rows = [row for rows in matches for row in rows]
    return [place.result(index) for index, place in enumerate(tally_places(rows, 2))]


def test_hand_worked_table():
    first, second = results(match(0, 0, (50, 40)), match(0, 1, (30, 30)), match(1, 0, (20, 25)), match(1, 1, (60, 40)))
    assert (first.deals, first.matches, first.wins, first.draws, first.losses) == (2, 4, 2, 1, 1)
    assert (second.wins, second.draws, second.losses) == (1, 1, 2)
    assert (first.win_rate, first.draw_rate, first.loss_rate) == (0.5, 0.25, 0.25)
    assert first.win_rate_interval == wilson(2, 4)
    assert (first.mean_score, second.mean_score) == (40, 33.75)
    assert (first.mean_margin, second.mean_margin) == (6.25, -6.25)
    # Block means of the margin: 5 and 7.5, so 6.25 +- 12.7062 * 1.25.
    assert first.margin_interval == pytest.approx((6.25 - 15.88276, 6.25 + 15.88276), abs=1e-4)
    # Margins 10, 0, -5, 20: squared deviations add up to 368.75.
    assert first.margin_deviation == pytest.approx((368.75 / 3) ** 0.5)


def test_seats_are_told_apart():
    first, _ = results(match(0, 0, (50, 40)), match(0, 1, (30, 35)))
    sitting_first, sitting_second = first.seats
    assert (sitting_first.seat, sitting_first.wins, sitting_first.losses, sitting_first.mean_score) == (0, 1, 0, 50)
    assert sitting_first.margin_interval is None, "one match has none"
    assert (sitting_second.seat, sitting_second.wins, sitting_second.losses, sitting_second.mean_margin) == (
        1,
        0,
        1,
        -5,
    )


def test_no_matches_are_undefined_everywhere():
    result = PlaceTally().result(0)
    counts = ("place", "deals", "matches", "wins", "draws", "losses")
    for name, value in dataclasses.asdict(result).items():
        assert value == (0 if name in counts else () if name == "seats" else None), name


def test_one_match_has_means_and_no_interval_of_them():
    first, _ = results(match(0, 0, (12, 10)))
    assert (first.win_rate, first.mean_score, first.mean_margin) == (1, 12, 2)
    assert first.win_rate_interval == wilson(1, 1)
    assert (first.score_interval, first.score_deviation, first.margin_interval) == (None, None, None)


def test_all_wins_keep_an_honest_interval():
    first, second = results(*(match(deal, 0, (20 + deal, 10)) for deal in range(20)))
    assert (first.win_rate, second.win_rate) == (1, 0)
    assert first.win_rate_interval.low == pytest.approx(0.8389, abs=1e-4)
    assert second.win_rate_interval.high == pytest.approx(0.1611, abs=1e-4)


def test_all_draws_win_nothing():
    first, second = results(*(match(deal, 0, (15, 15)) for deal in range(4)))
    for result in (first, second):
        assert (result.wins, result.draws, result.losses) == (0, 4, 0)
        assert (result.win_rate, result.draw_rate, result.loss_rate) == (0, 1, 0)
        assert (result.mean_margin, result.margin_interval) == (0, (0, 0))


def test_identical_margins_have_a_point_interval():
    first, _ = results(*(match(deal, 0, (deal + 7, deal)) for deal in range(3)))
    assert (first.mean_margin, first.margin_interval, first.margin_deviation) == (7, (7, 7), 0)


def test_totals_added_elsewhere_give_the_same_table():
    tally = PlaceTally()
    for rows in (match(0, 0, (50, 40)), match(0, 1, (30, 30)), match(1, 0, (20, 25))):
        tally.add(rows[0])
    rebuilt = place_result(
        0,
        {0: tally.by_seat[0] + Tally(), 1: tally.by_seat[1]},
        BlockMoments.of(tally.scores),
        BlockMoments.of([tally.margins[0]]) + BlockMoments.of([tally.margins[1]]),
    )
    assert rebuilt == tally.result(0)


def test_an_unknown_result_is_refused():
    with pytest.raises(ValueError, match="half"):
        Tally.of(SeatRow(0, 0, 0, 1, 1, "half"))


def test_the_table_is_json():
    first, _ = results(match(0, 0, (12, 10)), match(1, 0, (12, 10)))
    text = json.dumps(dataclasses.asdict(first), allow_nan=False)
    assert json.loads(text)["margin_interval"] == [2, 2]
