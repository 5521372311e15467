"""The builder with each game: its own seats, rules and policies, and what its rules refuse."""

from __future__ import annotations

import pytest

from engines import registry as engine_registry
from games import registry as game_registry
from webapp.lab.experiments import draft
from webapp.lab.experiments.builder import Builder
from worker.estimate import estimate

EVERY_TABLE = [
    (game_id, seats)
    for game_id in game_registry.ids()
    for traits in [game_registry.get(game_id).traits]
    for seats in range(traits.min_seats, traits.max_seats + 1)
]


def seated(game: str, engine: str, seats: int = 2, **more: str) -> dict[str, str]:
    """A form with one engine in every seat, as it is first shown."""
    return draft.complete(
        {"game": game, "seats": str(seats), **{f"arm-0-seat-{i}-engine": engine for i in range(seats)}, **more}
    )


def test_a_fresh_form_is_valid_at_every_table(subtests: pytest.Subtests) -> None:
    for game, seats in EVERY_TABLE:
        with subtests.test(game=game, seats=seats):
            builder = Builder({"game": game, "seats": str(seats)})
            assert builder.spec is not None, builder.first_error()
            assert (builder.spec.game, builder.spec.seats) == (game, seats)
            assert set(builder.spec.options) == {row["name"] for row in builder.rules.every_row}


@pytest.mark.parametrize("game", game_registry.ids())
def test_every_engine_that_is_offered_begins_with_what_the_game_has(game: str) -> None:
    for engine in engine_registry.suitable(game_registry.get(game)):
        builder = Builder(seated(game, engine, game_registry.get(game).traits.min_seats))
        assert builder.spec is not None, builder.first_error()
        assert {seat.engine for seat in builder.spec.arms[0].seats} == {engine}


def test_another_game_takes_its_own_rules_and_policies() -> None:
    data = seated("carcassonne", "scripted", 3)
    assert data["arm-0-seat-0-option-policy"] == "greedy"
    changed = draft.complete(data | {"game": "kingdomino"})
    assert changed["arm-0-seat-0-option-policy"] == game_registry.get("kingdomino").usual_policy
    assert not [key for key in changed if "two_tile_city" in key]
    builder = Builder(changed)
    assert builder.spec is not None, builder.first_error()
    assert builder.spec.options["middle"] == "reach"


def test_a_policy_that_both_games_have_stays() -> None:
    data = seated("carcassonne", "scripted") | {"arm-0-seat-1-option-policy": "random"}
    assert draft.complete(data | {"game": "kingdomino"})["arm-0-seat-1-option-policy"] == "random"


def test_a_policy_that_no_game_has_is_an_error_and_not_another_one() -> None:
    builder = Builder(seated("kingdomino", "scripted") | {"arm-0-seat-1-option-policy": "no_such"})
    assert builder.spec is None
    assert "policy" in builder.arms[0].seats[1].options.errors


@pytest.mark.parametrize(("seats", "is_refused"), [(2, False), (3, True), (4, True)])
def test_rules_that_do_not_go_with_the_seats_are_refused_at_their_field(seats: int, is_refused: bool) -> None:
    data = seated("kingdomino", "random", seats)
    builder = Builder(data | {"rules-size": "7"})
    assert (builder.spec is None) == is_refused
    if is_refused:
        assert list(builder.rules.errors) == ["size"]
        assert "Mighty Duel" in builder.first_error()
        assert builder.problems()[0].field == builder.rules["size"].auto_id


def test_what_a_match_costs_follows_its_seats() -> None:
    rows = {}
    for seats in (2, 3, 4):
        builder = Builder(seated("kingdomino", "random", seats, deals="10", rotation="none"))
        assert builder.spec is not None
        rows[seats] = estimate(builder.spec).rows
    assert rows == {2: 10 * (1 + 2 + 28), 3: 10 * (1 + 3 + 39), 4: 10 * (1 + 4 + 52)}
