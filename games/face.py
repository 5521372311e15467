"""The common part of the faces of all games over their kernels (see `games.protocol.Game` for the verbs).

A game's class derives from `Face`, or from `OpenFace` where nobody hides anything. It names
its traits, options and files, and writes what is its own: deal, clocks, words, pictures, what is
hidden. Rules stand in kernels alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games import costs as game_costs
from games import loader, readiness, rng
from games import options as option_tools
from games.costs import Costs
from games.drawing import Drawing
from games.endings import Ending
from games.guides import GuideStep, Happening
from games.hands import Hands
from games.lessons import Lessons
from games.panels import Panel
from games.protocol import (
    CHANCE,
    TERMINAL,
    Actions,
    Draw,
    Event,
    Game,
    IllegalActionError,
    MoveWords,
    Part,
    Piece,
    Policy,
    PolicyWords,
    Rng,
    State,
    Traits,
    Variations,
)
from games.rule_sets import RuleSet
from games.strategies import Strategies
from games.values import GameValue

_NO_JOURNAL = np.ones(1, np.int32)


def places(results: Iterable[Any]) -> tuple[int, ...]:
    """Place of each result, 1 = the greatest; equal ones share a place."""
    listed = list(results)
    return tuple(1 + sum(other > own for other in listed) for own in listed)


class _PlayingKernels:
    """The kernels that the verbs call: from when they are loaded a plain attribute, as each verb asks for them.

    Until then each look asks anew (`readiness.mode`). Loaded ones serve within `readiness.plainly`, too: twins are
    for those who would have to wait, and every kernel gives what its twin gives.
    """

    def __get__(self, face: Face, owner: type) -> ModuleType:
        module = face.kernels(mode=readiness.mode(face.folder))
        if getattr(module, "IS_LOADED", False):
            vars(face)["_kernels"] = module
        return module


class Face:
    """The verbs that are kernels called with fresh arrays.

    folder: where the game's templates are; trace_format: module with `write` and `replay` of
    the game's trace files; drawing: its pictures.
    """

    label: str
    options: type
    presets: Mapping[str, RuleSet] = {}
    bench_options: Mapping[str, option_tools.Value] = {}
    policy_words: Mapping[str, PolicyWords] = {}
    has_free_actions = False
    evaluations: Mapping[str, Mapping[str, float]] = {}
    orderings: Sequence[str] = ()
    has_promises = False
    value: GameValue | None = None
    hands: Hands | None = None
    later_metrics: Sequence[str] = ()
    dropped_metrics: Sequence[str] = ()
    strategies: Strategies | None = None
    guide: Sequence[GuideStep] = ()
    guide_moments: Callable[[Game, Happening], Iterable[str]] | None = None
    lessons: Callable[[Game, Any, int], Lessons] | None = None
    variations: Variations | None = None
    heading: Callable[[State], str] | None = None
    round_of: Callable[[State], int] | None = None
    draw_words: Callable[[Sequence[Draw]], str] | None = None
    other_parts: Callable[[State, int], tuple[Part, ...]] | None = None
    short_words: Callable[[Game, State, int], MoveWords] | None = None
    piece_of: Callable[[str], Piece | None] | None = None
    piece_sheet: Callable[[], str] | None = None
    tells_turns = False
    ply_notes: Mapping[str, Callable[[Any, State], Sequence[int]]] = {}
    ending: Callable[[Any, State, State], Ending | None] | None = None
    victory: Callable[[Any, State, Sequence[int]], str] | None = None
    counts_rounds = False
    has_seated_replay = False
    traits: Traits
    folder: Path
    trace_format: ModuleType
    drawing: Drawing
    _kernels = _PlayingKernels()

    @cached_property
    def _loaded(self) -> dict[tuple[bool, str], ModuleType]:
        """Kernels that are compiled and loaded, by variant: engines ask for them at every ply."""
        return {}

    def kernels(self, *, journal: bool = False, mode: str | None = None) -> ModuleType:
        """Return the rules' kernels, compiled where the mode (None: `readiness.usual_mode`) asks for it."""
        variant = journal, mode or readiness.usual_mode()
        if (loaded := self._loaded.get(variant)) is not None:
            return loaded
        module = loader.rules(self.folder, *variant)
        loader.ensure_loaded(module, lambda: self._exercise(module))
        if getattr(module, "IS_LOADED", False):
            self._loaded[variant] = module
        return module

    @cached_property
    def _loaded_policies(self) -> dict[tuple[str, str], Policy]:
        """Policies that are compiled and loaded, by name and mode."""
        return {}

    def policy(self, name: str) -> Policy:
        """Return a policy's kernel, compiled where `readiness.usual_mode` asks for it."""
        variant = name, readiness.usual_mode()
        if (loaded := self._loaded_policies.get(variant)) is not None:
            return loaded
        journal = name in self.kernels().policies.NEEDS_JOURNAL
        rules = self.kernels(journal=journal)
        module = loader.policy(self.folder, name, journal, variant[1])
        loader.ensure_loaded(module, lambda: self._exercise_policy(module, rules))
        choose: Policy = module.choose
        self._loaded_policies[variant] = choose
        return choose

    @property
    def values(self) -> Sequence[str]:
        """Names of the sets of weights of the game's value."""
        return self.value.names if self.value else ()

    # ---- costs
    @cached_property
    def costs(self) -> Costs:
        """Costs in the game's `stored/costs.json`; where there is none, a guess from its bounds."""
        measured = game_costs.load(self.folder)
        return measured or game_costs.guess(self.traits.max_plies, self.traits.max_legal_actions)

    def counts_against(self, options: Any) -> bool:
        """No: points are for those who get them."""
        return False

    def usual_plies(self, options: Any, num_seats: int) -> float:
        """Plies as with the most seats: matches are equally long, unless a game says otherwise."""
        return self.costs.plies

    # ---- playing
    def check(self, options: Any, num_seats: int) -> None:
        """All options go together, at every table, unless a game says otherwise."""

    def initial_state(self, options: Any, num_seats: int) -> State:
        """Return the state before anything has happened. Raises ValueError, or OptionError from `check`."""
        fewest, most = self.traits.min_seats, self.traits.max_seats
        if not fewest <= num_seats <= most:
            wanted = f"{fewest} to {most}" if fewest < most else f"{most}"
            raise ValueError(f"{self.label} has {wanted} seats, not {num_seats}")
        self.check(options, num_seats)
        state = np.zeros(self._kernels.SIZE, np.int32)
        self._kernels.init(state, num_seats, self.codes(options))
        return state

    def codes(self, options: Any) -> NDArray[np.int32]:
        """Options as the kernel `init` reads them: int32, in the order of the options class."""
        return np.array(option_tools.codes(options), np.int32)

    def num_seats(self, state: State) -> int:
        """Seats at the table."""
        return int(self._kernels.num_seats(state))

    def current_player(self, state: State) -> int:
        """Seat to act, CHANCE or TERMINAL."""
        return int(self._kernels.current_player(state))

    def is_terminal(self, state: State) -> bool:
        """Whether the match is over."""
        return self.current_player(state) == TERMINAL

    def legal_actions(self, state: State) -> Actions:
        """Actions of the seat on turn, in the kernels' order."""
        buffer = np.empty(self._kernels.MAX_ACTIONS, np.int32)
        return buffer[: self._kernels.legal_actions(state, buffer)]

    def apply(self, state: State, action: int) -> State:
        """Return the state after an action or a chance outcome. Raises IllegalActionError."""
        if not 0 <= action < 2**31 or not self._kernels.is_legal(state, action):
            raise IllegalActionError(f"{action} is not legal {self._moment(state)}")
        after = state.copy()
        self._kernels.apply(after, action, _NO_JOURNAL)
        return after

    def _moment(self, state: State) -> str:
        """The moment, to follow "is not legal": a game that can tell the ply or round says so."""
        return "in this state"

    def chance_outcomes(self, state: State) -> tuple[Actions, NDArray[np.float64]]:
        """Outcomes that may come next, with probabilities. Raises ValueError where there are none, or too many."""
        self._check_chance(state)
        if not self.traits.chance_is_listable:
            raise ValueError("what may be drawn is too much to list")
        size = self._kernels.SIZE
        outcomes, probabilities = np.empty(size, np.int32), np.empty(size)
        n = self._kernels.chance_outcomes(state, outcomes, probabilities)
        return outcomes[:n], probabilities[:n]

    def sample_chance(self, state: State, rng: Rng) -> int:
        """Draw an outcome. Raises ValueError where none is to be drawn."""
        self._check_chance(state)
        return int(self._kernels.sample_chance(state, rng))

    def _check_chance(self, state: State) -> None:
        if self.current_player(state) != CHANCE:
            raise ValueError("nothing is to be drawn in this state")

    def key(self, state: State) -> int:
        """64-bit hash of the position as the rules see it."""
        return int(self._kernels.key(state))

    # ---- results
    def scores(self, state: State) -> tuple[int, ...]:
        """Points per seat so far; at the end, the final scores."""
        return self._points(state, self._kernels.scores)

    def projected_scores(self, state: State) -> tuple[int, ...]:
        """Points per seat if the match ended now."""
        return self._points(state, self._kernels.projected)

    def _points(self, state: State, kernel: Any) -> tuple[int, ...]:
        points = np.zeros(self._kernels.MAX_SEATS, np.int64)
        kernel(state, points)
        return tuple(points[: self.num_seats(state)].tolist())

    def ranks(self, state: State) -> tuple[int, ...]:
        """1 = most points; equal points share a place."""
        return places(self.scores(state))

    def _check_over(self, state: State) -> None:
        if not self.is_terminal(state):
            raise ValueError("metrics are counted when the match is over")

    def events(self, state: State) -> tuple[Event, ...]:
        """Nothing scores by itself: points are those of what lies on the table."""
        return ()

    def open_features(self, state: State) -> tuple[Event, ...]:
        """Nothing waits to be scored."""
        return ()

    # ---- pictures and files
    def view(self, state: State, seat: int) -> State:
        """The part of a state that a seat, or a spectator (-1), may know: for each game to say."""
        raise NotImplementedError

    def _seen(self, state: State, seat: int | None) -> State:
        return self.view(state, -1 if seat is None else seat)

    def svg(self, state: State, *, seat: int | None = None, theme: str = "auto", width: int = 900) -> str:
        """The board as `seat` (None: a spectator) may see it."""
        return self.drawing.table(self._kernels, self._seen(state, seat), seat=seat, theme=theme, width=width)

    def replay_svg(
        self,
        states: Sequence[State],
        *,
        seat: int | None = None,
        ply: int | None = None,
        theme: str = "page",
        prefix: str = "",
    ) -> str:
        """One SVG of a whole match: settled states after 0, 1, ... plies."""
        return self.drawing.match(self._kernels, states, seat=seat, ply=ply, theme=theme, prefix=prefix)

    def play_svg(
        self, state: State, *, seat: int | None, theme: str = "page", prefix: str = "", recent: int = 1
    ) -> str:
        """The board with all that `seat` may point at (ids and marks: the game's `board.play`)."""
        seen, is_on_turn = self._seen(state, seat), seat == self.current_player(state)
        actions = self.legal_actions(state).tolist() if is_on_turn else []
        return self.drawing.play(self._kernels, seen, actions, seat=seat, theme=theme, prefix=prefix, recent=recent)

    def panel(self, state: State, seat: int | None, *, prefix: str = "") -> Panel:
        """The panel beside the board, as `seat` may know it."""
        return self.drawing.panel(self._seen(state, seat), seat, prefix)

    def trace(self, match: Mapping[str, Any]) -> dict[str, Any]:
        """A match in the game's trace format; see `write` in its `traces.py`."""
        written: dict[str, Any] = self.trace_format.write(self, match)
        return written

    def replay_trace(self, trace: Mapping[str, Any]) -> tuple[int, dict[str, Any] | None]:
        """Compare a match of a trace file with the rules, ply by ply."""
        compared: tuple[int, dict[str, Any] | None] = self.trace_format.replay(self, trace)
        return compared

    # ---- compiling
    def _exercise(self, module: ModuleType) -> None:
        """Call every kernel of the rules that faces and engines call, with arguments of the real types."""
        state, buffer = self._first_turn(module), np.zeros(module.MAX_ACTIONS, np.int32)
        points = np.zeros(module.MAX_SEATS, np.int64)
        module.num_seats(state)
        if self.traits.chance_is_listable:
            module.chance_outcomes(state, np.zeros(module.SIZE, np.int32), np.zeros(module.SIZE))
        action = int(buffer[int(module.legal_actions(state, buffer)) - 1])
        module.is_legal(state, action)
        module.apply(state, action, np.ones(loader.JOURNAL_WORDS, np.int32))
        module.scores(state, points)
        module.projected(state, points)
        module.key(state)
        self._exercise_more(module, state)

    def _first_turn(self, rules: ModuleType) -> State:
        """A state in which a seat is on turn for the first time."""
        state, r = np.zeros(rules.SIZE, np.int32), rng.new_stream(0, rng.ANALYSIS)
        rules.init(state, self.traits.min_seats, self.codes(self.options()))
        while rules.current_player(state) == CHANCE:
            rules.apply(state, int(rules.sample_chance(state, r)), np.ones(loader.JOURNAL_WORDS, np.int32))
        return state

    def _exercise_policy(self, module: ModuleType, rules: ModuleType) -> None:
        """Call a policy with arguments of the real types."""
        r, buffer = rng.new_stream(0, rng.ANALYSIS), np.zeros(rules.MAX_ACTIONS, np.int32)
        module.choose(0, self._first_turn(rules), r, buffer, np.ones(loader.JOURNAL_WORDS, np.int32))

    def _exercise_more(self, module: ModuleType, state: State) -> None:
        """Call what else of a game is called from Python, on a state of one ply."""


class OpenFace(Face):
    """Games in which everybody sees everything but what has not been drawn, which no state holds."""

    def view(self, state: State, seat: int) -> State:
        """The whole state: it holds no future order."""
        return state.copy()

    def determinize(self, view: State, rng: Rng) -> State:
        """The view itself."""
        return view.copy()

    def information_set(self, state: State, seat: int) -> int:
        """The position, as seen from a seat."""
        return rng.mix(self.key(state), seat)
