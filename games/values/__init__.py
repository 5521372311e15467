"""Values that a game has learned: what a position is expected to bring every seat, in points.

A game that has one declares it in its `value` package (`Game.value`), which no rule depends on: an edit there compiles
itself anew, and the searches that use it. `value/kernels/value.py` is a template over the rules (R) with

``NUM_FEATURES``             numbers that the value knows of a position
``features(s, seat, out)``   writes them for one seat to out float64[NUM_FEATURES], from what the state holds

and, where it needs them, ``SCRATCH``, words behind those that `features` may write to, and a ``value`` of its own in
place of the shared one of `kernels/leaf.py`. Searches see `leaf.py` as V:

``V.value(s, weights, out)``  the expected final points of every seat to out float64[V.ROOM], its first MAX_SEATS
words (entries of absent seats stay; behind them lies scratch); once the match is over, the points themselves

Weights are an argument and never a constant, so new ones compile nothing. Sets of them lie by name in
`value/data/NAME.json`, each beside the log of its training (`NAME.log.json`; `python -m engines.learning`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.values import networks

Weights = NDArray[np.float64]
FORMAT = "value-1"
KERNELS = Path(__file__).parent / "kernels"
LOG = ".log.json"
NONE = np.zeros(1)
"""Weights where no value is used."""


@dataclass(frozen=True)
class Training:
    """How a value is learned unless the command says otherwise.

    teacher: policy that plays the first round; hidden: units of the hidden layer, 0 for a linear value;
    matches: of each round; epsilon: share of random plies; rate: share of positions that are kept; trace: lambda, how
    much later values count in what a position learns, an action further (1: final points alone); settle: chance at
    each ply that it is the last random one of the match, and that positions are kept from there on (0: random plies go
    on, and all positions count); candidates: actions that a seat weighs by the value, those that promise most by the
    guess of the game (0: all); more_seats: tables of which as many matches are played; options: rules of the matches,
    as JSON.
    """

    teacher: str = "random"
    hidden: int = 16
    seats: int = 2
    rounds: int = 4
    matches: int = 10_000
    epsilon: float = 0.1
    rate: float = 0.25
    trace: float = 0.9
    settle: float = 0.0
    candidates: int = 0
    more_seats: tuple[int, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class GameValue:
    """The value of one game, one object each. folder: the package that holds its kernels and its sets of weights."""

    folder: Path
    training: Training = Training()

    @property
    def digest(self) -> str:
        """Stands in a tag for what a template over a value depends on: the loader sees one file a template."""
        sources = [self.folder / "kernels" / "value.py", KERNELS / "network.py", KERNELS / "leaf.py"]
        return hashlib.sha256(b"\0".join(path.read_bytes() for path in sources)).hexdigest()[:8]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the sets of weights."""
        return _names(self.folder)

    def weights(self, name: str) -> Weights:
        """A set of weights. Raises KeyError for a name that is not there."""
        if name not in self.names:
            raise KeyError(name)
        return _weights(self.path(name)).copy()

    def path(self, name: str) -> Path:
        """The file of a set."""
        return self.folder / "data" / f"{name}.json"


@cache
def _names(folder: Path) -> tuple[str, ...]:
    files = sorted((folder / "data").glob("*.json"))
    return tuple(path.stem for path in files if not path.name.endswith(LOG))


def read(path: Path) -> Weights:
    """The weights in a file."""
    data = json.loads(path.read_text(encoding="utf-8"))
    assert data["format"] == FORMAT, f"{path.name} is of format {data['format']!r}"
    weights = np.array(data["weights"], np.float64)
    assert len(weights) == networks.size(data["features"], data["hidden"]), f"{path.name} has another size"
    return weights


_weights = cache(read)


def text(num_features: int, weights: Weights) -> str:
    """A set of weights as its file has it: numbers as short as single precision allows."""
    hidden = networks.hidden_units(num_features, len(weights))
    numbers = ", ".join(map(str, weights.astype(np.float32)))
    head = f'"format": "{FORMAT}", "features": {num_features}, "hidden": {hidden}'
    return f'{{{head}, "weights": [{numbers}]}}\n'
