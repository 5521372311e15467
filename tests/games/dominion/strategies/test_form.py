"""The form of strategies: what is refused, and which place the refusal names."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from games.dominion.strategies import form
from games.strategies import StrategyError
from tests.games.dominion.tables import GAME
from tests.looping import looped

BOOK = GAME.strategies
PLAIN: dict[str, Any] = {
    "version": 1,
    "name": "Plain",
    "buy": [{"card": "Gold"}, {"card": "Duchy", "when": [{"what": "turn", "is": ">", "number": 15}]}],
}


def changed(path: str, value: Any) -> dict[str, Any]:
    """The plain strategy with another value at a place such as ``buy.1.when.0.is``."""
    data = copy.deepcopy(PLAIN)
    *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    place: Any = data
    for step in steps:
        place = place[step]
    place[last] = value
    return data


def test_what_is_left_out_is_filled_in_and_stays_as_it_is() -> None:
    made = form.check_strategy(PLAIN)
    assert made | {"play": [], "trash": [], "about": "", "game": "dominion"} == made
    assert made["buy"][0] == {"card": "Gold", "when": []}
    assert form.check_strategy(json.loads(json.dumps(made))) == made
    for example in BOOK.examples.values():
        assert form.check_strategy(example) == example


@looped(
    "path, value, field, message",
    [
        ("version", 2, "version", "from 1 to 1, not 2"),
        ("game", "chess", "game", "must be 'dominion'"),
        ("name", " ", "name", "1 to 80 letters"),
        ("name", "a\0b", "name", "1 to 80 letters"),
        ("notes", "", "notes", "unknown field; known: version, name"),
        ("buy", [], "buy", "at least one rule"),
        ("buy", {}, "buy", "must be a list, not an object"),
        ("buy", [{"card": "Gold"}] * 41, "buy", "41 entries; at most 40"),
        ("buy.0", "Gold", "buy[0]", "must be an object"),
        ("buy.0", {}, "buy[0].card", "is missing"),
        ("buy.0.card", "Platinum", "buy[0].card", "must be a card, not 'Platinum'; known: Copper"),
        ("buy.0.card", ["Gold"], "buy[0].card", "not a list"),
        ("buy.1.when.0.what", "luck", "buy[1].when[0].what", "something to measure"),
        ("buy.1.when.0.what", "owned", "buy[1].when[0].card", "is missing"),
        ("buy.1.when.0.card", "Gold", "buy[1].when[0].card", "must be left out"),
        ("buy.1.when.0.is", "=>", "buy[1].when[0].is", "known: <, <=, =, >=, >"),
        ("buy.1.when.0.number", 1.5, "buy[1].when[0].number", "whole number from 0 to 999, not 1.5"),
        ("buy.1.when.0.number", -1, "buy[1].when[0].number", "not -1"),
        ("buy.1.when.0.number", True, "buy[1].when[0].number", "not true"),
        ("play", [{"card": "Gold"}], "play[0].card", "known: Village"),
        ("trash", [{"card": "Curse", "when": [{}]}], "trash[0].when[0].what", "is missing"),
    ],
)
def test_every_refusal_names_its_place(path: str, value: Any, field: str, message: str) -> None:
    with pytest.raises(StrategyError) as caught:
        form.check_strategy(changed(path, value))
    assert caught.value.place == field
    assert message in caught.value.message


def test_no_depth_and_no_kind_of_data_is_too_strange() -> None:
    for strange in (None, 1, [], "Gold", {"version": [[[]]]}):
        with pytest.raises(StrategyError):
            form.check_strategy(strange)
