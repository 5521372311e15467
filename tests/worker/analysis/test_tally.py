"""How the deals of an arm came out for a place."""

from worker.analysis.summary import SeatRow
from worker.analysis.tally import ArmTally

OTHER = {"win": "loss", "loss": "win", "draw": "draw"}


def match(deal, rotation, result, size=2):
    """A match of two sides that take turns at the table, the first of which had this result."""
    rows = []
    for seat in range(size):
        place = (seat - rotation) % size
        own = result if place % 2 == 0 else OTHER[result]
        rows.append(SeatRow(deal, seat, place, 0.0, 0.0, own, 1 if own != "loss" else 2))
    return tuple(rows)


def tally(size, *matches):
    found = ArmTally(size, 2, 2, 2)
    for row in matches:
        found.add(row)
    return found


def test_deals_are_counted_by_how_they_came_out():
    deals = [("win", "loss"), ("loss", "loss"), ("loss", "win"), ("draw", "win")]
    found = tally(2, *(match(deal, turn, deals[deal][turn]) for turn in (0, 1) for deal in range(4)))
    assert found.deal_results(0) == [(0, 0, 2, 1), (1, 0, 1, 2), (1, 1, 0, 1)]
    assert found.deal_results(1) == [(0, 1, 1, 1), (1, 0, 1, 2), (2, 0, 0, 1)]
    assert found.deal_results(0)[0]._asdict() == {"wins": 0, "draws": 0, "losses": 2, "deals": 1}


def test_partners_win_a_match_once():
    found = tally(4, match(0, 0, "win", 4), match(0, 1, "draw", 4))
    assert found.deal_results(0) == found.deal_results(2) == [(1, 1, 0, 1)]
    assert found.deal_results(3) == [(0, 1, 1, 1)]


def test_a_deal_in_part_does_not_count():
    found = tally(2, match(0, 0, "win"), match(0, 1, "loss"), match(1, 0, "win"))
    assert found.deal_results(0) == [(1, 0, 1, 1)]
    assert tally(2).deal_results(0) == []


def test_results_of_deals_add_up_to_those_of_the_place():
    found = tally(
        2, *(match(deal, turn, ("win", "draw", "loss")[(deal + turn) % 3]) for deal in range(7) for turn in (0, 1))
    )
    rows, place = found.deal_results(0), found.place(0)
    assert sum(row.deals for row in rows) == place.deals == 7
    totals = [sum(getattr(row, name) * row.deals for row in rows) for name in ("wins", "draws", "losses")]
    assert totals == [place.wins, place.draws, place.losses]
