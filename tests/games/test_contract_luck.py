"""What every game promises about chance and about what seats may know."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from games import rng
from games.protocol import CHANCE
from games.toy import state as layout
from tests import chances
from tests.games import walks

LEVEL = 1e-6
"""A chi-square test with a fixed seed fails a right game with this chance, once and for all."""


def listable(game: Any) -> None:
    if not game.traits.chance_is_listable:
        pytest.skip(f"chance outcomes of {game.label} are too many to list")


def test_chance_outcomes_are_distinct_and_their_probabilities_add_up(game: Any) -> None:
    listable(game)
    for seats in walks.seat_counts(game):
        for state in walks.draws(game.id, seats):
            outcomes, probabilities = game.chance_outcomes(state)
            assert len(set(outcomes.tolist())) == len(outcomes) == len(probabilities) > 0
            assert (probabilities > 0).all()
            # a sum of n rounded shares is off by at most n units in the last place
            assert abs(probabilities.sum() - 1.0) <= len(outcomes) * np.finfo(float).eps
            for outcome in outcomes:
                game.apply(state, int(outcome))


@pytest.mark.long
def test_sampled_outcomes_have_the_listed_probabilities(game: Any) -> None:
    listable(game)
    for state in walks.some(walks.draws(game.id), 3):
        outcomes, probabilities = game.chance_outcomes(state)
        r, n = rng.new_stream(2, rng.ANALYSIS), 200 * len(outcomes)
        counts = Counter(game.sample_chance(state, r) for _ in range(n))
        assert set(counts) <= set(outcomes.tolist())
        if len(outcomes) > 1:
            seen = [counts[int(outcome)] for outcome in outcomes]
            assert chances.of_counts(seen, probabilities * n) > LEVEL


def test_chance_is_refused_where_a_seat_is_on_turn_or_all_is_over(game: Any) -> None:
    for state in (walks.turns(game.id)[0], walks.end(game.id)):
        with pytest.raises(ValueError, match="drawn"):
            game.sample_chance(state, rng.new_stream(1, rng.ANALYSIS))
        if game.traits.chance_is_listable:
            with pytest.raises(ValueError, match="drawn"):
                game.chance_outcomes(state)


def test_a_deal_gives_possible_outcomes_and_depends_on_its_stream_alone(game: Any) -> None:
    orders = set()
    for seed in (1, 1, 2, 3):
        drawn = []
        for state, number in walks.walk(game, walks.usual_seats(game), seed):
            if game.current_player(state) == CHANCE:
                assert number is not None
                drawn.append(number)
        orders.add(tuple(drawn))
    assert len(orders) == 3


def test_deals_follow_the_listed_probabilities(game: Any) -> None:
    listable(game)
    start = game.initial_state(game.options(), game.traits.min_seats)
    assert game.current_player(start) == CHANCE
    outcomes, probabilities = game.chance_outcomes(start)
    n = 100 * len(outcomes)
    deals = (game.deal(game.options(), game.traits.min_seats, rng.new_stream(seed, rng.DEAL)) for seed in range(n))
    counts = Counter(deal.draw(start) for deal in deals)
    seen = [counts[int(outcome)] for outcome in outcomes]
    assert sum(seen) == n
    assert chances.of_counts(seen, probabilities * n) > LEVEL


def test_a_view_of_a_view_is_the_view(game: Any) -> None:
    states = [*walks.rich_turns(game.id), *walks.some(walks.draws(game.id, game.traits.max_seats), 4)]
    for state in [*states, walks.rich_match(game.id, game.traits.max_seats)[-1]]:
        for seat in range(game.num_seats(state)):
            view = game.view(state, seat)
            assert not np.shares_memory(view, state)
            assert game.view(view, seat).tobytes() == view.tobytes()
            assert game.current_player(view) == game.current_player(state)
            if seat == game.current_player(state):  # what others may do depends on what they hold
                assert game.legal_actions(view).tolist() == game.legal_actions(state).tolist()


def test_determinizations_lie_in_the_information_set(game: Any) -> None:
    varied = 0
    for state in walks.rich_turns(game.id):
        for seat in range(game.num_seats(state)):
            view, times = game.view(state, seat), 10 if seat == game.current_player(state) else 3
            drawn = [game.determinize(view, rng.new_stream(k, rng.SEARCH)) for k in range(times)]
            varied = max(varied, len({full.tobytes() for full in drawn}))
            for full in drawn:
                assert game.view(full, seat).tobytes() == view.tobytes()
                assert game.information_set(full, seat) == game.information_set(state, seat)
                assert game.observation(full, seat) == game.observation(state, seat)
                assert len(game.legal_actions(full)) > 0
    assert (varied > 1) == game.traits.has_hidden_information


def test_views_without_hidden_information_are_the_state(game: Any) -> None:
    for state in walks.some(walks.turns(game.id), 4):
        same = all(game.view(state, seat).tobytes() == state.tobytes() for seat in range(game.num_seats(state)))
        assert same != game.traits.has_hidden_information


def test_a_determinization_can_be_played_to_the_end(game: Any) -> None:
    for state in walks.some(walks.rich_turns(game.id), 5):
        r = rng.new_stream(9, rng.SEARCH)
        full = game.determinize(game.view(state, game.current_player(state)), r)
        while not game.is_terminal(full):
            if game.current_player(full) == CHANCE:
                full = game.apply(full, game.sample_chance(full, r))
            else:
                actions = game.legal_actions(full)
                full = game.apply(full, int(actions[rng.below(r, len(actions))]))
        assert len(game.scores(full)) == game.num_seats(state)


def test_information_sets_of_different_seats_and_positions_differ(game: Any) -> None:
    seen = set()
    turns = walks.turns(game.id, game.traits.max_seats)
    for state in turns:
        seen |= {game.information_set(state, seat) for seat in range(game.num_seats(state))}
    assert len(seen) == len(turns) * game.traits.max_seats


def test_secret_cards_are_drawn_with_equal_chance() -> None:
    game = walks.game_of("toy_secret")
    state = walks.turns("toy_secret", 3)[0]
    view = game.view(state, 0)
    r = rng.new_stream(1, rng.SEARCH)
    pairs = Counter(
        tuple(game.determinize(view, r)[layout.SECRET + 1 : layout.SECRET + 3].tolist()) for _ in range(4000)
    )
    unseen = len(game.observation(state, 0)["unseen"])
    assert unseen == 4
    assert len(pairs) == unseen * (unseen - 1)
    assert chances.of_counts(list(pairs.values())) > LEVEL
