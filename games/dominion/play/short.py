"""The card of a move, for lists: its picture, and where it is on the board."""

from __future__ import annotations

from games.dominion import cards
from games.dominion.board.small import small_svg
from games.protocol import Piece


def piece_of(notation: str) -> Piece | None:
    """The card of a move; None where it names none. notation: ``buy Silver``, ``throne room Smithy``."""
    words = notation.split(" ")
    for start in range(1, len(words)):
        card = cards.by_name().get(" ".join(words[start:]))
        if card is not None:
            spots = ("table", "pile", "aside-card", "loot-card")
            return Piece(small_svg(card.number), tuple(f"{spot}-{card.number}" for spot in spots))
    return None
