"""Hands dealt, in words."""

from __future__ import annotations

from collections.abc import Sequence

from games.dominoes import reading, tiles
from games.dominoes import state as layout
from games.protocol import Draw


def describe_draws(drawn: Sequence[Draw]) -> str:
    """``by lot orange opens; hands of round 1: blue 0-0 0-1 ...``: the lot, and every hand that is dealt now."""
    said = [f"by lot {reading.COLOURS[one.outcome]} opens" for one in drawn if one.before[layout.TO_DRAW]]
    after = drawn[-1].after
    if after[layout.NUM_DEALT] == layout.MAX_SEATS:
        hands = [f"{reading.COLOURS[seat]} {_listed(reading.hand(after, seat) or ())}" for seat in reading.SEATS]
        said.append(f"hands of round {int(after[layout.ROUND])}: {'; '.join(hands)}")
    return "; ".join(said) or "the hands dealt ended the round at once"


def _listed(hand: Sequence[int]) -> str:
    return " ".join(tiles.name(tile).replace("-", "\N{NON-BREAKING HYPHEN}") for tile in hand)
