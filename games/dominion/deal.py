"""The luck of a Dominion match: how each deck is shuffled, and which kingdom is drawn."""

from __future__ import annotations

from games import rng as random_streams
from games.dominion import reading
from games.dominion import state as layout
from games.protocol import Rng, State

_KINGDOM, _DECK = 1, 2


class ShuffleDeal:
    """Every card, and every copy of it, has a place of its own in each shuffle of each seat.

    A deck is drawn in the order of these places, so decks that differ in a few cards are shuffled
    alike but for these. Nothing is remembered but the deck that is being drawn from.
    """

    def __init__(self, rng: Rng) -> None:
        """Advances rng."""
        self._seed = random_streams.next_u64(rng)
        self._decks: dict[int, tuple[int, list[int]]] = {}

    def draw(self, state: State) -> int:
        """The next card of the kingdom, or of the deck that is drawn from."""
        if state[layout.KIND] == layout.DRAW_KINGDOM:
            chosen = set(reading.piles(state))
            left = [card for card in reading.pool(state) if card not in chosen]
            return min(left, key=lambda card: random_streams.mix(self._seed, _KINGDOM, card))
        seat = int(state[layout.DRAWER])
        number = int(state[reading.seat_at(seat) + layout.SHUFFLES])
        left_in_deck = reading.seat_zone(state, seat, layout.DECK)
        if self._decks.get(seat, (0, []))[0] != number:
            places = [
                (random_streams.mix(self._seed, _DECK, seat, number, card, copy), card)
                for card, copies in left_in_deck.items()
                for copy in range(copies)
            ]
            self._decks[seat] = (number, [card for _, card in sorted(places, reverse=True)])
        return self._decks[seat][1].pop()
