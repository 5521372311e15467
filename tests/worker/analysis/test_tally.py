"""Matches of one arm, deal by deal, worked by hand."""

import pytest

from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.rate_differences import paired_rates
from worker.analysis.summary import SeatRow
from worker.analysis.tally import ArmTally


def match(deal, lineup, scores, teams=0):
    """Seats of a match in their order; in a game of `teams` a seat's opponents are those of the other parity."""
    party = [seat % teams if teams else seat for seat in range(len(scores))]
    rows = []
    for seat, (place, score) in enumerate(zip(lineup, scores, strict=True)):
        best = max(other for k, other in enumerate(scores) if party[k] != party[seat])
        ahead = sum(other > score for other in scores)
        alike = {party[k] for k, other in enumerate(scores) if other == max(scores)}
        result = "loss" if party[seat] not in alike else "win" if len(alike) == 1 else "draw"
        rows.append(SeatRow(deal, seat, place, score, score - best, result, 1 + ahead))
    return tuple(rows)


def tally_of(*matches, seats=2, seatings=2, sides=2, parties=2):
    tally = ArmTally(seats, seatings, sides, parties)
    for rows in matches:
        tally.add(rows)
    return tally


def is_win(row):
    return row.result == "win"


TWO_SEATS = (
    match(0, (0, 1), (50, 40)),
    match(0, (1, 0), (30, 30)),
    match(1, (0, 1), (20, 25)),
    match(1, (1, 0), (40, 60)),
)


def test_places_of_two_seats():
    tally = tally_of(*TWO_SEATS)
    first, second = tally.place(0), tally.place(1)
    assert (first.deals, first.matches, first.wins, first.draws, first.losses) == (2, 4, 2, 1, 1)
    assert (second.wins, second.draws, second.losses) == (1, 1, 2)
    assert (first.mean_score, second.mean_score) == (40, 33.75)
    assert (first.mean_margin, second.mean_margin) == (6.25, -6.25)
    assert [(seat.seat, seat.wins, seat.losses) for seat in first.seats] == [(0, 1, 1), (1, 1, 0)]
    assert tally.left_out == 0


def test_only_whole_deals_count():
    """Of deal 1 the second seating is missing, as after a stop or a failure: its match is left out everywhere."""
    tally = tally_of(*TWO_SEATS[:3])
    assert (tally.finished, tally.left_out) == (3, 1)
    first = tally.place(0)
    assert (first.deals, first.matches, first.wins, first.losses) == (1, 2, 1, 0)
    assert tally.by_deal(0, is_win) == {0: Moments.of([1, 0])}
    assert tally.won_by_first() == BlockMoments.of([Moments.of([1])])
    assert tally.leads() == BlockMoments.of([Moments.of([10, 0])])


def test_a_deal_is_whole_as_soon_as_its_last_match_is_there():
    tally = tally_of(*TWO_SEATS[:3])
    tally.add(TWO_SEATS[3])
    assert (tally.left_out, tally.place(0).matches) == (0, 4)


def test_an_engine_against_itself_is_one_side_with_one_seating():
    tally = tally_of(match(0, (0, 1), (50, 40)), match(1, (0, 1), (30, 30)), seatings=1, sides=1)
    first, second = tally.place(0), tally.place(1)
    # Of each match one place has won and one lost, and each place stands for half of both.
    assert (first.deals, first.matches, first.wins, first.draws, first.losses) == (2, 2, 0.5, 1, 0.5)
    assert (first.win_rate, first.mean_score, first.mean_margin) == (0.25, 37.5, 0)
    assert (second.wins, second.mean_score) == (first.wins, first.mean_score)
    assert [(seat.seat, seat.matches, seat.wins) for seat in first.seats] == [(0, 2, 1), (1, 2, 0)]


def test_equal_partners_are_one_side_in_two_seatings():
    """Seats 0 and 2 against 1 and 3: team of places 0 and 2 wins 20:0 from either seat."""
    tally = tally_of(
        match(0, (0, 1, 2, 3), (0, -20, 0, -20), teams=2),
        match(0, (3, 0, 1, 2), (-20, 0, -20, 0), teams=2),
        seats=4,
    )
    ours, theirs = tally.place(0), tally.place(1)
    assert (ours.deals, ours.matches, ours.wins, ours.losses) == (1, 2, 2, 0)
    assert (theirs.matches, theirs.wins, theirs.losses, theirs.mean_margin) == (2, 0, 2, -20)
    assert tally.place(2).wins == 2
    assert [(seat.seat, seat.matches, seat.wins) for seat in ours.seats] == [(0, 1, 1), (1, 1, 1), (2, 1, 1), (3, 1, 1)]
    # The first seat is that of a team: it led by 20 and lost by 20, and both matches were decisive.
    assert tally.won_by_first() == BlockMoments.of([Moments.of([1, 0])])
    assert tally.leads() == BlockMoments.of([Moments.of([20, -20])])


def test_three_seats_have_places_and_a_first_seat_against_two():
    tally = tally_of(
        match(0, (0, 1, 2), (30, 20, 10)),
        match(0, (2, 0, 1), (25, 25, 5)),
        match(0, (1, 2, 0), (10, 20, 30)),
        seats=3,
        seatings=3,
        sides=3,
        parties=3,
    )
    first, second, third = (tally.place(place) for place in range(3))
    # By place: 30, 25, 30; then 20, 5, 10; then 10, 25, 20.
    assert [(place.wins, place.draws, place.losses) for place in (first, second, third)] == [
        (2, 1, 0),
        (0, 0, 3),
        (0, 1, 2),
    ]
    assert [place.mean_rank for place in (first, second, third)] == [1, pytest.approx(8 / 3), 2]
    assert [[row.matches for row in place.ranks] for place in (first, second, third)] == [
        [3, 0, 0],
        [0, 1, 2],
        [1, 1, 1],
    ]
    # Seat 0 won one of two decisive matches; it led by 15, by 10, and was 15 behind.
    assert tally.won_by_first() == BlockMoments.of([Moments.of([1, 0])])
    assert tally.leads() == BlockMoments.of([Moments.of([15, 10, -15])])


def test_deals_of_draws_decide_nothing():
    tally = tally_of(match(0, (0, 1), (5, 5)), match(0, (1, 0), (7, 7)))
    assert tally.won_by_first() == BlockMoments()
    assert tally.place(0).draws == 2


def test_two_sides_of_one_arm_are_paired_by_deal():
    """Wins of place 0 by deal 1/2 and 1/2, of place 1 none and 1/2: differences 1/2 and 0."""
    tally = tally_of(*TWO_SEATS)
    ours, theirs = tally.by_deal(0, is_win), tally.by_deal(1, is_win)
    assert (ours, theirs) == (
        {0: Moments.of([1, 0]), 1: Moments.of([0, 1])},
        {0: Moments.of([0, 0]), 1: Moments.of([1, 0])},
    )
    found = paired_rates(ours, theirs)
    assert (found.blocks, found.mean, found.left_out) == (2, 0.25, 0)
    assert found.interval.low < 0 < found.interval.high


OTHER = {"win": "loss", "loss": "win", "draw": "draw"}


def turn(deal, rotation, result, size=2):
    """A match of two sides that take turns at the table, the first of which had this result."""
    rows = []
    for seat in range(size):
        place = (seat - rotation) % size
        own = result if place % 2 == 0 else OTHER[result]
        rows.append(SeatRow(deal, seat, place, 0.0, 0.0, own, 1 if own != "loss" else 2))
    return tuple(rows)


def by_turns(size, *matches):
    found = ArmTally(size, 2, 2, 2)
    for row in matches:
        found.add(row)
    return found


def test_deals_are_counted_by_how_they_came_out():
    deals = [("win", "loss"), ("loss", "loss"), ("loss", "win"), ("draw", "win")]
    found = by_turns(2, *(turn(deal, seating, deals[deal][seating]) for seating in (0, 1) for deal in range(4)))
    assert found.deal_results(0) == [(0, 0, 2, 1), (1, 0, 1, 2), (1, 1, 0, 1)]
    assert found.deal_results(1) == [(0, 1, 1, 1), (1, 0, 1, 2), (2, 0, 0, 1)]
    assert found.deal_results(0)[0]._asdict() == {"wins": 0, "draws": 0, "losses": 2, "deals": 1}


def test_partners_win_a_match_once():
    found = by_turns(4, turn(0, 0, "win", 4), turn(0, 1, "draw", 4))
    assert found.deal_results(0) == found.deal_results(2) == [(1, 1, 0, 1)]
    assert found.deal_results(3) == [(0, 1, 1, 1)]


def test_a_deal_in_part_does_not_count():
    found = by_turns(2, turn(0, 0, "win"), turn(0, 1, "loss"), turn(1, 0, "win"))
    assert found.deal_results(0) == [(1, 0, 1, 1)]
    assert by_turns(2).deal_results(0) == []


def test_results_of_deals_add_up_to_those_of_the_place():
    results = ("win", "draw", "loss")
    found = by_turns(2, *(turn(deal, way, results[(deal + way) % 3]) for deal in range(7) for way in (0, 1)))
    rows, place = found.deal_results(0), found.place(0)
    assert sum(row.deals for row in rows) == place.deals == 7
    totals = [sum(getattr(row, name) * row.deals for row in rows) for name in ("wins", "draws", "losses")]
    assert totals == [place.wins, place.draws, place.losses]
