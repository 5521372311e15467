"""Beliefs as pages show them: three ways to reckon, over the positions of a match."""

from __future__ import annotations

import math

import numpy as np
import pytest

from games.dominoes import reading
from games.dominoes import state as layout
from games.dominoes.belief import beliefs
from games.dominoes.play import belief_views
from games.protocol import State
from tests.games import walks
from tests.games.dominoes.tables import GAME, position


def late() -> State:
    """A position with some passes, few deals left."""
    return next(state for state in walks.turns("dominoes") if state[layout.NUM_LAID] == 17)


@pytest.mark.parametrize("seat", range(4))
def test_pages_reckon_as_engines_do(seat: int) -> None:
    state, kernels = late(), GAME.kernels()
    for kind, reckon in (("paper", beliefs.paper), ("exact", beliefs.exact)):
        assert np.allclose(belief_views.infer_beliefs(GAME, state, seat, kind).chances, reckon(kernels, state, seat))
    exact = belief_views.infer_beliefs(GAME, state, seat, "exact")
    assert exact.deals == beliefs.consistent_deals(kernels, state, seat)
    assert exact.log_probability == pytest.approx(-math.log(exact.deals))


def test_hands_add_up_but_in_the_papers_belief() -> None:
    state = late()
    held = [int(state[layout.COUNT + seat]) for seat in reading.SEATS]
    for kind in ("exact", "played"):
        assert belief_views.infer_beliefs(GAME, state, 0, kind).chances.sum(axis=0) == pytest.approx(held)


def test_the_papers_probability_is_the_product_over_tiles() -> None:
    state = position([[(1, 3)], [(1, 4)], [(5, 5)], [(6, 6)]], (1, 2), 0)
    assert belief_views.infer_beliefs(GAME, state, 0, "paper").log_probability == pytest.approx(3 * math.log(1 / 3))
    assert belief_views.infer_beliefs(GAME, state, 0, "exact").log_probability == pytest.approx(-math.log(6))


def test_weighed_deals_say_how_much_they_are_worth() -> None:
    state = late()
    seen = belief_views.infer_beliefs(GAME, state, 0, "played")
    assert seen.effective is not None
    assert 1 <= seen.effective <= min(seen.deals, belief_views.MOST_DEALS) + 1e-6
    assert set(seen.levels) == {1, 2, 3}
    assert all(0 <= level <= 1 for level in seen.levels.values())
    assert abs(seen.log_probability + math.log(seen.deals)) < 4


def test_a_ply_that_ends_a_round_shows_what_was_believed_before_it() -> None:
    states = walks.settled("dominoes")
    turns = reading.sheet(states[-1])[0].turns
    assert belief_views.position_of(states, turns) == turns - 1
    assert belief_views.position_of(states, turns + 1) == turns + 1
    assert belief_views.position_of(states, len(states) - 1) == len(states) - 2
    assert belief_views.position_of(states, 0) == 0
    assert belief_views.round_of(states, 3) == range(turns)
    second = belief_views.round_of(states, turns + 2)
    assert second.start == turns
    assert turns + 2 in second
