"""What is counted in a match: the draft, against the slow reference and by hand."""

from __future__ import annotations

import random

import pytest

from games.kingdomino import state as layout
from tests.games.kingdomino import reference
from tests.games.kingdomino.tables import GAME, sit_down
from tests.looping import looped

NO_HARMONY = reference.Rules(harmony="off")


def most_points(kingdom: reference.Kingdom, held: int | None, chosen: int) -> float:
    """Points of the best kingdom with both dominoes placed, as far as they can be; -inf where the second cannot."""
    best = float("-inf")
    first = kingdom.placements(held) if held is not None else []
    for placement in first or [None]:
        laid = reference.Kingdom(kingdom.limit, dict(kingdom.faces))
        if placement is not None and held is not None:
            laid.place(held, placement)
        for second in laid.placements(chosen):
            after = reference.Kingdom(kingdom.limit, dict(laid.faces))
            after.place(chosen, second)
            best = max(best, after.points(NO_HARMONY, False))
    return best


@pytest.mark.long
@looped("three_seats", ["36", "48"])
def test_a_domino_is_denied_where_the_next_to_choose_would_have_made_most_of_it(three_seats: str) -> None:
    rng = random.Random(11)
    tables = sit_down(rng, 3, three_seats=three_seats)
    slow, denied = tables.slow, [0, 0, 0]
    while not slow.over:
        seat, round_ = slow.player, slow.round
        move = rng.choice(slow.legal_moves())
        tables.play(move)
        if slow.over or slow.round > round_ or move[1] is None or not slow.row:
            continue
        kingdom, held = slow.kingdoms[slow.player], slow.domino
        left = max(most_points(kingdom, held, number) for number in slow.free)
        denied[seat] += most_points(kingdom, held, move[1]) > left
    assert sum(denied) > 3
    assert [row["denied"] for row in GAME.metrics(tables.state)] == denied


def test_of_two_kings_nobody_knows_which_chose_first() -> None:
    tables = sit_down(random.Random(2), 2)
    while not tables.slow.over:
        tables.play(tables.slow.legal_moves()[0])
    rows = GAME.metrics(tables.state)
    assert all("denied" not in row for row in rows)
    assert [row["order_1"] + row["order_2"] for row in rows] == [1, 1]
    assert "order_3" not in rows[0]


def test_scores_are_kept_by_the_order_of_the_first_choice() -> None:
    tables = sit_down(random.Random(4), 4)
    kings = list(tables.slow.kings)
    while not tables.slow.over:
        tables.play(tables.slow.legal_moves()[-1])
    for seat, row in enumerate(GAME.metrics(tables.state)):
        order = kings.index(seat) + 1
        assert [row[f"order_{k}"] for k in range(1, layout.MAX_SEATS + 1)] == [k == order for k in range(1, 5)]
        assert row[f"score_order_{order}"] == tables.slow.scores[seat]
        assert [key for key in row if key.startswith("score_order_")] == [f"score_order_{order}"]
