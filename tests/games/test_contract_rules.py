"""What every game promises about its rules: turns, actions, scores, keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from games import options as option_tools
from games import rng
from games.protocol import CHANCE, TERMINAL, IllegalActionError
from tests import chances
from tests.games import walks
from tests.games.samples import sample_of

LEVEL = 1e-6
"""A chi-square test with a fixed seed fails a right game with this chance, once and for all."""


def everywhere(game: Any) -> Iterator[np.ndarray]:
    """All states of matches with the least and the most seats."""
    for seats in walks.seat_counts(game):
        yield from (state for state, _ in walks.match(game.id, seats))


def test_a_state_is_a_flat_array_of_the_size_that_the_kernels_say(game: Any) -> None:
    rules = game.kernels()
    for seats in walks.seat_counts(game):
        state = game.initial_state(game.options(), seats)
        assert state.dtype == np.int32
        assert state.shape == (rules.SIZE,)
        assert state.flags["C_CONTIGUOUS"]
        assert game.num_seats(state) == rules.num_seats(state) == seats <= rules.MAX_SEATS


def test_a_wrong_number_of_seats_is_refused(game: Any) -> None:
    for seats in (game.traits.min_seats - 1, game.traits.max_seats + 1):
        with pytest.raises(ValueError, match=str(seats)):
            game.initial_state(game.options(), seats)


def test_the_default_options_go_with_every_number_of_seats(game: Any) -> None:
    for seats in range(game.traits.min_seats, game.traits.max_seats + 1):
        game.check(game.options(), seats)


def test_face_and_kernels_say_the_same(game: Any) -> None:
    rules = game.kernels()
    buffer, points = np.empty(rules.MAX_ACTIONS, np.int32), np.zeros(rules.MAX_SEATS, np.int64)
    for state in everywhere(game):
        seats = game.num_seats(state)
        assert game.current_player(state) == rules.current_player(state)
        assert game.is_terminal(state) == (rules.current_player(state) == TERMINAL)
        assert game.legal_actions(state).tolist() == buffer[: rules.legal_actions(state, buffer)].tolist()
        rules.scores(state, points)
        assert game.scores(state) == tuple(points[:seats].tolist())
        rules.projected(state, points)
        assert game.projected_scores(state) == tuple(points[:seats].tolist())
        assert game.key(state) == rules.key(state)


def test_apply_of_face_and_kernels_with_and_without_a_journal_agree(game: Any) -> None:
    plain, kept = game.kernels(), game.kernels(journal=True, mode=walks.mode_of_undo(game))
    j = np.ones(1 << 16, np.int32)
    for seats in walks.seat_counts(game):
        for state, number in walks.match(game.id, seats):
            if number is not None:
                after, first, second = game.apply(state, number), state.copy(), state.copy()
                plain.apply(first, number, np.ones(1, np.int32))
                kept.apply(second, number, j)
                assert after.tobytes() == first.tobytes() == second.tobytes()
                kept.journal.undo(second, j, 1)
                assert second.tobytes() == state.tobytes()


def test_nothing_changes_its_argument(game: Any) -> None:
    for state in walks.some([state for state, _ in walks.match(game.id, game.traits.max_seats)], 12):
        before = state.tobytes()
        r = rng.new_stream(1, rng.ANALYSIS)
        player = game.current_player(state)
        game.legal_actions(state), game.scores(state), game.projected_scores(state), game.key(state)
        game.events(state), game.svg(state), game.determinize(game.view(state, 0), r)
        for seat in (None, *range(game.num_seats(state))):
            game.observation(state, seat)
        if player == CHANCE:
            if game.traits.chance_is_listable:
                game.chance_outcomes(state)
            game.apply(state, game.sample_chance(state, r))
        elif player == TERMINAL:
            game.metrics(state), game.ranks(state)
        else:
            action = int(game.legal_actions(state)[-1])
            game.parts(state, action), game.notation(state, action), game.apply(state, action)
            game.information_set(state, player), game.plies_left(state, player)
        assert state.tobytes() == before


def test_legal_actions_are_distinct_and_exactly_those_that_is_legal_accepts(game: Any) -> None:
    rules = game.kernels()
    for state in walks.some(walks.turns(game.id, game.traits.max_seats), 8):
        actions = {int(action) for action in game.legal_actions(state)}
        assert len(actions) == len(game.legal_actions(state)) > 0
        near = {action + step for action in actions for step in (-2, -1, 1, 2)}
        for number in actions | near | set(range(300)):
            assert bool(rules.is_legal(state, number)) == (number in actions), number


def test_numbers_that_are_not_legal_are_refused_by_name(game: Any) -> None:
    for state in walks.some(walks.turns(game.id), 4):
        legal = {int(action) for action in game.legal_actions(state)}
        for number in {-1, -(2**31), 2**31, 2**40, max(legal) + 1, min(legal) - 1} - legal:
            with pytest.raises(IllegalActionError, match=f"{number} is not legal"):
                game.apply(state, number)


def test_nothing_is_legal_at_the_end_or_while_chance_is_on_turn(game: Any) -> None:
    end = walks.end(game.id)
    assert game.legal_actions(end).tolist() == []
    for number in (0, 1, 5):
        with pytest.raises(IllegalActionError):
            game.apply(end, number)
    for state in walks.draws(game.id)[:3]:
        assert game.legal_actions(state).tolist() == []


def test_bounds_of_the_traits_are_never_exceeded(game: Any) -> None:
    for seats in walks.seat_counts(game):
        for seed in range(1, 6):
            turns = walks.turns(game.id, seats, seed)
            assert len(turns) <= game.traits.max_plies
            most = max(len(game.legal_actions(state)) for state in turns)
            assert most <= game.traits.max_legal_actions <= game.kernels().MAX_ACTIONS


def test_plies_left_bounds_what_a_seat_still_has_to_do(game: Any) -> None:
    for seats in walks.seat_counts(game):
        turns = walks.turns(game.id, seats)
        players = [game.current_player(state) for state in turns]
        for n, state in enumerate(turns):
            assert game.plies_left(state, players[n]) >= 1
            for seat in range(seats if sample_of(game.id).has_ply_bound else 0):
                assert game.plies_left(state, seat) >= players[n:].count(seat)
        assert all(game.plies_left(walks.end(game.id, seats), seat) == 0 for seat in range(seats))


def test_scores_ranks_and_metrics_at_the_end(game: Any) -> None:
    known, met = {metric.id for metric in game.metric_table}, set()
    for seats in walks.seat_counts(game):
        end = walks.end(game.id, seats)
        scores, ranks, metrics = game.scores(end), game.ranks(end), game.metrics(end)
        assert len(scores) == len(ranks) == len(metrics) == seats
        assert game.projected_scores(end) == scores
        assert min(ranks) == 1
        for a in range(seats):
            assert ranks[a] == 1 + sum(rank < ranks[a] for rank in ranks), "places are shared, then skipped"
        assert all(set(row) <= known for row in metrics)
        met |= set().union(*metrics, *game.metrics(walks.rich_match(game.id)[-1]))
        assert all(isinstance(value, int | float) and np.isfinite(value) for row in metrics for value in row.values())
    for end in walks.rare_ends(game.id):
        met |= set().union(*game.metrics(end))
    assert met == known, "some match has every metric"


def test_metrics_are_counted_only_at_the_end(game: Any) -> None:
    with pytest.raises(ValueError, match="over"):
        game.metrics(walks.turns(game.id)[0])


def test_metrics_have_distinct_ids_labels_and_units(game: Any) -> None:
    table = game.metric_table
    assert len({metric.id for metric in table}) == len({metric.label for metric in table}) == len(table)
    assert all(metric.unit and metric.group for metric in table)


def test_the_same_history_gives_the_same_bytes_and_key(game: Any) -> None:
    for seats in walks.seat_counts(game):
        state = game.initial_state(game.options(), seats)
        for number in walks.history(game.id, seats):
            state = game.apply(state, number)
        assert state.tobytes() == walks.end(game.id, seats).tobytes()
        assert game.key(state) == game.key(walks.end(game.id, seats))


def test_keys_of_a_match_are_all_different(game: Any) -> None:
    # a vain draw leaves the position as it was, so states that are equal to the last byte but tallies may follow
    # each other only at chance nodes
    for seats in walks.seat_counts(game):
        keys = [game.key(state) for state in walks.turns(game.id, seats)]
        assert len(set(keys)) == len(keys)
        assert all(0 <= key < 2**64 for key in keys)


def test_key_tells_legal_actions_apart(game: Any) -> None:
    for state in walks.some(walks.turns(game.id), 4):
        actions = game.legal_actions(state)[:60]
        keys = {game.key(game.apply(state, int(action))) for action in actions}
        assert len(keys) == len(actions)


def test_random_policy_is_uniform_over_the_legal_actions(game: Any) -> None:
    rules, turns = game.kernels(), walks.turns(game.id)
    state = turns[len(turns) // 2]
    actions = game.legal_actions(state).tolist()
    r, buffer, j = rng.new_stream(5, rng.ANALYSIS), np.empty(rules.MAX_ACTIONS, np.int32), np.ones(1, np.int32)
    drawn = [int(game.policy("random")(0, state, r, buffer, j)) for _ in range(60 * len(actions))]
    counts = [drawn.count(action) for action in actions]
    assert sum(counts) == len(drawn), "an action that is not legal was chosen"
    assert len(actions) > 1
    assert chances.of_counts(counts) > LEVEL


def test_what_searches_may_use_of_a_game_is_what_its_face_says(game: Any) -> None:
    rules = game.kernels(mode="plain")
    assert tuple(rules.ordering.NAMES if hasattr(rules, "ordering") else ()) == tuple(game.orderings)
    assert hasattr(rules, "promise") == game.has_promises
    assert hasattr(rules, "evaluation") == bool(game.evaluations)
    assert "policies" in rules.OVER_RULES


def test_every_policy_chooses_legal_actions_to_the_end(game: Any) -> None:
    assert game.policies[0] == "random"
    assert tuple(game.kernels().policies.NAMES) == tuple(game.policies)
    assert set(game.kernels().policies.NEEDS_JOURNAL) <= set(game.policies)
    assert set(game.policy_words) in (set(), set(game.policies))
    for policy, name in enumerate(game.policies):
        rules = game.kernels(journal=name in game.kernels().policies.NEEDS_JOURNAL)
        r, buffer = rng.new_stream(6, rng.ANALYSIS), np.empty(rules.MAX_ACTIONS, np.int32)
        j = np.ones(1 << 16, np.int32)
        for state in walks.some(walks.turns(game.id, game.traits.max_seats), 10):
            before = state.tobytes()
            chosen = int(game.policy(name)(policy, state, r, buffer, j))
            assert rules.is_legal(state, chosen)
            assert state.tobytes() == before, f"{name} left a trace"


def test_every_rule_option_can_be_played_to_the_end(game: Any) -> None:
    for row in option_tools.schema(game.options):
        for choice in row["choices"]:
            chosen = option_tools.from_json(game.options, {row["name"]: choice["value"]})
            state = game.initial_state(chosen, game.traits.min_seats)
            deal = game.deal(chosen, game.traits.min_seats, rng.new_stream(3, rng.DEAL))
            while not game.is_terminal(state):
                chance = game.current_player(state) == CHANCE
                state = game.apply(state, deal.draw(state) if chance else int(game.legal_actions(state)[0]))
            assert len(game.scores(state)) == game.traits.min_seats
