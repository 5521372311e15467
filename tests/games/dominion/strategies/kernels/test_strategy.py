"""Strategies at play: as the policies that they are written after, and rule by rule."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from games import rng as streams
from games.dominion import state as layout
from games.dominion.strategies import encoding, form
from games.protocol import CHANCE, State
from tests.games.dominion.tables import GAME, arranged, fill_zone, play
from tests.looping import looped

BOOK = GAME.strategies
TWINS = ("bmfsm", "single_witch", "double_witch", "big_money")
"""Examples with the name of the policy that they repeat."""


def chosen(state: State, *, buy: Any = (), play: Any = (), trash: Any = ()) -> str:
    """What a strategy of these rules does; a rule is a card, or a card and its conditions."""
    lists = {"buy": buy or ["nothing"], "play": play, "trash": trash}
    rows = {name: [_rule(row) for row in rules] for name, rules in lists.items()}
    data = form.check_strategy({"version": 1, "name": "of a test", **rows})
    before = state.tobytes()
    action = BOOK.chooser(GAME, data)(state, streams.new_stream(1, streams.ANALYSIS))
    assert state.tobytes() == before
    assert GAME.kernels().is_legal(state, action)
    return str(GAME.notation(state, action))


def _rule(row: Any) -> dict[str, Any]:
    card, *conditions = (row,) if isinstance(row, str) else row
    return {"card": card, "when": [_condition(text) for text in conditions]}


def _condition(text: str) -> dict[str, Any]:
    """``owned Gold >= 1``, ``turn > 15``."""
    what, *card, comparison, number = text.split(" ")
    return {"what": what, "is": comparison, "number": int(number)} | ({"card": " ".join(card)} if card else {})


def spending(coins: int, owned: dict[str, int] | None = None, hand: dict[str, int] | None = None) -> State:
    """Seat 0 may buy a card for so many coins."""
    held = {"Moat": 1, **(hand or {})}
    state = play(arranged([held, {"Copper": 1}], [{"Copper": 7, **(owned or {})}, {"Province": 1}]), "end")
    state[layout.COINS] = coins
    return state


@pytest.mark.parametrize("name", TWINS)
def test_an_example_plays_action_for_action_as_its_policy(name: str) -> None:
    rules, choose = GAME.kernels(), BOOK.chooser(GAME, BOOK.examples[name])
    policy, compared = GAME.policies.index(name), 0
    buffer, j = np.zeros(rules.MAX_ACTIONS, np.int32), np.zeros(1, np.int32)
    for number, kingdom in enumerate(["thesis"] * 6 + ["size distortion", "interaction"]):
        state = GAME.initial_state(GAME.options(kingdom=kingdom), 2)
        r = streams.new_stream(number, streams.ANALYSIS)
        rules.settle(state, r, j)
        while (seat := int(state[layout.PLAYER])) >= 0:
            twin = r.copy()
            action = int(GAME.policy(name)(policy, state, r, buffer, j))
            assert choose(GAME.view(state, seat), twin) == action
            assert twin.tobytes() == r.tobytes()
            rules.apply(state, action, j)
            compared += 1
            if state[layout.PLAYER] == CHANCE:
                rules.settle(state, r, j)
    assert compared > 200


def test_the_first_rule_counts_that_can_be_had() -> None:
    assert chosen(spending(8), buy=["Province", "Gold"]) == "buy Province"
    assert chosen(spending(7), buy=["Province", "Gold"]) == "buy Gold"
    assert chosen(spending(5), buy=["Province", "Gold"]) == "end turn"
    assert chosen(spending(8), buy=["nothing", "Gold"]) == "end turn"
    state = spending(6)
    fill_zone(state, layout.SUPPLY, {"Silver": 1})
    state[layout.IN_SUPPLY], state[layout.IN_SUPPLY + 1] = 1 << 1, 0
    assert chosen(state, buy=["Gold", "Silver"]) == "buy Silver"


@looped(
    "holds, fails",
    [
        ("coins = 6", "coins < 6"),
        ("turn <= 1", "turn > 1"),
        ("buys = 1", "buys > 1"),
        ("actions = 1", "actions = 0"),
        ("played < 1", "played >= 1"),
        ("owned Silver = 3", "owned Silver = 2"),
        ("owned any Treasure = 10", "owned any Treasure = 7"),
        ("owned any card = 12", "owned any card = 11"),
        ("hand Silver = 1", "hand Silver = 0"),
        ("in_play any card = 0", "in_play Moat >= 1"),
        ("pile Province = 8", "pile Province < 8"),
        ("empty_piles = 0", "empty_piles > 0"),
        ("gains_to_end = 8", "gains_to_end < 8"),
        ("lead = -5", "lead >= 0"),
    ],
)
def test_conditions_measure_what_they_say(holds: str, fails: str) -> None:
    state = spending(6, {"Silver": 2, "Estate": 1}, {"Silver": 1})
    state[layout.SEATS + layout.OWNED], state[layout.SEATS + layout.POINTS] = 12, 1
    treasures_in_play = {"Silver": 0}
    fill_zone(state, layout.PLAYED, treasures_in_play)
    fill_zone(state, layout.SEATS + layout.HAND, {"Moat": 1, "Silver": 1})
    assert chosen(state, buy=[("Gold", holds), "Silver"]) == "buy Gold"
    assert chosen(state, buy=[("Gold", fails), "Silver"]) == "buy Silver"
    assert chosen(state, buy=[("Gold", holds, fails), "Silver"]) == "buy Silver"


def test_the_match_may_end_by_the_three_smallest_piles() -> None:
    state = spending(6)
    fill_zone(state, layout.SUPPLY, {"Gold": 9, "Silver": 9, "Province": 8})
    assert chosen(state, buy=[("Gold", "gains_to_end = 0"), "Silver"]) == "buy Gold"


def test_a_class_takes_its_dearest_card_but_no_curse() -> None:
    assert chosen(spending(5), buy=["any Victory"]) == "buy Duchy"
    assert chosen(spending(8), buy=["any Treasure"]) == "buy Gold"
    state = arranged([{"Curse": 1}, {}], [{"Copper": 7}, {}], curse_buys=True)
    state[layout.KIND], state[layout.COINS] = layout.BUY, 0
    assert chosen(state, buy=["any card"]) == "buy Copper"


def test_cards_are_played_by_their_list_alone() -> None:
    state = arranged([{"Village": 1, "Smithy": 1, "Market": 1}, {"Copper": 1}], [{"Copper": 7}] * 2)
    assert chosen(state) == "end actions"
    assert chosen(state, play=["Smithy", "Village"]) == "play Smithy"
    assert chosen(state, play=["any Action giving actions", "Smithy"]) == "play Market"
    assert chosen(state, play=[("any Action", "hand Witch > 0"), "nothing", "Village"]) == "end actions"


def test_cards_are_trashed_by_their_list() -> None:
    hand = {"Chapel": 1, "Curse": 1, "Estate": 1, "Copper": 1, "Gold": 1}
    state = play(arranged([hand, {"Copper": 1}], [{"Copper": 7}] * 2), "Chapel")
    assert chosen(state, trash=["Copper", "Curse"]) == "trash Copper"
    assert chosen(state, trash=["any card"]) in ("trash Copper", "trash Curse")
    assert chosen(state, trash=[("Gold", "turn > 3")]) == "done trashing"
    assert chosen(state, trash=["nothing", "Copper"]) == "done trashing"
    assert chosen(state) in ("trash Curse", "trash Estate")  # as scripted players do without a list


def test_what_is_gained_without_coins_is_chosen_by_the_buy_rules() -> None:
    state = arranged([{"Remodel": 1, "Gold": 1}, {"Copper": 1}], [{"Copper": 7}] * 2)
    state = play(state, "Remodel", "Gold")
    assert chosen(state, buy=[("Gold", "turn > 9"), "Duchy", "Province"]) == "gain Duchy"
    assert chosen(state, buy=["nothing"]) == "gain Province"
    state = play(arranged([{"Throne Room": 1, "Smithy": 1, "Market": 1}, {}], [{"Copper": 7}] * 2), "Throne Room")
    assert chosen(state, play=["Throne Room", "Smithy"]) == "play twice Smithy"


def test_numbers_of_lists_and_quantities_are_those_of_the_form() -> None:
    code = encoding.code(BOOK.examples["single_witch"])
    assert code[:6].tolist() == [6, 6 + 6 * 2 + 4 * 4, 6 + 6 * 2 + 4 * 4 + 6, 6, 1, 0]
