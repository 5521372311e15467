"""Strategies: players that people write down as data, for games that have a form for them.

A strategy is JSON of the game's own form, with a version and a name. What a spec holds is the
data itself, so that what is edited or deleted later changes no experiment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from games.json_paths import PathError

Data = Mapping[str, Any]
Chooser = Callable[[NDArray[np.int32], NDArray[np.uint64]], int]
"""(what the seat on turn sees, its generator) -> its action; leaves the view as it is."""


class StrategyError(PathError):
    """A strategy that cannot be played; its place is e.g. ``buy[2].when[0].card``."""


class Strategies(Protocol):
    """Strategies that people write for a game: its `strategies`."""

    @property
    def examples(self) -> Mapping[str, Data]:
        """Strategies to start from, by id."""

    def check(self, data: Any) -> dict[str, Any]:
        """The strategy with all that it leaves out filled in. Raises StrategyError."""

    def describe(self, data: Data) -> Sequence[tuple[str, Sequence[str]]]:
        """(heading, rules in words) of each part of a checked strategy, as pages list them."""

    def program(self, data: Data) -> tuple[int, ...]:
        """A checked strategy as numbers, for kernels that play whole matches (`games.courses`)."""

    def chooser(self, game: Any, data: Data) -> Chooser:
        """The player that plays a checked strategy. game: the `games.protocol.Game` that it is of."""
