"""Plays a position to the end of its match, as often as one likes, by the best quick policy of the game or another.

Playout number k of every action meets the same draws and, where seats hide something, the same
deal of what the deciding seat cannot know: differences say more of the actions then.
"""

from __future__ import annotations

import logging
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engines import levels
from engines.policy_numbers import policy_number
from games import bench, loader, rng
from games import registry as game_registry
from games.protocol import Game, State

logger = logging.getLogger(__name__)

Margins = NDArray[np.float64]
"""float64[seats]: own points at the end less those of the best other side."""


def quick_policy(game: Game) -> tuple[str, str]:
    """(policy, what people call it): the strongest level that is a policy, else the game's usual policy."""
    for level in reversed(levels.for_game(game.id)):
        policy = level.options.get("policy", "")
        if level.engine == "scripted" and policy in game.policies:
            return policy, level.label
    return game.usual_policy, game.usual_policy


def named_policy(game: Game, name: str) -> tuple[str, str]:
    """(policy, what people call it) by its name; the best quick one where that is empty."""
    if not name:
        return quick_policy(game)
    words = game.policy_words.get(name)
    return name, f"the {words.label if words else name} policy"


def margins(points: NDArray[np.int64], has_teams: bool) -> Margins:
    """Own points less those of the best other seat, or team where there are teams; own points of who plays alone."""
    found = np.empty(len(points))
    for seat, own in enumerate(points):
        others = [other for k, other in enumerate(points) if (k % 2 != seat % 2 if has_teams else k != seat)]
        found[seat] = own - max(others, default=0)
    return found


class Playouts:
    """Playouts of one game by one policy in every seat. One thread at a time: buffers are shared.

    name: of the policy, the best quick one where it is empty; last: the end of the match that was played last (do
    not keep it).
    """

    def __init__(self, game: Game, name: str = "") -> None:
        self.game = game
        self.policy, self.label = named_policy(game, name)
        plain = game.kernels()
        has_journal = self.policy in plain.policies.NEEDS_JOURNAL
        self._rules = rules = game.kernels(journal=has_journal) if has_journal else plain
        self._choose = game.policy(self.policy)
        bench.Playouts(game, self.policy)  # has the playouts compiled, once, while others wait
        self.last: State = np.zeros(rules.SIZE, np.int32)
        self._r = np.zeros(4, np.uint64)
        self._buffer = np.empty(rules.MAX_ACTIONS, np.int32)
        self._journal = np.ones(loader.JOURNAL_WORDS if has_journal else 1, np.int32)
        self._points = np.zeros(rules.MAX_SEATS, np.int64)

    def margins(self, start: State, action: int | None, seed: int, number: int) -> Margins:
        """Margins of one playout from `start`, a full state, after an action legal there (None: from there on)."""
        state, seat = self.last, int(self._rules.current_player(start))
        np.copyto(state, start)
        self._journal[0] = 1
        if action is not None:
            self._rules.apply(state, action, self._journal)
            self._journal[0] = 1
        rng.seed(self._r, rng.mix2(seed, number))
        policy = policy_number(self._rules, self.policy, max(seat, 0))
        self._rules.playout.playout(state, policy, self._r, self._buffer, self._journal)
        self._rules.scores(state, self._points)
        seats = int(self._rules.num_seats(state))
        return margins(self._points[:seats], self.game.traits.has_teams)

    def choice(self, state: State, seed: int, number: int) -> int:
        """The action that the policy itself plays in a state where a seat is on turn."""
        scratch = self.last
        np.copyto(scratch, state)
        self._journal[0] = 1
        rng.stream(self._r, seed, rng.ANALYSIS, number)
        policy = policy_number(self._rules, self.policy, int(self._rules.current_player(state)))
        return int(self._choose(policy, scratch, self._r, self._buffer, self._journal))

    def world(self, view: State, seed: int, number: int) -> State:
        """One of the full states that a seat's view allows; the same for the same number."""
        return self.game.determinize(view, rng.new_stream(seed, rng.ANALYSIS, number))


def warm(game_id: str) -> None:
    """Play one playout, so that all it needs is in this process; a game that cannot is logged.

    Raises ColdError within `loader.only_warm` where it is not compiled yet.
    """
    try:
        game = game_registry.get(game_id)
        start = game.initial_state(game.options(), game.traits.min_seats)
        playouts_of(game_id).margins(start, None, 0, 0)
    except loader.ColdError:
        raise
    except Exception:
        logger.exception("the playouts of %s do not work", game_id)


def playouts_of(game_id: str, name: str = "") -> Playouts:
    """The playouts of a game by a policy, made once a process; the best quick one where no name is given."""
    return _made(game_id, name)


@lru_cache(maxsize=8)
def _made(game_id: str, name: str) -> Playouts:
    return Playouts(game_registry.get(game_id), name)
