"""Kingdomino: the readable face over the kernels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games import loader, rng
from games.kingdomino import metrics, reading, traces
from games.kingdomino import state as layout
from games.kingdomino.deal import DominoDeal
from games.kingdomino.play import spelling
from games.options import OptionError, Value, option
from games.protocol import CHANCE, TERMINAL, Actions, Event, IllegalActionError, Panel, Part, Rng, State, Traits

FOLDER = Path(__file__).parent
_NO_JOURNAL = np.zeros(1, np.int32)
_CODES = {
    "size": ("5", "7"),
    "must_place": (True, False),
    "middle": ("reach", "bbox", "full", "off"),
    "harmony": ("full", "nodiscard", "off"),
    "ties": ("shared", "official"),
}


@dataclass(frozen=True)
class Options:
    """Rule variants; the defaults are those of Gedda, Lagerkvist and Butler (2018)."""

    size: str = option(
        "5",
        "Kingdoms",
        "The Mighty Duel is for two seats and uses all 48 dominoes.",
        choices=(("5", "5 x 5 squares"), ("7", "7 x 7 squares: the Mighty Duel")),
    )
    must_place: bool = option(True, "A domino that fits must be placed", "Without, it may be discarded.")
    middle: str = option(
        "reach",
        "Middle kingdom, 10 points",
        "The paper gives them from the start, while no square is too far from the castle.",
        choices=(
            ("reach", "while every square is within reach of a centred castle"),
            ("bbox", "while the castle is in the middle of what has been laid"),
            ("full", "for a full kingdom with the castle in the middle"),
            ("off", "not played"),
        ),
    )
    harmony: str = option(
        "full",
        "Harmony, 5 points",
        "Both readings say the same in every standard match: a kingdom is full where nothing was discarded.",
        choices=(
            ("full", "for a kingdom without a hole"),
            ("nodiscard", "at the end, for having discarded nothing"),
            ("off", "not played"),
        ),
    )
    ties: str = option(
        "shared",
        "Equal points",
        "The rule book compares the largest areas, then the crowns.",
        choices=(("shared", "share the place"), ("official", "the larger area, then more crowns, goes first")),
    )


class Kingdomino:
    """See `games.protocol.Game`. Placing and choosing are one action."""

    id = "kingdomino"
    version = "1"
    label = "Kingdomino"
    options = Options
    presets: Mapping[str, Mapping[str, Value]] = {}
    bench_options: Mapping[str, Value] = {}
    policies = ("random", "tr", "gprd", "gprd_plain", "fg", "fg_plain", "pg")
    usual_policy = "fg"
    evaluations: Mapping[str, Mapping[str, float]] = {}
    metric_table = metrics.TABLE
    steps = spelling.STEPS
    aids = spelling.AIDS
    traits = Traits(
        min_seats=2,
        max_seats=layout.MAX_SEATS,
        has_chance=True,
        chance_is_listable=True,
        has_hidden_information=False,
        has_teams=False,
        # every square, every direction or no placement, with every domino of the row
        max_legal_actions=layout.MAX_ACTIONS,
        # four kings in twelve rows and the round in which the last row is placed
        max_plies=52,
    )
    folder = FOLDER

    def kernels(self, *, journal: bool = False, mode: str = "jit") -> ModuleType:
        """Return the rules' kernels, compiled where the mode asks for it."""
        module = loader.rules(FOLDER, journal, mode)
        loader.ensure_compiled(module, lambda: _exercise(module, journal))
        return module

    @property
    def _kernels(self) -> ModuleType:
        return self.kernels()

    # ---- playing
    def check(self, options: Options, num_seats: int) -> None:
        """The Mighty Duel is for two. Raises OptionError."""
        if options.size == "7" and num_seats != 2:
            raise OptionError("size", f"must be 5 with {num_seats} seats: the Mighty Duel (7 x 7) is for 2")

    def initial_state(self, options: Options, num_seats: int) -> State:
        """Castles alone. Raises ValueError for a wrong number of seats, OptionError for those of another size."""
        if not self.traits.min_seats <= num_seats <= self.traits.max_seats:
            raise ValueError(f"Kingdomino has 2 to {layout.MAX_SEATS} seats, not {num_seats}")
        self.check(options, num_seats)
        state = np.zeros(layout.SIZE, np.int32)
        codes = [values.index(getattr(options, name)) for name, values in _CODES.items()]
        self._kernels.init(state, num_seats, np.array(codes, np.int32))
        return state

    def deal(self, options: Options, num_seats: int, rng: Rng) -> DominoDeal:
        """Kings and dominoes in the order in which they are drawn."""
        return DominoDeal(num_seats, rng)

    def num_seats(self, state: State) -> int:
        """Seats at the table."""
        return int(state[layout.NUM_SEATS])

    def current_player(self, state: State) -> int:
        """Seat to act, CHANCE or TERMINAL."""
        return int(state[layout.PLAYER])

    def is_terminal(self, state: State) -> bool:
        """Whether the match is over."""
        return int(state[layout.PLAYER]) == TERMINAL

    def plies_left(self, state: State, seat: int) -> int:
        """Plies that `seat` still has to make, the present one included: exact."""
        if self.is_terminal(state):
            return 0
        kings = int(state[layout.NUM_KINGS]) // self.num_seats(state)
        rounds_after = int(state[layout.NUM_ROWS]) + 1 - int(state[layout.ROUND])
        order = layout.ORDER if state[layout.ROUND] == 1 else layout.OWNER
        rest = state[order + int(state[layout.TURN]) : order + int(state[layout.NUM_KINGS])]
        undrawn = kings - int((state[order : order + layout.MAX_KINGS] == seat + 1).sum())
        return kings * rounds_after + int((rest == seat + 1).sum()) + undrawn

    def legal_actions(self, state: State) -> Actions:
        """Actions of the seat on turn, in the kernels' order."""
        buffer = np.empty(layout.MAX_ACTIONS, np.int32)
        return buffer[: self._kernels.legal_actions(state, buffer)]

    def apply(self, state: State, action: int) -> State:
        """Return the state after an action or a draw. Raises IllegalActionError."""
        if not 0 <= action < 2**31 or not self._kernels.is_legal(state, action):
            raise IllegalActionError(f"{action} is not legal in round {int(state[layout.ROUND])}")
        after = state.copy()
        self._kernels.apply(after, action, _NO_JOURNAL)
        return after

    def chance_outcomes(self, state: State) -> tuple[Actions, NDArray[np.float64]]:
        """Kings or dominoes that may be drawn next, and their probabilities."""
        self._check_chance(state)
        outcomes, probabilities = np.empty(layout.NUM_DOMINOES, np.int32), np.empty(layout.NUM_DOMINOES)
        n = self._kernels.chance_outcomes(state, outcomes, probabilities)
        return outcomes[:n], probabilities[:n]

    def sample_chance(self, state: State, rng: Rng) -> int:
        """Draw a king or a domino. Raises ValueError where none is to be drawn."""
        self._check_chance(state)
        return int(self._kernels.sample_chance(state, rng))

    def _check_chance(self, state: State) -> None:
        if self.current_player(state) != CHANCE:
            raise ValueError("nothing is to be drawn in this state")

    # ---- results
    def scores(self, state: State) -> tuple[int, ...]:
        """Points per seat as the kingdoms stand."""
        points = np.zeros(layout.MAX_SEATS, np.int64)
        self._kernels.scores(state, points)
        return tuple(points[: self.num_seats(state)].tolist())

    def projected_scores(self, state: State) -> tuple[int, ...]:
        """The same: nothing waits to be scored."""
        return self.scores(state)

    def ranks(self, state: State) -> tuple[int, ...]:
        """1 = most points; equal ones share a place, or go by largest area and crowns (option `ties`)."""
        points = self.scores(state)
        order: list[tuple[int, ...]] = [(own,) for own in points]
        if state[layout.TIES]:
            found = [metrics.areas(reading.kingdom(state, seat)) for seat in range(len(points))]
            order = [(own, *metrics.tie_break(areas)) for own, areas in zip(points, found, strict=True)]
        return tuple(1 + sum(other > own for other in order) for own in order)

    def metrics(self, state: State) -> tuple[Mapping[str, float], ...]:
        """Per seat: every metric of `metric_table` that a match of these seats has."""
        if not self.is_terminal(state):
            raise ValueError("metrics are counted when the match is over")
        return metrics.of_match(self._kernels, state)

    def events(self, state: State) -> tuple[Event, ...]:
        """Nothing scores by itself: points are those of the kingdoms as they stand."""
        return ()

    def open_features(self, state: State) -> tuple[Event, ...]:
        """Nothing waits to be scored."""
        return ()

    # ---- information: everything but the order of the dominoes is open
    def view(self, state: State, seat: int) -> State:
        """The whole state: it holds no future order."""
        return state.copy()

    def determinize(self, view: State, rng: Rng) -> State:
        """The view itself."""
        return view.copy()

    def key(self, state: State) -> int:
        """64-bit hash of the position, whatever the order in which dominoes were laid."""
        return int(self._kernels.key(state))

    def information_set(self, state: State, seat: int) -> int:
        """The position, as seen from a seat."""
        return rng.mix(self.key(state), seat)

    def observation(self, state: State, seat: int | None) -> dict[str, Any]:
        """JSON-ready state; the same for every seat and for spectators."""
        return reading.observation(state) | {"player": self.current_player(state), "scores": list(self.scores(state))}

    # ---- spelling
    def parts(self, state: State, action: int) -> tuple[Part, ...]:
        """Square, direction, domino."""
        return spelling.parts(state, action)

    def notation(self, state: State, action: int) -> str:
        """``12 at 1,0 2,0, takes 33``."""
        return reading.notation(state, action)

    def outcome_notation(self, state: State, outcome: int) -> str:
        """The number of the domino drawn, or whose king."""
        return f"king of seat {outcome - layout.KING}" if outcome >= layout.KING else str(outcome + 1)

    # ---- pictures and files
    def svg(self, state: State, *, seat: int | None = None, theme: str = "auto", width: int = 900) -> str:
        """Kingdoms, draft and points, the last placement ringed; the kingdom of `seat` first."""
        from games.kingdomino.board import render

        return render.svg(self._kernels, state, seat=seat, width=width, theme=theme)

    def replay_svg(
        self, states: Sequence[State], *, ply: int | None = None, theme: str = "page", prefix: str = ""
    ) -> str:
        """One SVG of a whole match: states after 0, 1, ... plies (attributes: `board.replay`)."""
        from games.kingdomino.board import replay

        return replay.svg(self._kernels, states, ply=ply, theme=theme, prefix=prefix)

    def play_svg(
        self, state: State, *, seat: int | None, theme: str = "page", prefix: str = "", recent: int = 1
    ) -> str:
        """The board with all that `seat` may point at (ids and marks: `board.play`)."""
        from games.kingdomino.board import play

        actions = self.legal_actions(state).tolist() if seat == self.current_player(state) else []
        return play.svg(self._kernels, state, actions, seat=seat, theme=theme, prefix=prefix, recent=recent)

    def panel(self, state: State, seat: int | None, *, prefix: str = "") -> Panel:
        """Domino to place, squares filled, dominoes left; the same for every seat and for spectators."""
        from games.kingdomino.play import panel

        return panel.of(state, prefix)

    def trace(self, match: Mapping[str, Any]) -> dict[str, Any]:
        """A match in the format kingdomino-trace-1; see `traces.write`."""
        return traces.write(self, match)

    def replay_trace(self, trace: Mapping[str, Any]) -> tuple[int, dict[str, Any] | None]:
        """Compare a match of a trace file with the rules, ply by ply."""
        return traces.replay(self, trace)


def _exercise(module: ModuleType, journal: bool) -> None:
    """Call every kernel that faces and engines call, with arguments of the real types."""
    state, r = np.zeros(layout.SIZE, np.int32), rng.new_stream(0, rng.ANALYSIS)
    buffer, points = np.zeros(layout.MAX_ACTIONS, np.int32), np.zeros(layout.MAX_SEATS, np.int64)
    j = np.ones(4 * layout.SIZE, np.int32)
    module.init(state, 2, np.zeros(5, np.int32))
    module.num_seats(state)
    module.chance_outcomes(state, buffer, np.zeros(layout.NUM_DOMINOES))
    while module.current_player(state) == CHANCE:
        module.apply(state, int(module.sample_chance(state, r)), j)
    module.legal_actions(state, buffer)
    module.is_legal(state, int(buffer[0]))
    for policy in range(len(module.policies.NAMES)):
        module.policies.choose(policy, state, r, buffer, j)
    module.apply(state, int(buffer[0]), j)
    module.scores(state, points)
    module.projected(state, points)
    module.key(state)
    module.middle_points(state, layout.KINGDOMS, 0)
    module.harmony_points(state, layout.KINGDOMS, 0)
    while module.current_player(state) != TERMINAL:
        is_chance = module.current_player(state) == CHANCE
        choose = module.policies.choose
        number = module.sample_chance(state, r) if is_chance else choose(0, state, r, buffer, j)
        j[0] = 1
        module.apply(state, int(number), j)
    module.look_back(state, np.zeros((13, layout.MAX_SEATS, 4), np.int64))
