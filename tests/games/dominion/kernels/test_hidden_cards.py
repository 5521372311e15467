"""What a seat may know of the other hands, and what is made of the rest."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from games import rng as streams
from games.dominion import cards, reading
from games.dominion import state as layout
from games.protocol import State
from tests import chances
from tests.games.dominion.tables import GAME, arranged, fill_zone, hand, play

LEVEL = 1e-6
"""A chi-square test with a fixed seed fails a right game with this chance, once and for all."""


def known(state: State, looking: int, seat: int) -> dict[str, int]:
    """What `looking` sees of a hand."""
    return hand(GAME.view(state, looking), seat)


def redrawn(state: State, looking: int, times: int = 20) -> list[State]:
    view = GAME.view(state, looking)
    return [GAME.determinize(view, streams.new_stream(k, streams.SEARCH)) for k in range(times)]


def two(hand_0: dict[str, int], hand_1: dict[str, int], deck_1: dict[str, int], **options: Any) -> State:
    deck_0 = {"Copper": 5, "Silver": 4}
    return arranged([hand_0, hand_1], [deck_0, deck_1], **options)


def test_another_hand_is_a_number_and_its_cards_are_somewhere_in_the_deck() -> None:
    state = two({"Village": 1}, {"Gold": 2, "Curse": 1}, {"Copper": 4, "Curse": 1})
    view = GAME.view(state, 0)
    assert known(state, 0, 1) == {}
    assert reading.hidden(view, 1) == reading.hand_size(view, 1) == 3
    assert reading.count_by_name(reading.seat_zone(view, 1, layout.DECK)) == {"Copper": 4, "Gold": 2, "Curse": 2}
    assert reading.deck_size(view, 1) == 5
    assert known(state, 1, 1) == {"Gold": 2, "Curse": 1}
    assert {known(state, -1, seat) == {} for seat in (0, 1)} == {True}


def test_redrawn_hands_have_the_chances_of_cards_drawn_at_random() -> None:
    state = two({"Village": 1}, {"Gold": 1, "Copper": 1}, {"Copper": 3, "Gold": 1})
    counts = Counter(hand(full, 1).get("Gold", 0) for full in redrawn(state, 0, 3000))
    # two of six cards, two of which are Gold: 6, 8 and 1 of 15 pairs have 0, 1 and 2
    assert chances.of_counts([counts[k] for k in range(3)], [3000 * n / 15 for n in (6, 8, 1)]) > LEVEL


def test_determinize_of_kernels_redraws_a_whole_state_in_place() -> None:
    state = two({"Village": 1}, {"Gold": 5}, {"Copper": 5})
    rules, r = GAME.kernels(), streams.new_stream(1, streams.SEARCH)
    full, hands = state.copy(), set()
    for _ in range(10):
        rules.determinize(full, 0, r)
        hands.add(hand(full, 1).get("Gold", 0))
        assert hand(full, 0) == {"Village": 1}
        assert GAME.view(full, 0).tobytes() == GAME.view(state, 0).tobytes()
    assert len(hands) > 2


def test_a_hand_without_victory_cards_that_a_bureaucrat_saw_is_known_until_it_changes() -> None:
    state = play(two({"Bureaucrat": 1}, {"Gold": 2, "Moat": 1}, {"Copper": 5}), "Bureaucrat", "Moat")
    assert known(state, 0, 1) == {"Moat": 1}  # shown for its reaction: the rest stays hidden
    state = play(two({"Bureaucrat": 1}, {"Gold": 2, "Witch": 1}, {"Copper": 5}), "Bureaucrat")
    assert known(state, 0, 1) == {"Gold": 2, "Witch": 1}
    assert reading.hidden(GAME.view(state, 0), 1) == 0
    state = play(state, "end", draws=("Copper",) * 4)  # with the Silver on top seat 0 draws four unknown cards
    assert known(state, 0, 1) == {"Gold": 2, "Witch": 1}
    assert known(state, 1, 0) == {"Silver": 1}
    state = play(state, "Witch", draws=("Copper", "Copper"))
    assert known(state, 0, 1) == {}  # the Gold is played of itself, the Witch too


def test_cards_gained_or_dug_up_in_sight_are_known_in_hand() -> None:
    state = play(
        two({"Mine": 1, "Silver": 1}, {"Copper": 1}, {"Copper": 5}, treasures="manual"), "Mine", "Silver", "Gold"
    )
    assert known(state, 1, 0) == {"Gold": 1}
    state = two({"Adventurer": 1, "Estate": 1}, {"Copper": 1}, {"Copper": 5}, treasures="manual")
    state = play(state, "Adventurer", draws=("Silver", "Copper"))
    assert known(state, 1, 0) == {"Copper": 1, "Silver": 1}
    state = play(state, "Silver")
    assert known(state, 1, 0) == {"Copper": 1}


def test_only_its_owner_sees_the_card_that_a_library_asks_about() -> None:
    start = two({"Library": 1, "Estate": 2}, {"Copper": 1}, {"Copper": 5})
    fill = cards.by_name()["Village"].number
    at = reading.seat_at(0) + layout.DECK + fill // layout.PER_WORD
    start[at] += 2 << 8 * (fill % layout.PER_WORD)
    start[reading.seat_at(0) + layout.DECK_SIZE] += 2
    state = play(start, "Library", draws=("Village",))
    asked = reading.decision(state)
    assert asked is not None
    assert (asked.name, asked.about) == ("library", fill)
    assert GAME.view(state, 0).tobytes() != GAME.view(state, 1).tobytes()
    seen = reading.decision(GAME.view(state, 1))
    assert seen is not None
    assert seen.about is None
    for full in redrawn(state, 1):
        about = reading.decision(full)
        assert about is not None
        assert about.about == fill  # the only Action card that it may be
        assert hand(full, 0)["Village"] >= 1


def test_a_card_that_all_know_on_top_is_no_secret_when_a_library_draws_it() -> None:
    start = two({"Spy": 1, "Library": 1, "Village": 1, "Estate": 2}, {"Copper": 1}, {"Copper": 5})
    fill_zone(start, reading.seat_at(0) + layout.DECK, {"Copper": 5, "Village": 1, "Moat": 1})
    start[reading.seat_at(0) + layout.DECK_SIZE] = 7
    state = play(start, "Spy", "end", "end", "Library", draws=("Copper", "Village", "Copper"))
    village = cards.by_name()["Village"].number
    for looking in (-1, 0, 1):
        for full in (GAME.view(state, looking), *redrawn(state, looking)):
            asked = reading.decision(full)
            assert asked is not None
            assert (asked.name, asked.about) == ("library", village)
            assert GAME.legal_actions(full).tolist() == [village, layout.END]
            assert GAME.view(full, looking).tobytes() == GAME.view(state, looking).tobytes()
    for full in redrawn(state, 1):
        assert sum(hand(full, 0).values()) == reading.hand_size(full, 0) == 5
    assert known(play(state, "end", draws=("Copper",)), 1, 0) == {"Village": 1}
    assert known(play(state, "Village", draws=("Copper",)), 1, 0) == {}


def test_setting_a_drawn_card_aside_leaves_one_like_it_that_all_know_in_hand() -> None:
    state = two({"Library": 1, "Village": 1, "Estate": 1}, {"Copper": 1}, {"Copper": 5})
    at = reading.seat_at(0)
    fill_zone(state, at + layout.SHOWN, {"Village": 1})
    fill_zone(state, at + layout.DECK, {"Copper": 5, "Village": 1})
    state[at + layout.DECK_SIZE] = 6
    state = play(state, "Library", "Village", draws=("Village", "Copper"))
    assert known(state, 1, 0) == {"Village": 1}


def test_a_seat_that_is_asked_holds_something_to_choose() -> None:
    deck = {"Copper": 8, "Duchy": 1, "Estate": 1}
    state = play(two({"Bureaucrat": 1}, {"Duchy": 1, "Copper": 4}, deck), "Bureaucrat")
    assert GAME.current_player(state) == 1
    for full in redrawn(state, 0):
        assert len(GAME.legal_actions(full)) >= 1
        assert GAME.view(full, 0).tobytes() == GAME.view(state, 0).tobytes()


def test_nobody_keeps_treasures_that_are_played_of_themselves() -> None:
    state = play(two({"Copper": 3, "Estate": 2, "Village": 1}, {"Copper": 1}, {"Copper": 5}), "end")
    assert GAME.current_player(state) == 0
    assert reading.decision(state).kind == layout.BUY  # type: ignore[union-attr]
    for full in redrawn(state, 1):
        assert not {"Copper", "Silver"} & set(hand(full, 0))


def test_the_known_top_of_a_deck_is_no_secret_and_comes_first() -> None:
    state = play(two({"Bureaucrat": 1}, {"Estate": 1, "Copper": 4}, {"Gold": 5}), "Bureaucrat", "Estate")
    for looking in (0, 1, -1):
        view = GAME.view(state, looking)
        assert [cards.name(card) for card in reading.top_cards(view, 1)] == ["Estate"]
        assert [cards.name(card) for card in reading.top_cards(view, 0)] == ["Silver"]
    state = play(state, "end", draws=("Copper",) * 4)
    assert hand(state, 0) == {"Copper": 4, "Silver": 1}


@pytest.mark.parametrize("seats", [1, 3])
def test_all_is_open_when_the_match_is_over(seats: int) -> None:
    state = GAME.initial_state(GAME.options(turn_limit=1), seats)
    r, j = streams.new_stream(1, streams.ANALYSIS), np.zeros(1, np.int32)
    while not GAME.is_terminal(state):
        GAME.kernels().settle(state, r, j)
        if not GAME.is_terminal(state):
            state = GAME.apply(state, layout.END)
    assert all(GAME.view(state, seat).tobytes() == state.tobytes() for seat in (-1, *range(seats)))
