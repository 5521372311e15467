"""Kingdoms of a match: options to card numbers."""

from __future__ import annotations

from games import rng
from games.dominion import cards
from games.options import OptionError

RANDOM, LISTED = "random", "cards"
SIZE = 10
"""Cards of a random kingdom."""


def parse_cards(text: str) -> list[int]:
    """Card numbers of a list of names with commas between. Raises OptionError for the option `cards`."""
    by_name = {name.lower(): card for name, card in cards.by_name().items() if card.is_kingdom}
    numbers = []
    for name in filter(None, (part.strip() for part in text.split(","))):
        if name.lower() not in by_name:
            known = ", ".join(sorted(card.name for card in by_name.values()))
            raise OptionError("cards", f"must be kingdom cards separated by commas, not {name!r}; known: {known}")
        numbers.append(by_name[name.lower()].number)
    if len(set(numbers)) != len(numbers):
        raise OptionError("cards", "must name each card once")
    return sorted(numbers)


def random_kingdom(seed: int, edition: int) -> list[int]:
    """The random kingdom of a number: the same for everybody who asks for it."""
    bits = cards.pool(edition)
    pool = [number for number in range(cards.NUM_CARDS) if bits >> number & 1]
    return sorted(sorted(pool, key=lambda number: rng.mix(seed, number))[:SIZE])


def resolve_kingdom(kingdom: str, names: str, seed: int, edition: int) -> tuple[list[int], int]:
    """(cards known before the match, how many chance still draws). Raises OptionError."""
    if names.strip() and kingdom != LISTED:
        raise OptionError("cards", f"must be empty where the kingdom is {kingdom!r}")
    if seed and kingdom != RANDOM:
        raise OptionError("kingdom_seed", f"must be 0 where the kingdom is {kingdom!r}")
    if kingdom == LISTED:
        return parse_cards(names), 0
    if kingdom == RANDOM:
        return (random_kingdom(seed, edition), 0) if seed else ([], SIZE)
    return sorted(cards.by_name()[name].number for name in cards.sets()[kingdom]), 0
