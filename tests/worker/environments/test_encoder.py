"""Positions as numbers, by the undecorated kernels: nothing is compiled for these tests."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from games import registry as game_registry
from games import rng
from games.carcassonne import state as carcassonne
from games.dominion import reading as dominion
from games.dominion import state as dominion_layout
from games.dominoes import state as dominoes
from games.kingdomino import reading as kingdomino
from games.kingdomino.dominoes import TERRAINS
from games.protocol import State
from tests.games import walks
from tests.games.samples import sample_of
from worker.environments import registry
from worker.environments.encoder import Encoder
from worker.environments.setup import Setup

GAMES = tuple(registry.ENCODINGS)
Blocks = dict[str, np.ndarray]


def encoder_of(game_id: str, seats: int, **options: Any) -> Encoder:
    return Encoder(Setup(game_id, seats, options), mode="plain")


def blocks(encoder: Encoder, state: State, seat: int) -> Blocks:
    """An observation by the names of its blocks, each in its shape."""
    encoding, seats = encoder.setup.encoding, encoder.setup.seats
    vector, places = encoder.observe(state, seat), encoding.places(seats)
    found = (*encoding.planes(seats), *encoding.numbers(seats))
    return {block.name: vector[places[block.name]].reshape(block.shape) for block in found}


def check_kingdomino(state: State, seat: int, seats: int, seen: Blocks) -> None:
    for away in range(seats):
        kingdom = seen[f"kingdom {away}"]
        squares = kingdomino.kingdom(state, (seat + away) % seats)
        assert kingdom[:6].sum() == len(squares)
        for square in squares:
            at = (square.y % 8, square.x % 8)
            assert kingdom[(TERRAINS.index(square.terrain), *at)] == 1
            assert kingdom[(slice(6, None), *at)].sum() == square.crowns


def check_carcassonne(state: State, seat: int, seats: int, seen: Blocks) -> None:
    assert seen["tiles"].sum() + seen["course"][2] == state[carcassonne.NUM_LAID]
    assert seen["own meeples"].sum() == carcassonne.MEEPLES_PER_SEAT - seen["meeples"][0]
    assert seen["pool"].sum() == state[carcassonne.NUM_LEFT]
    for away in range(1, seats):
        assert (seen["other meeples"] == away).sum() == carcassonne.MEEPLES_PER_SEAT - seen["meeples"][away]


def check_dominion(state: State, seat: int, seats: int, seen: Blocks) -> None:
    def cards(which: int) -> dict[int, int]:
        return dominion.seat_zone(game_registry.get("dominion").view(state, seat), other, which)

    for away in range(seats):
        other = (seat + away) % seats
        for name, which in (("hand", dominion_layout.HAND), ("deck", dominion_layout.DECK)):
            row = seen[f"{name} {away}"]
            assert {card: count for card, count in enumerate(row.tolist()) if count} == cards(which)
        owned = sum(seen[f"{name} {away}"].sum() for name in ("hand", "deck", "discard", "top"))
        in_turn = seen["played"].sum() if other == state[dominion_layout.TURN] else 0
        aside = seen["aside"].sum() if other == state[dominion_layout.DRAWER] else 0
        assert owned + in_turn + aside >= seen[f"sizes {away}"][2]


def check_dominoes(state: State, seat: int, seats: int, seen: Blocks) -> None:
    held, laid = seen["hand"], seen["laid"]
    assert sum(int(bit) << tile for tile, bit in enumerate(held)) == state[dominoes.HAND + seat]
    assert held.sum() == seen["tiles held"][0]
    assert laid.sum() == state[dominoes.NUM_LAID] == 28 - seen["tiles held"].sum()
    for away in range(seats):
        assert laid[away].sum() + seen["tiles held"][away] == 7


CHECKS = {
    "carcassonne": check_carcassonne,
    "kingdomino": check_kingdomino,
    "dominion": check_dominion,
    "dominoes": check_dominoes,
}


@pytest.mark.long
@pytest.mark.parametrize("game_id", GAMES)
def test_an_observation_says_what_a_seat_sees_of_the_position(game_id: str) -> None:
    game = walks.game_of(game_id)
    seats = game.traits.max_seats
    encoder = encoder_of(game_id, seats, **sample_of(game_id).rich_options)
    for state in walks.some(walks.rich_turns(game_id), 4):
        for seat in {int(game.current_player(state)), seats - 1}:
            seen = blocks(encoder, state, seat)
            assert seen["on turn"].tolist().index(1) == (game.current_player(state) - seat) % seats
            CHECKS[game_id](state, seat, seats, seen)


@pytest.mark.parametrize("game_id", ["dominion", "dominoes"])
def test_what_is_hidden_from_a_seat_changes_no_observation_of_it(game_id: str) -> None:
    """States that differ only in what a seat cannot know: other hands, drawn anew."""
    game = walks.game_of(game_id)
    seats = game.traits.max_seats
    encoder = encoder_of(game_id, seats, **sample_of(game_id).rich_options)
    told_apart = 0
    for state in walks.some(walks.rich_turns(game_id), 12):
        known = [encoder.observe(state, seat) for seat in range(seats)]
        for seat in range(seats):
            other = game.determinize(game.view(state, seat), rng.new_stream(seat, rng.ANALYSIS))
            assert (encoder.observe(other, seat) == known[seat]).all()
            beside = (seat + 1) % seats
            told_apart += (encoder.observe(other, beside) != known[beside]).any()
    assert told_apart, "no hand was drawn otherwise"


@pytest.mark.parametrize("game_id", GAMES)
def test_numbers_say_each_legal_action_and_no_other(game_id: str) -> None:
    game = walks.game_of(game_id)
    encoder = encoder_of(game_id, game.traits.max_seats)
    for state in walks.some(walks.turns(game_id, game.traits.max_seats), 4):
        actions = []
        for number in encoder.legal(state).tolist():
            action = encoder.action(state, -1, number)
            if action is not None:
                actions.append(action)
                continue
            actions += [encoder.action(state, number, step) for step in encoder.legal(state, number).tolist()]
        assert sorted(actions) == sorted(game.legal_actions(state).tolist())
        assert encoder.mask(state).sum() == len(encoder.legal(state))
    assert not encoder.mask(walks.end(game_id, game.traits.max_seats)).any()


@pytest.mark.parametrize(
    ("game_id", "seats", "options"),
    [
        ("carcassonne", 3, {}),
        ("kingdomino", 2, {"ties": "official"}),
        ("dominion", 3, {}),
        ("dominoes", 4, {"length": "round"}),
    ],
)
def test_places_at_the_end_go_by_standing(game_id: str, seats: int, options: dict[str, Any]) -> None:
    encoder = encoder_of(game_id, seats, **options)
    game = encoder.setup.game
    for seed in range(1, 3):
        *_, (state, _) = walks.walk(game, seats, seed, encoder.setup.rules)
        standing = [encoder.standing(state, seat) for seat in range(seats)]
        ranks = game.ranks(state)
        for one in range(seats):
            assert ranks[one] == 1 + sum(other > standing[one] for other in standing)
