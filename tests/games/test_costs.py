"""What games cost: their files, guesses, and the arithmetic over them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from games import costs, data_files, registry
from games import options as option_tools
from games.costs import Costs
from tests.games import walks
from tests.looping import looped

COSTS = Costs(plies=60, legal_actions=10, playout_s=1e-4, action_s=1e-6, ply_s=1e-3)
every_game = pytest.mark.parametrize("game_id", registry.ids())


@every_game
def test_a_file_is_what_its_figures_spell(game_id: str) -> None:
    game = registry.get(game_id)
    assert game.costs == costs.load(game.folder)
    assert data_files.path(game.folder, costs.NAME).read_text(encoding="utf-8") == costs.text(game.costs)


@every_game
def test_every_policy_was_measured(game_id: str) -> None:
    game = registry.get(game_id)
    assert set(game.costs.policies) == set(game.policies) - {"random"}


@every_game
def test_matches_are_within_the_bounds_of_the_rules(game_id: str) -> None:
    game = registry.get(game_id)
    assert 1 <= game.costs.legal_actions <= game.traits.max_legal_actions
    for seats in range(game.traits.min_seats, game.traits.max_seats + 1):
        assert 1 <= game.usual_plies(game.options(), seats) <= game.traits.max_plies


@looped(
    "game_id, options, seats, plies",
    [
        ("carcassonne", {}, 2, 71),
        ("kingdomino", {}, 2, 28),
        ("kingdomino", {}, 3, 39),
        ("kingdomino", {"size": "7"}, 2, 52),
        ("dominion", {}, 1, 150),
        ("dominion", {}, 4, 144),
        ("dominion", {"turn_limit": 10, "treasures": "manual"}, 2, 100),
        ("dominoes", {"length": "round"}, 4, 26),
        ("dominoes", {}, 4, 286),
        ("dominoes", {"target": 200, "out_points": "all"}, 4, 286),
        ("dominoes", {"target": 5}, 4, 26),
    ],
)
def test_a_match_is_as_long_as_its_rules_make_it(
    game_id: str, options: dict[str, Any], seats: int, plies: float
) -> None:
    game = registry.get(game_id)
    assert game.usual_plies(option_tools.from_json(game.options, options), seats) == plies


def test_a_game_nobody_measured_is_guessed_from_its_bounds() -> None:
    toy = walks.game_of("toy")
    assert costs.load(toy.folder) is None
    assert toy.costs == costs.guess(toy.traits.max_plies, toy.traits.max_legal_actions)
    assert toy.costs.plies == toy.traits.max_plies / 2
    assert toy.costs.legal_actions == toy.traits.max_legal_actions**0.5


def test_figures_are_written_and_read(tmp_path: Path) -> None:
    for game_id in registry.ids():
        written = replace(registry.get(game_id).costs, plies=77.0)
        costs.store(tmp_path, written)
        assert costs.load(tmp_path) == written


def test_longer_matches_have_longer_playouts() -> None:
    assert COSTS.lasting(30) == replace(COSTS, plies=30, playout_s=5e-5)


def test_a_policy_costs_what_was_measured_or_weighs_every_action() -> None:
    measured = replace(COSTS, policies={"greedy": 3e-6})
    assert measured.policy_s("greedy") == 3e-6
    assert measured.policy_s("careful") == pytest.approx(1e-5)
    assert measured.policy_s("random") == 0


def test_playouts_are_half_a_match_long_and_cost_their_decisions() -> None:
    assert COSTS.played_s(0.0) == pytest.approx(1e-4)
    assert COSTS.played_s(1e-5) == pytest.approx(1e-4 + 30e-5)
    # six plies of thirty
    assert COSTS.played_s(1e-5, most_plies=6) == pytest.approx(2e-5 + 6e-5)
    assert COSTS.played_s(1e-5, most_plies=99) == COSTS.played_s(1e-5)
