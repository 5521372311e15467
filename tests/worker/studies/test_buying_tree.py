"""The tree of one player's turns: by hand, as printed, and as the rules of the game have it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games import registry as game_registry
from worker.presets import papers
from worker.spec import SpecError
from worker.studies import buying_turns, registry
from worker.studies import spec as specs
from worker.studies.buying_tree import BuyingTree, first_turn
from worker.studies.protocol import StudySpec

KIND = BuyingTree()
PRINTED = {row["turns"]: row["nodes"] for row in papers.results()["dominion-tree-size"].rows}


def study(**parameters: Any) -> StudySpec:
    return specs.from_json({"version": 1, "study": "buying_tree", "game": "dominion", "parameters": parameters})


def told(turns: int) -> dict[str, Any]:
    spec = study(turns=turns)
    rows = {index: KIND.piece(spec, index) for index in range(KIND.num_pieces(spec))}
    return KIND.result(spec, json.loads(json.dumps(rows), object_hook=lambda row: {_key(k): v for k, v in row.items()}))


def _key(text: str) -> int | str:
    return int(text) if text.isdigit() else text


def position(owned: dict[str, int], deck: dict[str, int]) -> buying_turns.Position:
    ones = {kind.name: kind.one for kind in buying_turns.kinds()}
    zones = [sum(number * ones[name] for name, number in zone.items()) for zone in (owned, deck)]
    return zones[0] << buying_turns.DECK_BITS | zones[1]


def test_bad_parameters_are_told() -> None:
    assert isinstance(registry.get("buying_tree"), BuyingTree)
    with pytest.raises(SpecError) as caught:
        study(turns=11)
    assert caught.value.place == "parameters.turns"
    with pytest.raises(SpecError, match="choose Dominion"):
        KIND.complete_parameters(game_registry.get("kingdomino"), {})


def test_the_first_turn_by_hand() -> None:
    # of seven Coppers and three Estates five are drawn: with 5 to 2 Coppers among them
    rows = first_turn()
    assert [(row["hand"], row["coins"]) for row in rows] == [
        ({"Copper": 5}, 5),
        ({"Copper": 4, "Estate": 1}, 4),
        ({"Copper": 3, "Estate": 2}, 3),
        ({"Copper": 2, "Estate": 3}, 2),
    ]
    assert [set(row["buys"]) for row in rows] == [
        {"Copper", "Estate", "Silver", "Duchy"},
        {"Copper", "Estate", "Silver"},
        {"Copper", "Estate", "Silver"},
        {"Copper", "Estate"},
    ]
    # 4 hands, (4 + 1) + (3 + 1) + (3 + 1) + (2 + 1) buys or none, and the root
    assert told(1)["by_turn"] == [{"turn": 1, "draws": "4", "buys": "16", "nodes": "21", "factor": None}]


def test_every_printed_row() -> None:
    found = told(6)["by_turn"]
    assert {row["turn"]: int(row["nodes"]) for row in found} == PRINTED
    assert [round(row["factor"], 1) for row in found[1:]] == [4.7, 21.0, 11.4, 28.8, 22.6]  # printed, too
    assert (found[3]["draws"], found[3]["buys"]) == ("4280", "17274")


def test_turns_that_are_not_whole_are_not_told() -> None:
    spec = study(turns=4)
    rows = {index: KIND.piece(spec, index) for index in range(KIND.num_pieces(spec) - 1)}
    assert [row["turn"] for row in KIND.result(spec, rows)["by_turn"]] == [1, 2]
    assert KIND.result(spec, {})["by_turn"] == []
    assert KIND.num_pieces(study(turns=2)) == 1


def test_a_short_deck_is_drawn_before_the_discard_pile_is_shuffled() -> None:
    # two Golds lie in the deck; three of four Coppers and an Estate come from the discard pile
    turn, after = buying_turns.turn({position({"Copper": 4, "Gold": 2, "Estate": 1}, {"Gold": 2}): 3})
    # either three Coppers, 9 coins: six kinds and nothing; or two and the Estate, 8 coins: the same
    assert (turn.draws, turn.buys) == (3 * 2, 3 * 2 * 7)
    left = {json.dumps(buying_turns.count_cards(one & buying_turns.DECK)) for one in after}
    assert left == {'{"Copper": 1, "Estate": 1}', '{"Copper": 2}'}


def test_empty_piles_sell_nothing_and_end_the_match() -> None:
    owned = {"Copper": 5, "Estate": 11}
    turn, _ = buying_turns.turn({position(owned, {"Copper": 5}): 1})
    assert (turn.draws, turn.buys) == (1, 4)  # Copper, Silver, Duchy or nothing
    assert not buying_turns.is_over(position(owned, {}))
    assert buying_turns.is_over(position({"Copper": 5, "Province": 8}, {}))
    assert buying_turns.is_over(position({"Copper": 60, "Estate": 11, "Duchy": 8}, {}))
    over = buying_turns.turn({position({"Copper": 5, "Province": 8}, {"Copper": 5}): 1})
    assert (over[0].draws, over[1]) == (0, {})
