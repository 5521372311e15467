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
from games.kingdomino import reading, traces
from games.kingdomino import state as layout
from games.kingdomino.deal import DominoDeal
from games.options import option
from games.protocol import CHANCE, TERMINAL, Actions, IllegalActionError, Rng, State, Traits

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
        "",
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
    policies = ("random", "tr", "gprd", "gprd_plain", "fg", "fg_plain", "pg")
    evaluations: Mapping[str, Mapping[str, float]] = {}
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
    def initial_state(self, options: Options, num_seats: int) -> State:
        """Castles alone. Raises ValueError for a wrong number of seats."""
        if not self.traits.min_seats <= num_seats <= self.traits.max_seats:
            raise ValueError(f"Kingdomino has 2 to {layout.MAX_SEATS} seats, not {num_seats}")
        if options.size == "7" and num_seats != 2:
            raise ValueError(f"the Mighty Duel has 2 seats, not {num_seats}")
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

    def scores(self, state: State) -> tuple[int, ...]:
        """Points per seat as the kingdoms stand."""
        points = np.zeros(layout.MAX_SEATS, np.int64)
        self._kernels.scores(state, points)
        return tuple(points[: self.num_seats(state)].tolist())

    def notation(self, state: State, action: int) -> str:
        """``12 at 1,0 2,0, takes 33``."""
        return reading.notation(state, action)

    def outcome_notation(self, state: State, outcome: int) -> str:
        """The number of the domino drawn, or whose king."""
        return f"king of seat {outcome - layout.KING}" if outcome >= layout.KING else str(outcome + 1)

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
