"""Searches over hidden hands, as engines ask a game for them (`Game.hands`).

All values are for the team of the seat on turn, in points or what is worth as much. A state is one in which
a seat is on turn; kernels are the game's rules as `Hands.compile_searches` hands them back.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

TO_THE_END = -1
"""Depth of a search to the end of the round."""
State = NDArray[np.int32]
Actions = NDArray[np.int32]


@dataclass(frozen=True)
class Valuation:
    """Valuation of positions.

    evaluation: where a search ends; payoff: where a round ends, by pips as the authors' program
    reckons, by the points of the rules, or by what they do for the match; tile_worth: points for a
    tile laid more, of ``pips_tiles``.
    """

    evaluation: str = "pips"
    payoff: str = "points"
    tile_worth: int = 1


@dataclass(frozen=True)
class Inference:
    """Inference from the others' play about their hands.

    kind: nothing, by levels (``flat``, ``per_legal``) or by fitted play (``manner``); level: of the others, by
    fitted play a power of its likelihood; depth: turns of the search that the others are thought to make;
    adapts: each of the others has a level that is unknown when the round begins, any alike, in place of `level`.
    """

    kind: str = "none"
    level: float = 1.0
    depth: int = 0
    adapts: bool = False


@dataclass(frozen=True)
class Sampling:
    """Sampling of worlds: how they are drawn, weighed and searched.

    all_below: where no more deals are possible all are taken, once each; depth: turns after each action;
    playouts: rounds played by the playout policy instead of a search, where not 0; is_common: whether
    all actions meet the same worlds; is_postponed: whether the seat's next action is one for all worlds that
    look alike by then (EPIMC).
    """

    sampler: str = "exact"
    is_common: bool = True
    all_below: int = 0
    depth: int = TO_THE_END
    playouts: int = 0
    sharpness: float = 4.0
    inference: Inference = Inference()
    is_postponed: bool = False
    valuation: Valuation = Valuation()


@dataclass(frozen=True)
class TreeGrowth:
    """Growth of one tree over all worlds. c: exploration, in points; with inference worlds come up as they weigh."""

    c: float = 30.0
    selection: str = "manner"
    sharpness: float = 4.0
    inference: Inference = Inference()
    valuation: Valuation = Valuation()


@dataclass(frozen=True)
class ActionValues:
    """Values of actions and turns made below each, float64[2, n]; all turns made; how deep it went after each."""

    rows: NDArray[np.float64]
    nodes: int
    depth: int

    @property
    def values(self) -> NDArray[np.float64]:
        """Float64[n]."""
        return np.asarray(self.rows[0], np.float64)

    @property
    def visits(self) -> NDArray[np.int64]:
        """Turns made below each action in the search that counts, int64[n]."""
        return np.asarray(self.rows[1], np.int64)


class WorldSearch(Protocol):
    """One decision over many worlds (PIMC)."""

    worlds: int
    """Number of worlds searched."""

    @property
    def number(self) -> int | None:
        """Number of all worlds, where they are taken one by one."""

    @property
    def depth(self) -> int:
        """Turns searched from each action on, 0: to the end of the round."""

    @property
    def nodes(self) -> int:
        """The turns that were made in all."""

    def add(self, first: int, count: int) -> None:
        """Search worlds number first, ..., first + count - 1."""

    def means(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Mean value of each action, and the standard deviation of one world (NaN below two)."""


class TreeSearch(Protocol):
    """One decision by a single tree over all worlds (ISMCTS)."""

    @property
    def nodes(self) -> int:
        """The turns that were made in all."""

    def add(self, first: int, count: int) -> None:
        """Simulations number first, ..., first + count - 1, in order."""

    def statistics(self) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
        """Statistics by action: mean value, number of tries, deviation of one value; NaN where there is none."""


class Hands(Protocol):
    """Searches that a game with hands offers."""

    def compile_searches(self, kernels: ModuleType) -> ModuleType:
        """The rules' kernels, with all that searches call compiled and loaded."""

    def sorted_actions(self, legal: Actions) -> Actions:
        """Actions that can be searched in the order in which they are tried: of equal values the first is taken."""

    def turns(self, state: State) -> int:
        """Turns of the present round, passes included."""

    def is_first_tile(self, view: State) -> bool:
        """Whether the seat on turn has laid nothing yet."""

    def most_appealing(self, kernels: ModuleType, view: State, seat: int, actions: Actions) -> int:
        """The action that appeals most to a seat that plays by the playout policy."""

    def program(self) -> tuple[int, ...]:
        """The playout policy as numbers (`games.courses`)."""

    def double_dummy(
        self, kernels: ModuleType, state: State, actions: Actions, depth: int, valuation: Valuation
    ) -> ActionValues:
        """Value of each action and `depth` turns after it, all hands known. Raises ValueError for unknown hands."""

    def imperfect_minimax(
        self,
        kernels: ModuleType,
        state: State,
        actions: Actions,
        depth: int,
        valuation: Valuation,
        *,
        is_unsound: bool = False,
    ) -> ActionValues:
        """Value of each action by Imperfect Minimax; is_unsound: prune as the authors' program does."""

    def pimc(
        self, kernels: ModuleType, view: State, seat: int, actions: Actions, sampling: Sampling, seed: int
    ) -> WorldSearch:
        """A decision over many worlds, none of them searched yet."""

    def ismcts(
        self, kernels: ModuleType, view: State, seat: int, actions: Actions, growth: TreeGrowth, seed: int
    ) -> TreeSearch:
        """A decision by one tree, which has its root alone yet."""
