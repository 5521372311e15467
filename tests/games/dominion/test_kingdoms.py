"""Which cards have a pile, how many each has, and what bad lists are told."""

from __future__ import annotations

from typing import Any

import pytest

from games import options as option_tools
from games import rng as streams
from games.dominion import cards, kingdoms, reading
from games.options import OptionError
from games.protocol import CHANCE, State
from tests.games.dominion.tables import GAME
from tests.looping import looped


def begin(seats: int = 2, seed: int = 1, **options: Any) -> State:
    """A match before its first decision."""
    chosen = option_tools.from_json(GAME.options, options)
    state, deal = GAME.initial_state(chosen, seats), GAME.deal(chosen, seats, streams.new_stream(seed, streams.DEAL))
    while GAME.current_player(state) == CHANCE:
        state = GAME.apply(state, deal.draw(state))
    return state


@looped(
    "seats, sizes, expected",
    [
        (1, "official", (53, 40, 30, 8, 10, 8, 10)),
        (2, "official", (46, 40, 30, 8, 10, 8, 10)),
        (3, "official", (39, 40, 30, 12, 20, 12, 10)),
        (4, "official", (32, 40, 30, 12, 30, 12, 10)),
        (2, "thesis", (44, 30, 20, 8, 10, 8, 10)),
    ],
)
def test_piles_have_the_sizes_of_the_rule_book(seats: int, sizes: str, expected: tuple[int, ...]) -> None:
    supply = reading.count_by_name(reading.supply(begin(seats, sizes=sizes)))
    names = ("Copper", "Silver", "Gold", "Province", "Curse", "Gardens", "Village")
    assert tuple(supply[name] for name in names) == expected
    assert len(supply) == 17


def test_everybody_begins_with_seven_coppers_and_three_estates() -> None:
    state = begin(4)
    for seat in range(4):
        assert reading.count_by_name(reading.owned_cards(state, seat)) == {"Copper": 7, "Estate": 3}
        assert (
            reading.hand_size(state, seat) + sum(reading.zone(state, reading.layout.PLAYED).values()) * (seat == 0) == 5
        )
    assert GAME.scores(state) == (3, 3, 3, 3)


def test_a_numbered_kingdom_is_known_before_the_match_and_always_the_same() -> None:
    one, again, other = (
        begin(seed=seed, kingdom="random", kingdom_seed=number) for seed, number in ((1, 7), (2, 7), (1, 8))
    )
    assert reading.kingdom(one) == reading.kingdom(again) != reading.kingdom(other)
    assert len(reading.kingdom(one)) == kingdoms.SIZE
    start = GAME.initial_state(GAME.options(kingdom="random", kingdom_seed=7), 2)
    assert reading.kingdom(start) == reading.kingdom(one)


def test_a_random_kingdom_is_part_of_the_deal() -> None:
    drawn = {tuple(reading.kingdom(begin(seed=seed, kingdom="random"))) for seed in (1, 2, 3, 1)}
    assert len(drawn) == 3
    assert {len(kingdom) for kingdom in drawn} == {kingdoms.SIZE}


@pytest.mark.parametrize("number", [0, 3])
def test_random_kingdoms_of_the_second_edition_have_its_cards_alone(number: int) -> None:
    gone = {card.name for card in cards.kingdom_cards() if 2 not in card.editions}
    assert gone == {"Woodcutter", "Chancellor", "Feast", "Spy", "Thief", "Adventurer"}
    for seed in range(6):
        seed_of_kingdom = number + seed if number else 0
        state = begin(seed=seed, kingdom="random", kingdom_seed=seed_of_kingdom, edition="2")
        assert not gone & set(reading.kingdom(state))


@looped("name", sorted(cards.sets()))
def test_named_kingdoms_are_laid_out(name: str) -> None:
    assert sorted(reading.kingdom(begin(kingdom=name))) == sorted(cards.sets()[name])


def test_a_list_of_cards_is_read_whatever_its_spelling() -> None:
    state = begin(kingdom="cards", cards=" witch, THRONE ROOM ,Moat,")
    assert reading.kingdom(state) == ["Moat", "Throne Room", "Witch"]


@looped(
    "field, options, message",
    [
        (
            "cards",
            {"kingdom": "cards", "cards": "Wich"},
            "must be kingdom cards separated by .*, not 'Wich'; known: Advent",
        ),
        ("cards", {"kingdom": "cards", "cards": "Copper"}, "not 'Copper'"),
        ("cards", {"kingdom": "cards", "cards": "Moat, moat"}, "each card once"),
        ("cards", {"cards": "Moat"}, "must be empty where the kingdom is 'thesis'"),
        ("kingdom_seed", {"kingdom_seed": 7}, "must be 0 where the kingdom is 'thesis'"),
        ("woodcutter_coins", {"kingdom": "none", "woodcutter_coins": 5}, "no Woodcutter is in the kingdom"),
    ],
)
def test_what_a_kingdom_cannot_have_is_refused_by_name(field: str, options: dict[str, Any], message: str) -> None:
    chosen = option_tools.from_json(GAME.options, options)
    for refusing in (GAME.check, GAME.initial_state):
        with pytest.raises(OptionError, match=message) as caught:
            refusing(chosen, 2)
        assert caught.value.field == field
