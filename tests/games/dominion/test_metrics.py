"""What dashboards count, in a match of three turns worked by hand."""

from __future__ import annotations

import pytest

from games.dominion import reading
from games.dominion import state as layout
from games.protocol import State
from tests.games.dominion.tables import GAME, arranged, fill_zone, play


@pytest.fixture(scope="module")
def ended() -> State:
    """A Witch with a Smithy left over and a Province; a Duchy; Festival, Chapel, and the last Province.

    The cards are those of `arranged`, so nobody has the ten that a match begins with.
    """
    state = arranged(
        [{"Witch": 1, "Smithy": 1, "Silver": 3}, {"Copper": 5}],
        [{"Copper": 3, "Festival": 1, "Gold": 2, "Chapel": 1}, {"Copper": 5}],
    )
    fill_zone(state, layout.SUPPLY, reading.count_by_name(reading.supply(state)) | {"Province": 2})
    state = play(state, "Witch", draws=("Copper", "Copper"))
    state = play(state, "Province", draws=("Festival", "Gold", "Gold", "Copper", "Chapel"))
    state = play(state, "Duchy", draws=("Copper",) * 5)
    state = play(state, "Festival", "Chapel", "Copper", "end", "Province", "end")
    return play(state, draws=("Silver", "Silver", "Silver", "Witch", "Smithy"))


def test_turns_coins_plays_buys_and_collisions_are_those_of_the_turns(ended: State) -> None:
    first, second = GAME.metrics(ended)
    assert (first["turns"], second["turns"]) == (2, 1)
    assert (first["coins_mean"], second["coins_mean"]) == (8, 5)  # 3 Silver, 2 Copper; Festival, 2 Gold
    assert (first["actions_mean"], second["actions_mean"]) == (1.5, 0)
    assert (first["buys_unused"], second["buys_unused"]) == (0.5, 0)  # the Festival's
    assert (first["collisions"], second["collisions"]) == (1, 0)  # the Smithy beside the Witch
    assert (first["curses_dealt"], second["curses_dealt"]) == (1, 0)


def test_decks_and_points_are_those_owned_at_the_end(ended: State) -> None:
    first, second = GAME.metrics(ended)
    assert (first["owned"], first["trashed"], second["owned"]) == (13, 1, 12)
    assert (first["deck_copper"], first["deck_province"], second["deck_curse"]) == (2, 2, 1)
    assert (first["points_province"], second["points_duchy"], second["points_curse"]) == (12, 3, -1)
    assert first["points_gardens"] == 0


def test_numbers_by_turn_are_of_the_turns_that_every_seat_had(ended: State) -> None:
    first, second = GAME.metrics(ended)
    assert (first["coins_turn_1"], first["actions_turn_1"]) == (8, 1)
    assert (first["points_turn_1"], second["points_turn_1"]) == (6, 2)
    assert (first["lead_turn_1"], second["lead_turn_1"]) == (4, -4)
    kinds = [first[f"owned_{kind}_turn_1"] for kind in ("treasure", "action", "victory", "curse")]
    assert kinds == [8, 4, 1, 0]
    assert [second[f"owned_{kind}_turn_1"] for kind in ("treasure", "victory", "curse")] == [10, 1, 1]
    assert not [name for name in first if name.endswith("_turn_2")]


def test_cards_gained_stand_beside_the_turns_they_were_gained_in(ended: State) -> None:
    first, second = GAME.metrics(ended)
    assert (first["turns_0"], second["turns_0"], first["turns_1"]) == (2, 1, 0)
    assert (first["gained_province_0"], second["gained_duchy_0"], second["gained_curse_0"]) == (2, 1, 1)
    assert sum(value for name, value in first.items() if name.startswith("gained_")) == 2


def test_why_the_match_ended_is_the_same_for_every_seat(ended: State) -> None:
    for values in GAME.metrics(ended):
        assert [values[f"end_{why}"] for why in ("provinces", "piles", "limit")] == [1, 0, 0]
        assert [name for name, value in values.items() if name.startswith("empty_") and value] == ["empty_province"]
