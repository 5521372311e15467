"""Cards without draws: the next card is always the lowest one left, so that plies can be taken back."""

from __future__ import annotations

from typing import Any

from games.protocol import CHANCE, State
from games.toy import state as layout
from games.toy.game import Cards
from games.toy.secret import SecretCards


class Calm(Cards):
    """Cards come in their order."""

    id = "calm"
    label = "Calm cards"

    def initial_state(self, options: Any, num_seats: int) -> State:
        return self._settled(super().initial_state(options, num_seats))

    def apply(self, state: State, action: int) -> State:
        return self._settled(super().apply(state, action))

    def _settled(self, state: State) -> State:
        while self.current_player(state) == CHANCE:
            state = Cards.apply(self, state, self._next(state))
        return state

    def _next(self, state: State) -> int:
        return int(state[layout.POOL :].argmax()) + 1


class Patient(Calm, SecretCards):
    """Seat 0 plays all plies; the secret cards are the highest ones, so that the next one is never in doubt."""

    id = "patient"
    label = "Patient cards"
    is_secret = True
    traits = SecretCards.traits

    def apply(self, state: State, action: int) -> State:
        after = super().apply(state, action)
        after[layout.PLAYER] = 0
        return after

    def _next(self, state: State) -> int:
        if state[layout.DEALT] == state[layout.NUM_SEATS]:
            return super()._next(state)
        return int(layout.MAX_CARDS - state[layout.POOL :][::-1].argmax())


class Doubtful(Patient):
    """The secret cards are the lowest ones: what comes next tells something of them."""

    id = "doubtful"
    label = "Doubtful cards"

    def _next(self, state: State) -> int:
        return Calm._next(self, state)
