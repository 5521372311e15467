"""Random matches on the real game and on the slow reference agree decision by decision."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.dominion import cards, reading
from tests.games.dominion import reference
from tests.games.dominion.tables import ALL_KINGDOM, GAME, Tables, sit_down, standing
from tests.looping import looped

VARIANTS: list[tuple[int, dict[str, Any]]] = [
    (2, {}),
    (3, {"edition": 2}),
    (4, {"by_hand": True}),
    (1, {"curse_buys": True}),
    (2, {"edition": 2, "by_hand": True, "curse_buys": True}),
    (3, {}),
]
LIMIT = 14


def play_both(rng: random.Random, seats: int, kingdom: tuple[str, ...], **rules: Any) -> Tables:
    """A random match, compared before every decision and at the end."""
    tables = sit_down(rng, seats, kingdom, **rules)
    while tables.question is not None:
        seen, wanted = standing(tables)
        assert seen == wanted
        # cards that cost little do most of what can go wrong
        options = sorted(tables.question.options)
        interesting = [name for name in options if name not in ("end", "Copper", "Curse")]
        tables.answer(rng.choice(interesting if interesting and rng.random() < 0.7 else options))
    assert tables.slow.is_over
    assert GAME.is_terminal(tables.state)
    assert GAME.scores(tables.state) == tuple(tables.slow.points(seat) for seat in range(seats))
    return tables


def some_kingdom(rng: random.Random) -> tuple[str, ...]:
    return tuple(rng.sample(ALL_KINGDOM, 10))


@looped("seats, rules", VARIANTS)
def test_random_match_of_random_kingdom_agrees(seats: int, rules: dict[str, Any]) -> None:
    rng = random.Random(seats)
    for _ in range(3):
        play_both(rng, seats, some_kingdom(rng), limit=LIMIT, **rules)


def test_random_match_with_all_cards_agrees() -> None:
    play_both(random.Random(5), 3, ALL_KINGDOM, limit=40)


def test_random_match_of_the_test_bed_agrees_to_its_end() -> None:
    tables = play_both(random.Random(6), 2, reference.TEST_BED)
    assert tables.slow.supply["Province"] == 0 or list(tables.slow.supply.values()).count(0) >= 3


ATTACKED = (
    "Throne Room",
    "Bureaucrat",
    "Militia",
    "Spy",
    "Thief",
    "Moat",
    "Library",
    "Council Room",
    "Village",
    "Witch",
)
SHARED = (
    "Throne Room",
    "Feast",
    "Cellar",
    "Chapel",
    "Mine",
    "Adventurer",
    "Chancellor",
    "Workshop",
    "Remodel",
    "Festival",
)


@pytest.mark.parametrize("kingdom", [ATTACKED, SHARED])
def test_cards_that_are_played_twice_and_meet_others_agree(kingdom: tuple[str, ...]) -> None:
    for seed in range(3):
        play_both(random.Random(seed), 2 + seed, kingdom, limit=25, edition=1 + seed % 2)


@pytest.mark.slow
@looped("seed", range(40))
def test_many_random_matches_agree(seed: int) -> None:
    rng = random.Random(1000 + seed)
    seats, rules = VARIANTS[seed % len(VARIANTS)]
    for kingdom in (some_kingdom(rng), ATTACKED, SHARED):
        play_both(rng, seats, kingdom, limit=30, **rules)


def test_what_a_match_leaves_is_what_the_reference_owns() -> None:
    tables = play_both(random.Random(8), 3, reference.TEST_BED, limit=30)
    for seat, values in enumerate(GAME.metrics(tables.state)):
        own = tables.slow.owned(seat)
        assert reading.owned_cards(tables.state, seat) == {cards.by_name()[name].number: n for name, n in own.items()}
        assert values["owned"] == own.total()
        assert values["points_gardens"] == own["Gardens"] * (own.total() // 10)
        for name in ("Copper", "Province", "Witch"):
            assert values[f"deck_{name.lower()}"] == own[name]
        points = [values[f"points_{name.lower()}"] for name in (*reference.GREEN, "Curse")]
        assert sum(points) == tables.slow.points(seat)


def test_the_table_of_cards_agrees() -> None:
    assert {card.name: card.cost for card in cards.table()} == reference.COSTS
    for card in cards.table():
        gives = tuple(card.gives.get(key, 0) for key in ("cards", "actions", "buys", "coins"))
        assert gives == reference.GIVES.get(card.name, (0, 0, 0, 0))
        assert ("Action" in card.types) == reference.is_action(card.name)
        assert ("Attack" in card.types) == (card.name in reference.ATTACKS)
        assert card.gives.get("value", 0) == reference.TREASURES.get(card.name, 0)


def test_rate_counts_whole_matches() -> None:
    assert reference.rate(0.01) > 0
