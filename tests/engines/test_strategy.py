"""The engine that plays written strategies, and how specs hold them."""

from __future__ import annotations

from typing import Any

import pytest

from engines import registry
from games import registry as game_registry
from worker import spec as specs
from worker.spec import SpecError

DOMINION: Any = game_registry.get("dominion")
OWN = {"version": 1, "name": "Own", "buy": [{"card": "Gold"}]}


def test_it_plays_games_with_a_form_for_strategies() -> None:
    assert [
        game_id for game_id in game_registry.ids() if "strategy" in registry.suitable(game_registry.get(game_id))
    ] == ["dominion"]


def test_a_spec_holds_the_whole_strategy() -> None:
    seat = specs.seat_from_json({"engine": "strategy", "options": {"strategy": OWN}}, ("seats", 0), "dominion")
    assert seat.options["strategy"] == DOMINION.strategies.check(OWN)
    first = next(iter(DOMINION.strategies.examples.values()))
    assert specs.seat_from_json({"engine": "strategy"}, ("seats", 0), "dominion").options["strategy"] == first


@pytest.mark.parametrize(
    ("strategy", "path"),
    [
        ([], "s.options.strategy"),
        ({**OWN, "buy": [{"card": "Gold"}, {"card": 7}]}, "s.options.strategy.buy[1].card"),
        ({**OWN, "version": "1"}, "s.options.strategy.version"),
    ],
)
def test_a_bad_strategy_is_refused_by_its_place(strategy: Any, path: str) -> None:
    with pytest.raises(SpecError) as caught:
        specs.seat_from_json({"engine": "strategy", "options": {"strategy": strategy}}, ("s",), "dominion")
    assert caught.value.place == path


def test_unchecked_data_is_refused_before_a_ply() -> None:
    engine = registry.make("strategy", {"strategy": {"version": 1}})
    assert "name: is missing" in str(engine.refuses(DOMINION))
    assert "has no form for strategies" in str(engine.refuses(game_registry.get("kingdomino")))
