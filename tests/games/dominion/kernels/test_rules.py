"""Single rules of Dominion, one position each."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from games import rng as streams
from games.dominion import cards, reading
from games.dominion import state as layout
from games.protocol import CHANCE, TERMINAL, State
from tests.games.dominion.tables import ALL_KINGDOM, GAME, arranged, discard, fill_zone, hand, play


def one(hand_0: dict[str, int], deck: dict[str, int] | None = None, **options: Any) -> State:
    return arranged([hand_0, {"Copper": 5}], [deck or {"Copper": 5}, {"Copper": 5}], **options)


def named(state: State) -> set[str]:
    return {GAME.notation(state, int(action)) for action in GAME.legal_actions(state)}


def test_a_card_that_gives_draws_before_anything_else_can_be_done() -> None:
    state = play(one({"Village": 1, "Smithy": 1}), "Village")
    assert GAME.current_player(state) == CHANCE
    state = play(state, draws=("Copper",))
    assert (state[layout.ACTIONS], hand(state, 0)) == (2, {"Copper": 1, "Smithy": 1})


def test_a_deck_is_shuffled_only_when_a_card_is_needed_and_without_those_in_play() -> None:
    state = arranged([{"Smithy": 1}, {"Copper": 5}], [{"Gold": 1}, {"Copper": 5}], [{"Silver": 2}, {}])
    state = play(state, "Smithy", draws=("Gold", "Silver", "Silver"))
    assert hand(state, 0) == {}  # all of them have been played
    assert state[layout.COINS] == 3 + 2 + 2
    assert reading.deck_size(state, 0) == 0
    assert state[reading.seat_at(0) + layout.SHUFFLES] == 2


def test_fewer_cards_are_drawn_where_there_are_no_more() -> None:
    state = arranged([{"Smithy": 1, "Estate": 1}, {"Copper": 5}], [{"Estate": 1}, {"Copper": 5}])
    assert hand(play(state, "Smithy", draws=("Estate",)), 0) == {"Estate": 2}


def test_buys_fall_by_cost_and_end_the_turn() -> None:
    state = play(one({"Festival": 1, "Gold": 2}), "Festival")
    assert (state[layout.BUYS], state[layout.COINS]) == (2, 8)
    state = play(state, "Duchy")
    assert (state[layout.BUYS], state[layout.COINS]) == (1, 3)
    assert named(state) == {f"buy {name}" for name in cheap(3)} | {"end turn"}
    state = play(state, "Silver", draws=("Copper",) * 5)
    assert state[layout.TURN] == 1


def cheap(cost: int) -> list[str]:
    """What may be bought for so many coins."""
    return [card.name for card in cards.table() if card.cost <= cost and card.name != "Curse"]


def test_curses_are_bought_only_where_the_option_allows_it() -> None:
    assert "buy Curse" not in named(play(one({"Estate": 1, "Moat": 1}), "end"))
    assert "buy Curse" in named(play(one({"Estate": 1, "Moat": 1}, curse_buys=True), "end"))


def test_a_woodcutter_is_worth_what_the_option_says() -> None:
    assert play(one({"Woodcutter": 1}, woodcutter_coins=20), "Woodcutter")[layout.COINS] == 20


def test_treasures_by_hand_can_be_kept_back_or_played_all_at_once() -> None:
    state = one({"Copper": 2, "Gold": 1, "Moat": 1}, treasures="manual")
    state = play(state, "end")
    assert named(state) == {"play Copper", "play Gold", "play all treasures", "end treasures"}
    everything = GAME.apply(state, layout.ALL)
    assert GAME.key(everything) == GAME.key(play(state, "Copper", "Gold", "Copper"))
    assert play(state, "Gold", "end")[layout.COINS] == 3


@pytest.mark.parametrize("edition", ["1", "2"])
def test_moneylender_mine_and_throne_room_may_be_declined_in_the_second_edition(edition: str) -> None:
    state = play(one({"Throne Room": 1, "Moneylender": 1, "Mine": 1, "Copper": 3}, edition=edition), "Throne Room")
    assert ("play none twice" in named(state)) == (edition == "2")
    state = play(state, "Moneylender")
    if edition == "1":
        assert state[layout.COINS] == 3 + 3 + 1  # both times it must be, then the last Copper is played
        assert named(state) >= {"buy Duchy"}
    else:
        assert named(state) == {"trash Copper", "trash nothing"}
        state = play(state, "end", "Copper")
        assert (state[layout.COINS], hand(state, 0)) == (3 + 2, {"Mine": 1})


def test_a_feast_that_is_played_twice_is_trashed_once_and_gains_twice() -> None:
    state = play(one({"Throne Room": 1, "Feast": 1}), "Throne Room", "Feast", "Duchy", "Witch")
    assert reading.count_by_name(reading.zone(state, layout.TRASH)) == {"Feast": 1}
    assert discard(state, 0) == {"Duchy": 1, "Witch": 1}


def test_throne_rooms_on_throne_rooms_play_two_cards_twice_each() -> None:
    state = one({"Throne Room": 2, "Festival": 1, "Chancellor": 1})
    state = play(state, "Throne Room", "Throne Room", "Festival")
    assert (state[layout.ACTIONS], state[layout.COINS]) == (4, 4)
    state = play(state, "Chancellor", "end", "end")
    assert state[layout.COINS] == 4 + 2 * 2


def test_the_deepest_stack_fits() -> None:
    state = one({"Throne Room": 10, "Militia": 1, "Chapel": 10})
    state = play(state, *["Throne Room"] * 10)
    deepest = int(state[layout.DEPTH])
    assert deepest >= 9
    assert deepest + 3 <= layout.MAX_DEPTH  # of the last card: itself again, its Attack, its effect


def test_a_moat_is_shown_before_the_attack_does_anything() -> None:
    state = arranged([{"Witch": 1}, {"Moat": 1}, {"Copper": 1}], [{"Copper": 5}] * 3)
    state = play(state, "Witch")
    assert (GAME.current_player(state), named(state)) == (1, {"reveal Moat", "reveal nothing"})
    state = play(state, "Moat", draws=("Copper", "Copper"))
    assert (discard(state, 1), discard(state, 2)) == ({}, {"Curse": 1})
    assert hand(state, 1) == {"Moat": 1}
    declined = play(arranged([{"Witch": 1}, {"Moat": 1}], [{"Copper": 5}] * 2), "Witch", "end")
    assert discard(play(declined, draws=("Copper", "Copper")), 1) == {"Curse": 1}


def test_the_last_curse_goes_to_the_left_neighbour() -> None:
    state = arranged([{"Witch": 1}, {"Copper": 1}, {"Copper": 1}], [{"Copper": 5}] * 3)
    supply = reading.count_by_name(reading.supply(state)) | {"Curse": 1}
    fill_zone(state, layout.SUPPLY, supply)
    state = play(state, "Witch", draws=("Copper", "Copper"))
    assert (discard(state, 1), discard(state, 2)) == ({"Curse": 1}, {})
    assert state[layout.NUM_EMPTY] == 1


def test_a_spy_judges_every_deck_and_a_known_top_card_is_drawn_first() -> None:
    state = arranged([{"Spy": 1}, {"Copper": 1}], [{"Gold": 3}, {"Estate": 2}])
    state = play(state, "Spy", draws=("Gold", "Gold"))
    assert named(state) == {"discard Gold", "leave it on the deck"}
    state = play(state, "end", draws=("Estate",))
    asked = reading.decision(state)
    assert asked is not None
    assert (asked.seat, asked.victim) == (0, 1)
    state = play(state, "end")
    assert [cards.name(card) for card in reading.top_cards(state, 1)] == ["Estate"]


def test_a_library_draws_to_seven_and_discards_what_was_set_aside() -> None:
    state = one({"Library": 1, "Estate": 5}, {"Village": 1, "Duchy": 4})
    state = play(state, "Library", draws=("Village",))
    assert named(state) == {"set aside Village", "keep it"}
    state = play(state, "Village", draws=("Duchy", "Duchy"))
    assert (hand(state, 0), discard(state, 0)) == ({"Estate": 5, "Duchy": 2}, {"Village": 1})


def test_the_match_ends_with_the_province_pile_only_after_the_turn() -> None:
    state = one({"Festival": 1, "Gold": 4})
    fill_zone(state, layout.SUPPLY, reading.count_by_name(reading.supply(state)) | {"Province": 1})
    state = play(state, "Festival", "Province")
    assert GAME.current_player(state) == 0
    state = play(state, "end", draws=("Copper",) * 5)
    assert GAME.current_player(state) == TERMINAL
    assert GAME.metrics(state)[0]["end_provinces"] == 1.0


def test_any_three_empty_piles_end_the_match() -> None:
    state = one({"Festival": 1})
    fill_zone(state, layout.SUPPLY, reading.count_by_name(reading.supply(state)) | {"Moat": 1})
    state[layout.NUM_EMPTY] = 2
    state = play(state, "Festival", "Moat", "end", draws=("Copper",) * 5)
    assert GAME.is_terminal(state)
    assert GAME.metrics(state)[1]["end_piles"] == 1.0


def test_of_equal_points_fewer_turns_win() -> None:
    state = GAME.initial_state(GAME.options(turn_limit=2), 2)
    r, j = streams.new_stream(1, streams.ANALYSIS), np.zeros(1, np.int32)
    while not GAME.is_terminal(state):
        GAME.kernels().settle(state, r, j)
        if not GAME.is_terminal(state):
            state = GAME.apply(state, layout.END)
    assert GAME.ranks(state) == (1, 1)
    state[reading.seat_at(1) + layout.TURNS] -= 1
    assert GAME.ranks(state) == (2, 1)


def test_key_forgets_how_a_position_came_about() -> None:
    start = one({"Village": 2, "Council Room": 1, "Copper": 1}, {"Copper": 9})
    more = ("Copper",) * 5
    one_way = play(start, "Village", "Council Room", draws=("Copper",) * 6)
    other = play(start, "Village", draws=("Copper",))
    other = play(other, "Council Room", draws=more)
    assert GAME.key(one_way) == GAME.key(other)
    assert GAME.key(one_way) != GAME.key(play(start, "Village", draws=("Copper",)))


def test_every_card_has_a_text_and_every_effect_a_card() -> None:
    effects = {int(number) for number in cards.tables().columns["effect"]}
    assert effects == set(range(len(cards.EFFECTS)))
    assert all(card.text.endswith(".") for card in cards.table())
    assert len(ALL_KINGDOM) == 25


def test_a_deck_holds_as_many_known_cards_as_may_be_laid_on_it() -> None:
    rich = {"Council Room": 10, "Throne Room": 20, "Bureaucrat": 10}
    state = arranged([rich, {"Throne Room": 2, "Bureaucrat": 2, "Spy": 1}], [{}, {"Estate": 20}])
    state[layout.ACTIONS] = 20
    state = play(state, *("Throne Room", "Council Room") * 10, draws=("Estate",) * 20)
    state = play(state, *("Throne Room", "Bureaucrat", "Estate", "Estate") * 10, "end")
    assert [cards.name(card) for card in reading.top_cards(state, 0)] == ["Silver"] * 15  # five are in hand
    state = play(state, "Throne Room", "Throne Room", "Bureaucrat", "Bureaucrat")
    assert [cards.name(card) for card in reading.top_cards(state, 1)] == ["Silver"] * 4 + ["Estate"] * 20
    at, j = reading.seat_at(1), np.zeros(1, np.int32)
    tallies = state[at + layout.TALLIES : at + layout.SEAT].tolist()
    moves = GAME.kernels(mode="plain").moves
    while state[at + layout.NUM_TOP] < layout.MAX_TOP:
        moves.put_on_deck(state, at, cards.by_name()["Gold"].number, j)
    assert [cards.name(card) for card in reading.top_cards(state, 1)][:21] == ["Gold"] * 20 + ["Silver"]
    assert state[at + layout.TALLIES : at + layout.SEAT].tolist() == tallies


def test_no_match_has_more_decisions_than_the_rules_allow() -> None:
    state = one({"Cellar": 1, "Estate": 2})
    state[layout.PLIES] = GAME.traits.max_plies - 2
    state = play(state, "Cellar")
    assert GAME.current_player(state) == 0
    state = play(state, "Estate")
    assert GAME.is_terminal(state)
    assert GAME.scores(state) == (2, 0)
