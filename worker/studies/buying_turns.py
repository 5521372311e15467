"""One player buys a card a turn: how many ways there are, equal positions of Dominion looked at once.

Without kingdom cards, and with all Treasure cards played, a position before a turn is what one owns
and how much of it still lies in the deck; the rest is the discard pile. It is written as one whole
number: a field of bits for each kind of card owned, the same for the deck below it. How many ways
lead to a position is a whole number of any size.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from games.dominion import cards

SEATS = 1
HAND = 5
FIELD = 6
"""Bits of a count: fewer than 64 of each kind, and 60 Coppers are the most."""
NAMES = tuple(card.name for card in cards.table() if not card.is_kingdom and "Curse" not in card.types)
"""Kinds of cards that may be bought, in the order of their fields."""
DECK_BITS = FIELD * len(NAMES)
DECK = (1 << DECK_BITS) - 1
"""Picks the deck out of a position."""
COINS = 4
"""Bits of the coins of a hand, which stand above its deck: at most 15."""
MAX_KEPT = 50_000
"""Decks of which the possible hands are remembered."""

Position = int
Ways = Mapping[Position, int]
"""Number of ways that lead to each position."""


@dataclass(frozen=True)
class Turn:
    """Nodes of one turn of the tree: hands drawn, and cards or nothing bought. positions: different ones before it."""

    draws: int
    buys: int
    positions: int


@dataclass(frozen=True)
class Kind:
    """One kind of card. one: a single card in a zone; field: its bits there; all: every card that there is."""

    name: str
    cost: int
    coins: int
    one: int
    field: int
    all: int


@cache
def kinds() -> tuple[Kind, ...]:
    """The kinds in the order of `NAMES`; piles of one player, as `games.dominion` has them."""
    piles, own = cards.pile_sizes("official")[SEATS - 1], cards.start_deck()
    rows = [cards.by_name()[name] for name in NAMES]
    return tuple(
        Kind(
            card.name,
            card.cost,
            card.gives.get("value", 0),
            1 << FIELD * place,
            (1 << FIELD) - 1 << FIELD * place,
            int(piles[card.number]) + own.get(card.number, 0) << FIELD * place,
        )
        for place, card in enumerate(rows)
    )


def start() -> Position:
    """Before the first turn: all cards in the deck."""
    own = cards.start_deck()
    zone = sum(own.get(cards.by_name()[kind.name].number, 0) * kind.one for kind in kinds())
    return zone << DECK_BITS | zone


def turn(ways: Ways) -> tuple[Turn, dict[Position, int]]:
    """One turn from every position: its nodes, and the ways to the positions after it.

    A hand counts once whatever the order of its cards; a shuffle comes only where the deck is short.
    """
    hands: dict[int, int] = defaultdict(int)
    draws = 0
    for position, times in ways.items():
        if is_over(position):
            continue
        rest, coins, drawn = _to_draw_from(position)
        draws += times * len(drawn)
        owned = position >> DECK_BITS << DECK_BITS + COINS
        for zone, worth in drawn:
            hands[owned | (worth + coins) << DECK_BITS | rest - zone] += times
    following: dict[Position, int] = defaultdict(int)
    buys = 0
    for hand, times in hands.items():
        owned, deck = hand >> DECK_BITS + COINS, hand & DECK
        bought = affordable(hand >> DECK_BITS & (1 << COINS) - 1, owned)
        buys += times * (1 + len(bought))
        passed = owned << DECK_BITS | deck
        following[passed] += times
        for one in bought:
            following[passed + (one << DECK_BITS)] += times
    return Turn(draws, buys, len(ways)), dict(following)


def is_over(position: Position) -> bool:
    """Whether the last Province, or the last card of a third pile, is gone."""
    owned = position >> DECK_BITS
    empty = [kind.name for kind in kinds() if owned & kind.field == kind.all]
    return "Province" in empty or len(empty) > 2


def affordable(coins: int, owned: int) -> list[int]:
    """Cards that may be bought (buying nothing aside), each as a zone of one card."""
    return [kind.one for kind in _costing_at_most(coins) if owned & kind.field != kind.all]


def hands(zone: int) -> tuple[tuple[int, int], ...]:
    """Every hand that a full deck may give: (zone, coins)."""
    return _drawn(zone, HAND)


def count_cards(zone: int) -> dict[str, int]:
    """Cards of a zone by name, those that it holds."""
    return {kind.name: number for kind in kinds() if (number := _of(zone, kind))}


@cache
def _costing_at_most(coins: int) -> tuple[Kind, ...]:
    return tuple(kind for kind in kinds() if kind.cost <= coins)


def _of(zone: int, kind: Kind) -> int:
    return (zone & kind.field) // kind.one


def _to_draw_from(position: Position) -> tuple[int, int, tuple[tuple[int, int], ...]]:
    """Cards to draw from, coins of those that come without choice, and what may be drawn (zone, coins).

    A deck that is short is taken whole, and the discard pile becomes the deck.
    """
    owned, deck = position >> DECK_BITS, position & DECK
    size, coins = _size_and_coins(deck)
    if size >= HAND:
        return deck, 0, _drawn(deck, HAND)
    pile = owned - deck
    return pile, coins, _drawn(pile, min(HAND - size, _size_and_coins(pile)[0]))


@lru_cache(MAX_KEPT)
def _size_and_coins(zone: int) -> tuple[int, int]:
    counts = [(_of(zone, kind), kind.coins) for kind in kinds()]
    return sum(number for number, _ in counts), sum(number * coins for number, coins in counts)


@lru_cache(MAX_KEPT)
def _drawn(zone: int, number: int) -> tuple[tuple[int, int], ...]:
    """Every multiset of a number of cards of a zone: (zone, coins)."""
    found = [(0, 0, number)]
    for kind in kinds():
        held = _of(zone, kind)
        found = [
            (taken + n * kind.one, coins + n * kind.coins, left - n)
            for taken, coins, left in found
            for n in range(min(held, left) + 1)
        ]
    return tuple((taken, coins) for taken, coins, left in found if left == 0)
