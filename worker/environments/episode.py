"""One match as environments play it: luck by the game's law from one stream, actions number by number."""

from __future__ import annotations

import numpy as np

from games import rng
from games.protocol import CHANCE, TERMINAL, IllegalActionError, State
from worker.environments import rewards
from worker.environments.encoder import WHOLE, Encoder, Mask, Observation
from worker.environments.setup import Setup

_NO_JOURNAL = np.ones(1, np.int32)


class Episode:
    """A match from its deal to its end, and from there the next one.

    deal: the stream that chance draws from as it goes, one match after the other; it never sees what seats do.
    state: the true one; player: seat on turn or TERMINAL; mask: of what it may do.
    """

    def __init__(self, setup: Setup, mode: str | None = None) -> None:
        self.setup = setup
        self.encoder = Encoder(setup, mode)
        self._rules = setup.game.kernels(mode=mode)
        self._reward = rewards.REWARDS[setup.reward]
        self._start = setup.game.initial_state(setup.rules, setup.seats)
        self.state: State = self._start
        self.deal = rng.new_stream(0, rng.DEAL)
        self.player, self.chosen, self.plies = TERMINAL, WHOLE, 0
        self.mask: Mask = np.zeros(setup.encoding.num_actions, np.int8)

    def seed(self, seed: int) -> None:
        """Draw the luck of all matches from now on by this seed."""
        rng.stream(self.deal, seed, rng.DEAL)

    def begin(self) -> None:
        """Deal a match in which somebody is asked: one that is over with its deal is dealt again."""
        self.player = TERMINAL
        while self.player == TERMINAL:
            self.state = self._start.copy()
            self._settle()
        self.plies = 0
        self._ask(WHOLE)

    def _settle(self) -> None:
        """Draw what chance decides now, until a seat is on turn or the match is over."""
        rules = self._rules
        while (player := int(rules.current_player(self.state))) == CHANCE:
            if hasattr(rules, "settle"):
                rules.settle(self.state, self.deal, _NO_JOURNAL)
            else:
                rules.apply(self.state, int(rules.sample_chance(self.state, self.deal)), _NO_JOURNAL)
        self.player = player

    def _ask(self, chosen: int) -> None:
        self.chosen = chosen
        if self.player == TERMINAL:
            self.mask = np.zeros(self.setup.encoding.num_actions, np.int8)
        else:
            self.mask = self.encoder.mask(self.state, chosen)

    def observe(self, seat: int) -> Observation:
        """What a seat may know now."""
        return self.encoder.observe(self.state, seat, self.chosen if seat == self.player else WHOLE)

    def is_legal(self, number: int) -> bool:
        """Whether the seat on turn may give this number; any whole number can be asked about."""
        return 0 <= number < len(self.mask) and bool(self.mask[number])

    def take(self, number: int) -> tuple[float, ...]:
        """Give a number for the seat on turn; return the rewards of all seats. Raises IllegalActionError."""
        if not self.is_legal(number):
            raise IllegalActionError(f"{number} is not legal: ask the mask of what may be done")
        action = self.encoder.action(self.state, self.chosen, number)
        if action is None:
            self._ask(number)
            return (0.0,) * self.setup.seats
        return self.play(action)

    def play(self, action: int) -> tuple[float, ...]:
        """Play the game's own action; return the rewards of all seats. Raises IllegalActionError."""
        game = self.setup.game
        before = game.scores(self.state)
        self.state = game.apply(self.state, action)
        self._settle()
        self.plies += 1
        self._ask(WHOLE)
        return self._reward(game, self.state, before)


def new_seed(generator: np.random.Generator) -> int:
    """A seed below 2^63."""
    return int(generator.integers(2**63 - 1))
