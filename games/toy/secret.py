"""Secret cards: the same rules with hidden information."""

from __future__ import annotations

from games.protocol import Event, State, Traits
from games.toy import state as layout
from games.toy.game import Cards


class SecretCards(Cards):
    """Every seat has a card that only it sees."""

    id = "toy_secret"
    label = "Secret cards"
    is_secret = True
    traits = Traits(
        min_seats=2,
        max_seats=layout.MAX_SEATS,
        has_chance=True,
        chance_is_listable=True,
        has_hidden_information=True,
        has_teams=False,
        max_legal_actions=layout.MAX_ACTIONS,
        max_plies=layout.MAX_CARDS - 2,  # two secret cards at least
    )

    def open_features(self, state: State) -> tuple[Event, ...]:
        """The secret cards that this state knows."""
        if self.is_terminal(state):
            return ()
        secrets = enumerate(self._of_seats(state, layout.SECRET))
        return tuple(Event("secret card", card, (seat,)) for seat, card in secrets if card > 0)
