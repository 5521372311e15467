"""Position as an engine of one's own sees it: rules, make and undo, playouts and evaluation, thin over the kernels."""

from __future__ import annotations

from functools import cached_property, partial
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engines.policy_numbers import policy_number
from games import loader, rng
from games.protocol import NUM_TEAMS, TERMINAL, Actions, Game, IllegalActionError, State

_NO_JOURNAL = np.ones(1, np.int32)
_prepared: set[tuple[str, bool]] = set()


def prepare(game: Game, with_journal: bool = False) -> None:
    """Have all kernels that a position calls compiled and loaded, once a process.

    with_journal: those of `Position.rules_with_journal`, too.
    """
    if (game.id, with_journal) in _prepared:
        return
    position = Position(game, game.initial_state(game.options(), game.traits.min_seats), 0, 0)
    for policy in position.policies:
        game.policy(policy)
    if game.evaluations:
        loader.ensure_loaded(position.rules.evaluation, position.evaluate)
    for policy in ("random", *position.rules.policies.NEEDS_JOURNAL):
        loader.ensure_loaded(_playing_rules(game, policy).playout, partial(position.playout, 0, policy))
        position.playout(0, policy)
    if with_journal:
        rules = game.kernels(journal=True)
        rules.journal.undo(position.array.copy(), np.ones(1, np.int32), 1)
    _prepared.add((game.id, with_journal))


def _playing_rules(game: Game, policy: str) -> ModuleType:
    """Rules with a journal where a policy needs one: without, they are quicker."""
    rules = game.kernels()
    return game.kernels(journal=True) if policy in rules.policies.NEEDS_JOURNAL else rules


def _journal() -> NDArray[np.int32]:
    """An empty journal; what it will hold is not touched."""
    words = np.empty(loader.JOURNAL_WORDS, np.int32)
    words[0] = 1
    return words


class Position:
    """One position of a match, and what may come of it.

    game: id; seat: the one that decides; seed: of this decision, the same whenever it is asked again.
    `apply`, `draw` and `undo` change it; all else leaves it as it is. Where a game hides something it is a view,
    which nothing can be played in: `sample` draws a full position that the seat thinks possible.
    """

    def __init__(self, game: Game, state: State, seat: int, seed: int, *, is_view: bool = False) -> None:
        self.face = game
        self.game = game.id
        self.seat = seat
        self.seed = seed
        self.is_view = is_view
        self.rules: ModuleType = game.kernels()
        """The rules as kernels (games/DESIGN.md), for functions of one's own that numba compiles."""
        self.num_seats = int(self.rules.num_seats(state))
        self._state = state.copy()
        self._before: list[State] = []
        self._buffer = np.empty(self.rules.MAX_ACTIONS, np.int32)
        self._rng = np.zeros(4, np.uint64)

    @property
    def rules_with_journal(self) -> ModuleType:
        """The same with a write journal, by which `journal.undo` takes back; loaded before where `needs_journal`."""
        return self.face.kernels(journal=True)

    # ---- the state
    @property
    def array(self) -> State:
        """The state, int32, read-only; `layout` names its offsets."""
        seen = self._state.view()
        seen.flags.writeable = False
        return seen

    @property
    def layout(self) -> ModuleType:
        """The module that names every offset of `array`, with shapes and ranges: ``games/<game>/state.py``."""
        return import_module(f"games.{self.face.folder.name}.state")

    @property
    def player(self) -> int:
        """Seat on turn, -1 where chance decides next, -2 where the match is over."""
        return int(self.rules.current_player(self._state))

    @property
    def is_over(self) -> bool:
        """Whether the match is over."""
        return self.player == TERMINAL

    @property
    def policies(self) -> tuple[str, ...]:
        """Names of the game's playing policies, ``random`` first."""
        return tuple(self.rules.policies.NAMES)

    def observation(self) -> dict[str, Any]:
        """What the seat sees as JSON, as agents over HTTP get it."""
        return self.face.observation(self._state, self.seat)

    def notation(self, action: int) -> str:
        """A legal action in a line of text."""
        return self.face.notation(self._state, action)

    # ---- playing
    def legal(self) -> Actions:
        """Actions of the seat on turn, int32, in the order of the rules; empty at chance and at the end."""
        return self._buffer[: self.rules.legal_actions(self._state, self._buffer)].copy()

    def apply(self, action: int) -> None:
        """Play an action of the seat on turn, or let chance come out so. Raises IllegalActionError."""
        self._check_full()
        if not 0 <= action < 2**31 or not self.rules.is_legal(self._state, action):
            raise IllegalActionError(f"{action} is not legal in this position")
        self._make(int(action))

    def draw(self, number: int = 0) -> int:
        """Let chance happen, once, by the rules' own probabilities; return the outcome.

        number: another one draws otherwise. Raises ValueError where nothing is left to chance.
        """
        self._check_full()
        outcome = self.face.sample_chance(self._state, self._stream(number))
        self._make(outcome)
        return outcome

    def undo(self) -> None:
        """Take back the last `apply` or `draw`. Raises ValueError where there is none."""
        if not self._before:
            raise ValueError("there is nothing to take back")
        self._state = self._before.pop()

    def outcomes(self) -> tuple[Actions, NDArray[np.float64]]:
        """What chance may do next, and how likely each is. Raises ValueError where that cannot be listed."""
        return self.face.chance_outcomes(self._state)

    def sample(self, number: int = 0) -> Position:
        """A full position drawn from those that the seat thinks possible; a copy where the game hides nothing.

        number: another one draws another.
        """
        state = self.face.determinize(self._state, self._stream(number)) if self.is_view else self._state
        return Position(self.face, state, self.seat, self.seed)

    def copy(self) -> Position:
        """The same position, without what could be taken back."""
        return Position(self.face, self._state, self.seat, self.seed, is_view=self.is_view)

    # ---- what it is worth
    def scores(self) -> NDArray[np.int64]:
        """Points of every seat so far; at the end, the final ones."""
        return self._points(self.rules.scores)

    def projected(self) -> NDArray[np.int64]:
        """Points of every seat if the match ended here."""
        return self._points(self.rules.projected)

    def margin(self, points: NDArray[Any]) -> float:
        """Points of the deciding seat less those of the best other one; of teams, likewise."""
        step = NUM_TEAMS if self.face.traits.has_teams else self.num_seats
        others = [points[seat] for seat in range(self.num_seats) if (seat - self.seat) % step]
        return float(points[self.seat] - max(others, default=0))

    def evaluate(self, weights: str = "") -> NDArray[np.float64]:
        """Value of the position to every seat by the game's static evaluation; without one, `projected`.

        weights: one of the game's named sets, by default the first. Raises ValueError for another name.
        """
        known = self.face.evaluations
        if not known:
            return self.projected().astype(np.float64)
        if weights and weights not in known:
            raise ValueError(f"the evaluations are {', '.join(known)}, not {weights!r}")
        chosen = known[weights or next(iter(known))]
        evaluation = self.rules.evaluation
        out = np.zeros(self.rules.MAX_SEATS)
        evaluation.evaluate(self._state, np.array([chosen.get(term, 0.0) for term in evaluation.WEIGHTS]), out)
        return out[: self.num_seats]

    def policy_action(self, policy: str, number: int = 0) -> int:
        """The action that one of the game's policies takes. Raises ValueError for another name."""
        known = self._policy(policy)
        return int(self.face.policy(policy)(known, self._state.copy(), self._stream(number), self._buffer, _journal()))

    def playout(self, number: int = 0, policy: str = "") -> NDArray[np.int64]:
        """Final points of every seat after one match from here on; the position stays.

        number: another one is another match; policy: in every seat, by default the game's usual one.
        """
        return self.playouts(1, number, policy)

    def playouts(self, count: int, first: int = 0, policy: str = "") -> NDArray[np.int64]:
        """Final points of every seat, added up over matches number `first` and on: one call for many."""
        self._check_full()
        if count < 0 or first < 0:
            raise ValueError(f"playouts are counted from 0, not {count} from {first}")
        totals = np.zeros(self.rules.MAX_SEATS, np.int64)
        policy = policy or self.face.usual_policy
        known, kernels = self._policy(policy), _playing_rules(self.face, policy)
        numbers = (np.uint64(first), np.uint64(count), np.uint64(self.seed))
        kernels.playout.playouts(self._state, known, *numbers, *self._work, totals)
        return totals[: self.num_seats]

    @cached_property
    def _work(self) -> tuple[State, NDArray[np.uint64], Actions, NDArray[np.int32]]:
        """State, generator, actions and journal of playouts."""
        state, actions = np.zeros_like(self._state), np.zeros(self.rules.MAX_ACTIONS, np.int32)
        return state, np.zeros(4, np.uint64), actions, _journal()

    def _policy(self, name: str) -> int:
        if name not in self.policies:
            raise ValueError(f"the policies are {', '.join(self.policies)}, not {name!r}")
        return policy_number(self.rules, name, self.seat)

    def _points(self, kernel: Any) -> NDArray[np.int64]:
        points = np.zeros(self.rules.MAX_SEATS, np.int64)
        kernel(self._state, points)
        return points[: self.num_seats]

    def _make(self, action: int) -> None:
        self._before.append(self._state)
        self._state = self._state.copy()
        self.rules.apply(self._state, action, _NO_JOURNAL)

    def _stream(self, number: int) -> NDArray[np.uint64]:
        rng.stream(self._rng, self.seed, rng.SEARCH, number)
        return self._rng

    def _check_full(self) -> None:
        if self.is_view:
            raise ValueError("this is what the seat sees: play in position.sample(), where all is drawn that it cannot")
