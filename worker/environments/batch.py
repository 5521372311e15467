"""Thousands of matches of one game, stepped at once by one compiled call."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engines.policy_numbers import policy_number
from games import loader, rng
from games.protocol import IllegalActionError
from worker.environments import encoder
from worker.environments.kernel_arguments import Matches, Terms
from worker.environments.rewards import REWARDS
from worker.environments.setup import Setup

TEMPLATE = Path(__file__).parent / "kernels" / "batch.py"
ARGUMENTS = Path(__file__).parent / "kernel_arguments.py"
CALLER = None
"""In place of a policy: the caller plays the seat."""


def _load(setup: Setup, journal: bool) -> ModuleType:
    """The kernels over the rules of a game and its encoding."""
    game, encoding = setup.game, setup.encoding
    mode = "jit"
    names = [
        *loader.frame(mode, journal),
        ("R", game.kernels(journal=journal, mode=mode)),
        ("E", encoder.load(game, encoding, journal=journal, mode=mode)),
        ("STEPS", encoding.has_steps),
    ]
    text = ARGUMENTS.read_bytes() + encoder.digest(encoding).encode()
    tag = f"{game.id}_batch_j{int(journal)}_{hashlib.sha256(text).hexdigest()[:8]}"
    return loader.template(TEMPLATE, game.folder, tag, mode, tuple(names))


class BatchedEnvironment:
    """Matches of one game side by side, in arrays that every call writes anew; copy what you keep.

    players: int32[n], the seat on turn; observations: int16[n, length], what it may know (blocks: `Setup.encoding`);
    masks: int8[n, num_actions], what it may do; legal: int32[n, most], the same as a list, num_legal: int32[n] of a row
    being in use; rewards: float32[n, seats], of all seats in the last step;
    is_over: bool[n], whether the match ended in it. Then the other arrays show the next match already: there is
    nothing to reset, and nothing is ever truncated.

    policies: a name of `Game.policies` for each seat that they fill within the call, None for seats that the caller
    plays (None: all). observes: False leaves the observations out, for callers that do without.

    states: int32[n, SIZE], the true positions, to be read only: for pictures, and for learners who look ahead by the
    rules (`games.protocol.Game.kernels`). In games that hide something no seat may know them.

    Match i has the luck of `worker.environments.table.TableEnvironment` with the seed `seed` + i, and the same
    transitions. Raises ValueError for what does not go together.
    """

    def __init__(
        self,
        game_id: str,
        num_matches: int,
        *,
        num_seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        reward: str = "result",
        policies: Sequence[str | None] | None = None,
        observes: bool = True,
        seed: int = 0,
    ) -> None:
        if num_matches < 1:
            raise ValueError(f"a batch has at least one match, not {num_matches}")
        self.setup = Setup(game_id, num_seats, options or {}, reward)
        self.num_matches = num_matches
        filled = _checked(self.setup, policies)
        plain = self.setup.game.kernels(mode="jit")
        journal = any(name in plain.policies.NEEDS_JOURNAL for name in filled if name is not CALLER)
        self._kernels = _load(self.setup, journal)
        rules = self.setup.game.kernels(journal=journal, mode="jit")
        self._terms = self._make_terms(rules, filled)
        self._matches = self._make_matches(rules, num_matches, observes)
        loader.ensure_loaded(self._kernels, self._exercise)
        self.players, self.observations = self._matches.players, self._matches.observations
        self.legal, self.num_legal = self._matches.legal, self._matches.num_legal
        self.states = self._matches.states
        self.masks, self.rewards, self.is_over = self._matches.masks, self._matches.rewards, self._matches.is_over
        self.reset(seed)

    def _make_terms(self, rules: ModuleType, filled: Sequence[str | None]) -> Terms:
        numbers = [-1 if name is CALLER else policy_number(rules, name, seat) for seat, name in enumerate(filled)]
        return Terms(
            np.array(numbers, np.int64),
            list(REWARDS).index(self.setup.reward),
            self.setup.game.traits.has_teams,
            np.zeros(rules.MAX_ACTIONS, np.int32),
            np.zeros(rules.MAX_SEATS, np.int64),
            np.ones(loader.JOURNAL_WORDS, np.int32),
        )

    def _make_matches(self, rules: ModuleType, n: int, observes: bool) -> Matches:
        setup = self.setup
        return Matches(
            states=np.zeros((n, rules.SIZE), np.int32),
            start=setup.game.initial_state(setup.rules, setup.seats),
            deals=np.zeros((n, 4), np.uint64),
            searches=np.zeros((n, 4), np.uint64),
            chosen=np.full(n, encoder.WHOLE, np.int64),
            points=np.zeros((n, rules.MAX_SEATS), np.int64),
            players=np.zeros(n, np.int32),
            rewards=np.zeros((n, setup.seats), np.float32),
            is_over=np.zeros(n, np.bool_),
            legal=np.zeros((n, setup.encoding.most_legal or rules.MAX_ACTIONS), np.int32),
            num_legal=np.zeros(n, np.int32),
            masks=np.zeros((n, setup.encoding.num_actions), np.int8),
            observations=np.zeros((n, setup.encoding.length(setup.seats) if observes else 0), np.int16),
        )

    def reset(self, seed: int) -> None:
        """Begin all matches anew. seed: of the first one; each following has one more."""
        for i in range(self.num_matches):
            rng.stream(self._matches.deals[i], seed + i, rng.DEAL)
            rng.stream(self._matches.searches[i], seed + i, rng.SEARCH)
        self._kernels.reset(self._matches, self._terms)

    def step(self, actions: NDArray[np.integer[Any]]) -> None:
        """Give every match a number, integers[n]. Raises IllegalActionError before anything moves."""
        numbers = np.ascontiguousarray(actions, np.int64)
        if numbers.shape != (self.num_matches,):
            raise ValueError(f"actions must have the shape ({self.num_matches},), not {numbers.shape}")
        illegal = int(self._kernels.step(self._matches, self._terms, numbers))
        if illegal >= 0:
            raise IllegalActionError(f"{numbers[illegal]} is not legal in match {illegal}")

    def sample(self, stream: NDArray[np.uint64], out: NDArray[np.int64]) -> None:
        """Write a legal number for every match to `out`, int64[n]. stream: a generator of `games.rng`."""
        self._kernels.sample(self._matches, stream, out)

    def _exercise(self) -> None:
        """Call every kernel with arguments of the real types."""
        out = np.zeros(self.num_matches, np.int64)
        self.reset(0)
        self.sample(rng.new_stream(0, rng.ANALYSIS), out)
        self._kernels.step(self._matches, self._terms, out)


def _checked(setup: Setup, policies: Sequence[str | None] | None) -> tuple[str | None, ...]:
    """Policy or None of every seat. Raises ValueError."""
    if policies is None:
        return (CALLER,) * setup.seats
    if len(policies) != setup.seats:
        raise ValueError(f"policies must say of {setup.seats} seats who fills them, not of {len(policies)}")
    for name in policies:
        if name is not CALLER and name not in setup.game.policies:
            raise ValueError(f"{setup.game.label} has the policies {', '.join(setup.game.policies)}, not {name!r}")
    if CALLER not in policies:
        raise ValueError("policies must leave a seat to the caller: one of them must be None")
    return tuple(policies)
