"""Carcassonne, base game: the readable face over the kernels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games import loader, rng
from games.carcassonne import metrics, reading, traces, weights
from games.carcassonne import state as layout
from games.carcassonne.deal import TileDeal
from games.carcassonne.play import spelling
from games.options import Value, option
from games.protocol import (
    CHANCE,
    TERMINAL,
    Actions,
    Event,
    IllegalActionError,
    Panel,
    Part,
    Rng,
    State,
    Traits,
)

FOLDER = Path(__file__).parent
_NO_JOURNAL = np.zeros(1, np.int32)


@dataclass(frozen=True)
class Options:
    """Rule variants; the defaults are those of the thesis (Heyden 2009, chapter 2)."""

    unplaceable: str = option(
        "return",
        "A tile that fits nowhere",
        "The thesis draws again and returns the tile to the pool; the official rules discard it.",
        choices=(("return", "goes back to the pool"), ("discard", "is discarded")),
    )
    two_tile_city: str = option(
        "full",
        "A finished city of two tiles",
        "The first edition gave a city of two tiles only half of its points.",
        choices=(("full", "scores like any city"), ("half", "scores half")),
    )


class Carcassonne:
    """See `games.protocol.Game`. Placing and claiming are one action."""

    id = "carcassonne"
    version = "1"
    label = "Carcassonne"
    options = Options
    presets: Mapping[str, Mapping[str, Value]] = {}
    bench_options: Mapping[str, Value] = {}
    policies = ("random", "greedy", "informed", "thorough")
    usual_policy = "greedy"
    evaluations = weights.SETS
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
        # every empty neighbour cell of 71 tiles, every rotation, every segment or none
        max_legal_actions=layout.MAX_ACTIONS,
        # one ply for each tile after the start tile
        max_plies=layout.NUM_TILES - 1,
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
        """All options go together, at every table."""

    def initial_state(self, options: Options, num_seats: int) -> State:
        """The start tile alone on the board. Raises ValueError for a wrong number of seats."""
        if not self.traits.min_seats <= num_seats <= self.traits.max_seats:
            raise ValueError(f"Carcassonne has 2 to {layout.MAX_SEATS} seats, not {num_seats}")
        state = np.zeros(layout.SIZE, np.int32)
        codes = np.array([options.unplaceable == "discard", options.two_tile_city == "half"], np.int32)
        self._kernels.init(state, num_seats, codes)
        return state

    def deal(self, options: Options, num_seats: int, rng: Rng) -> TileDeal:
        """All tiles in the order in which they are drawn."""
        return TileDeal(self._kernels, options.unplaceable == "return", rng)

    def num_seats(self, state: State) -> int:
        """Seats at the table."""
        return int(state[layout.NUM_SEATS])

    def current_player(self, state: State) -> int:
        """Seat to act, CHANCE or TERMINAL."""
        return int(self._kernels.current_player(state))

    def is_terminal(self, state: State) -> bool:
        """Whether the match is over."""
        return bool(state[layout.OVER])

    def plies_left(self, state: State, seat: int) -> int:
        """Plies that `seat` still has to make at most, the present one included."""
        total = int(state[layout.NUM_LEFT]) + int(state[layout.TILE] > 0)
        away = (seat - int(state[layout.PLAYER])) % self.num_seats(state)
        return max(0, -(-(total - away) // self.num_seats(state)))

    def legal_actions(self, state: State) -> Actions:
        """Actions of the seat on turn, in the kernels' order."""
        buffer = np.empty(layout.MAX_ACTIONS, np.int32)
        return buffer[: self._kernels.legal_actions(state, buffer)]

    def apply(self, state: State, action: int) -> State:
        """Return the state after an action or a drawn tile. Raises IllegalActionError."""
        if not 0 <= action < 2**31 or not self._kernels.is_legal(state, action):
            raise IllegalActionError(f"{action} is not legal at ply {int(state[layout.NUM_LAID]) - 1}")
        after = state.copy()
        self._kernels.apply(after, action, _NO_JOURNAL)
        return after

    def chance_outcomes(self, state: State) -> tuple[Actions, NDArray[np.float64]]:
        """Tile types that may be drawn next, and their probabilities."""
        if self.current_player(state) != CHANCE:
            raise ValueError("no tile is to be drawn in this state")
        types, probabilities = np.empty(layout.NUM_TYPES, np.int32), np.empty(layout.NUM_TYPES)
        n = self._kernels.chance_outcomes(state, types, probabilities)
        return types[:n], probabilities[:n]

    def sample_chance(self, state: State, rng: Rng) -> int:
        """Draw a tile type. Raises ValueError where none is to be drawn."""
        if self.current_player(state) != CHANCE:
            raise ValueError("no tile is to be drawn in this state")
        return int(self._kernels.sample_chance(state, rng))

    # ---- results
    def scores(self, state: State) -> tuple[int, ...]:
        """Points per seat so far; final scoring included once the match is over."""
        return tuple(state[layout.SCORE : layout.SCORE + self.num_seats(state)].tolist())

    def projected_scores(self, state: State) -> tuple[int, ...]:
        """Points per seat if the match ended now."""
        points = np.zeros(layout.MAX_SEATS, np.int64)
        self._kernels.projected(state, points)
        return tuple(points[: self.num_seats(state)].tolist())

    def ranks(self, state: State) -> tuple[int, ...]:
        """1 = most points; equal points share a place."""
        points = self.scores(state)
        return tuple(1 + sum(other > own for other in points) for own in points)

    def metrics(self, state: State) -> tuple[Mapping[str, float], ...]:
        """Per seat: every metric of `metric_table`. Raises ValueError before the end."""
        if not self.is_terminal(state):
            raise ValueError("metrics are counted when the match is over")
        return tuple(metrics.of_seat(state, seat) for seat in range(self.num_seats(state)))

    def events(self, state: State) -> tuple[Event, ...]:
        """Claimed features that the last ply finished; at the end also all others."""
        finished = tuple(reading.events(self._kernels, state))
        return finished + (self.open_features(state) if self.is_terminal(state) else ())

    def open_features(self, state: State) -> tuple[Event, ...]:
        """Claimed features not finished, with what they score when the match ends."""
        return tuple(reading.open_features(self._kernels, state))

    # ---- information: everything but the order of the tiles is open
    def view(self, state: State, seat: int) -> State:
        """The whole state: it holds no future order."""
        return state.copy()

    def determinize(self, view: State, rng: Rng) -> State:
        """The view itself."""
        return view.copy()

    def key(self, state: State) -> int:
        """64-bit hash of the position, whatever the order in which tiles were laid."""
        return int(self._kernels.key(state))

    def information_set(self, state: State, seat: int) -> int:
        """The position, as seen from a seat."""
        return rng.mix(self.key(state), seat)

    def observation(self, state: State, seat: int | None) -> dict[str, Any]:
        """JSON-ready state; the same for every seat and for spectators."""
        seats = range(self.num_seats(state))
        drawn = int(state[layout.TILE])
        return {
            "tiles": [
                {"tile": t.type, "x": t.x, "y": t.y, "rotation": t.rotation, "meeple": t.meeple and list(t.meeple)}
                for t in reading.laid_tiles(self._kernels, state)
            ],
            "player": self.current_player(state),
            "drawn": reading.TABLES.letters[drawn - 1] if drawn else None,
            "scores": list(self.scores(state)),
            "projected": list(self.projected_scores(state)),
            "in_hand": [int(state[layout.HAND + s]) for s in seats],
            "left": self._counts(state, layout.POOL),
            "discarded": self._counts(state, layout.DISCARDED),
        }

    def _counts(self, state: State, offset: int) -> dict[str, int]:
        return {letter: n for t, letter in enumerate(reading.TABLES.letters) if (n := int(state[offset + t]))}

    # ---- spelling
    def notation(self, state: State, action: int) -> str:
        """``U 1,0 90° field0``."""
        return reading.notation(state, action)

    def outcome_notation(self, state: State, outcome: int) -> str:
        """The letter of the drawn tile."""
        return reading.TABLES.letters[outcome]

    def parts(self, state: State, action: int) -> tuple[Part, ...]:
        """Cell, rotation, meeple, with the ids that `play_svg` gives to what is pointed at."""
        return spelling.parts(reading.placement(state, action))

    # ---- pictures and files
    def svg(self, state: State, *, seat: int | None = None, theme: str = "auto", width: int = 900) -> str:
        """The board with the last placement marked."""
        from games.carcassonne.board import render

        rows = [render.Tile(*tile) for tile in reading.laid_tiles(self._kernels, state)]
        return render.board_svg(
            render.Picture(rows, len(rows) - 1 if len(rows) > 1 else None), width=width, theme=theme
        )

    def replay_svg(
        self, states: Sequence[State], *, ply: int | None = None, theme: str = "page", prefix: str = ""
    ) -> str:
        """One SVG of a whole match: states after 0, 1, ... plies (attributes: `render.replay_svg`)."""
        from games.carcassonne.board import render

        placed, home = reading.whole_match(self._kernels, states)
        return render.replay_svg([render.Tile(*tile) for tile in placed], home, ply=ply, theme=theme, prefix=prefix)

    def play_svg(
        self, state: State, *, seat: int | None, theme: str = "page", prefix: str = "", recent: int = 1
    ) -> str:
        """The board with all that `seat` may point at (ids and marks: `board.play`)."""
        from games.carcassonne.board import play

        actions = self.legal_actions(state).tolist() if seat == self.current_player(state) else []
        return play.svg(self._kernels, state, actions, theme=theme, prefix=prefix, recent=recent)

    def panel(self, state: State, seat: int | None, *, prefix: str = "") -> Panel:
        """Tile in hand, meeples in hand, tiles left; the same for every seat and for spectators."""
        from games.carcassonne.play import panel

        return panel.of(state, prefix)

    def trace(self, match: Mapping[str, Any]) -> dict[str, Any]:
        """A match in the format carcassonne-trace-1; see `traces.write`."""
        return traces.write(self, match)

    def replay_trace(self, trace: Mapping[str, Any]) -> tuple[int, dict[str, Any] | None]:
        """Compare a match of a trace file with the rules, ply by ply."""
        return traces.replay(self, trace)


def _exercise(module: ModuleType, journal: bool) -> None:
    """Call every kernel that faces and engines call, with arguments of the real types."""
    state, r = np.zeros(layout.SIZE, np.int32), rng.new_stream(0, rng.ANALYSIS)
    buffer, points = np.zeros(layout.MAX_ACTIONS, np.int32), np.zeros(layout.MAX_SEATS, np.int64)
    j = np.ones(4 * layout.SIZE, np.int32)
    module.init(state, 2, np.zeros(2, np.int32))
    module.num_seats(state)
    module.chance_outcomes(state, buffer, np.zeros(layout.NUM_TYPES))
    module.is_placeable(state, 0)
    module.apply(state, int(module.sample_chance(state, r)), j)
    module.legal_actions(state, buffer)
    module.is_legal(state, int(buffer[0]))
    module.ordering.rank(0, state, int(buffer[0]))
    for policy, name in enumerate(module.policies.NAMES):
        if journal or name not in module.policies.NEEDS_JOURNAL:
            module.policies.choose(policy, state, r, buffer, j)
    module.apply(state, int(buffer[0]), j)
    module.current_player(state)
    module.scores(state, points)
    module.projected(state, points)
    module.key(state)
    module.has_meeple(state, 0)
    module.evaluation.evaluate(state, np.zeros(len(module.evaluation.WEIGHTS)), np.zeros(layout.MAX_SEATS))
    module.features.open_value(state, module.root(state, module.node(0, 0)), 0)
    assert module.current_player(state) != TERMINAL
