"""Tiles drawn, in words."""

from __future__ import annotations

from collections.abc import Sequence

from games.carcassonne import reading
from games.carcassonne import state as layout
from games.carcassonne.board.picture import Tile
from games.protocol import Draw


def describe_draws(drawn: Sequence[Draw]) -> str:
    """Describe the tile drawn, and those drawn before it that fit nowhere."""
    *unfit, last = drawn
    if not last.after[layout.TILE]:
        return "; ".join(f"{_shown(one)}, which fits nowhere" for one in drawn)
    return "; ".join([_shown(last), *(f"before it {_inside(one)}, which fits nowhere" for one in unfit)])


def _shown(one: Draw) -> str:
    return Tile(reading.TABLES.letters[one.outcome], 0, 0).description


def _inside(one: Draw) -> str:
    words = _shown(one)
    return words[:1].lower() + words[1:]
