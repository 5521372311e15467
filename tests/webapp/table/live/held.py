"""Tiles that others hold in a match of dominoes, and whether a text tells them."""

from __future__ import annotations

import json
from collections.abc import Collection

from games.dominoes import reading, tiles
from webapp.table.live import position_cache
from webapp.table.live.models import LiveMatch

FEWEST = 2
"""Tiles of a hand that are no accident in a text."""


def hands_of(match: LiveMatch, seat: int) -> list[str]:
    """The hand of a seat as it is and as it was dealt: as lists, in words, as a number."""
    state = position_cache.position_at(match).state
    now = reading.hand(state, seat) or ()
    laid = [turn.tile for turn in reading.turns(state) if turn.seat == seat and turn.tile is not None]
    found: list[str] = []
    for hand in (now, sorted([*now, *laid])):
        if len(hand) >= FEWEST:
            pairs = [list(tiles.TILES[tile]) for tile in hand]
            found += [json.dumps(pairs), json.dumps(pairs, separators=(",", ":"))]
            found.append(" ".join(tiles.name(tile) for tile in hand))
    dealt = sum(1 << tile for tile in (*now, *laid))
    return [*found, str(dealt)]


def told(match: LiveMatch, text: str, seats: Collection[int]) -> list[str]:
    """Hands that stand in a text, those of `seats` left out."""
    others = (seat for seat in range(match.num_seats) if seat not in seats)
    return [hand for seat in others for hand in hands_of(match, seat) if hand in text]
