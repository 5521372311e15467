"""The registry of games."""

from __future__ import annotations

import pytest

from games import registry
from tests.games import walks


def test_a_game_is_made_once_under_its_own_id() -> None:
    for game_id in registry.ids():
        assert registry.get(game_id) is registry.get(game_id)
        assert registry.get(game_id).id == game_id


def test_an_unknown_game_is_unknown() -> None:
    with pytest.raises(KeyError, match="chess"):
        registry.get("chess")


def test_traits_are_possible() -> None:
    for game_id in walks.GAME_IDS:
        traits = walks.game_of(game_id).traits
        assert 1 <= traits.min_seats <= traits.max_seats <= 5, "the lab has five seat marks"
        assert traits.max_legal_actions > 1
        assert traits.max_plies > 1
        assert traits.has_chance or not traits.chance_is_listable


def test_games_describe_themselves() -> None:
    for game_id in walks.GAME_IDS:
        game = walks.game_of(game_id)
        assert game.label
        assert game.version
        assert (game.folder / "kernels" / "rules.py").is_file()
