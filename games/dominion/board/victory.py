"""A fan of the dearest cards in the winners' decks."""

from __future__ import annotations

from collections.abc import Sequence

from games import victory
from games.dominion import cards, reading
from games.dominion.board.symbols import CARD, CSS, definitions
from games.protocol import State
from games.svg import use

_MOST = 5


def picture(state: State, winners: Sequence[int]) -> str:
    """The fan at the end of a match; winners: seats."""
    pieces = [use(f"{CARD.key}{number}") for number in _dearest(state, winners)]
    return victory.fan(
        pieces,
        (CARD.width, CARD.height),
        winners=winners,
        step=7,
        radius=880,
        defs=definitions("".join(pieces)),
        css=CSS,
    )


def _dearest(state: State, winners: Sequence[int]) -> list[int]:
    """Kinds of cards that winners own, the dearest first; of equal cost those that give victory points."""
    owned = {number for seat in winners for number in reading.owned_cards(state, seat)}

    def rank(number: int) -> tuple[int, int, int]:
        card = cards.table()[number]
        return -card.cost, -int(card.gives.get("vp", 0)), number

    return sorted(owned, key=rank)[:_MOST]
