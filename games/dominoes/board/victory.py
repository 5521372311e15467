"""A fan of the tiles that the winners laid last, the very last one in the middle."""

from __future__ import annotations

from collections.abc import Sequence

from games import victory
from games.dominoes import reading, tiles
from games.dominoes.board.symbols import definitions
from games.protocol import State
from games.svg import use

_MOST = 5


def picture(state: State, winners: Sequence[int]) -> str:
    """The fan at the end of a match; winners: seats."""
    pieces = [use(f"t{a}{b}", width=100, height=200) for a, b in _last(state, winners)]
    return victory.fan(pieces, (100, 200), winners=winners, step=9.5, radius=620, defs=definitions("".join(pieces)))


def _last(state: State, winners: Sequence[int]) -> list[tuple[int, int]]:
    """Tiles of the last round that winners laid, the last one first, then what they held."""
    laid = sorted(reading.row(state), key=lambda one: -one.turn)
    found = [(min(one.left, one.right), max(one.left, one.right)) for one in laid if one.seat in winners]
    hands = reading.last_hands(state)
    held = [tiles.TILES[index] for seat in winners for index in hands[seat]]
    return [(min(tile), max(tile)) for tile in [*found, *held]][:_MOST]
