"""Numbers fitted to play, kept as data: the value of positions, and how seats play (`tests.bench.fit_dominoes`)."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

FILE = Path(__file__).parent / "fitted.json"
"""Kernels get these numbers as arguments, so their machine code does not depend on the file."""


@cache
def data() -> Any:
    """The whole file: weights, and how well they held on play that they were not fitted to."""
    return json.loads(FILE.read_bytes())


@cache
def value() -> NDArray[np.float64]:
    """Weights of the fitted evaluation, in points, in the order of `worlds.WEIGHTS`."""
    return np.array(data()["value"]["weights"], np.float64).reshape(-1)


@cache
def playout_policy() -> NDArray[np.float64]:
    """Weights of `playout_policy`, phase by phase."""
    return np.array(data()["manner"]["weights"], np.float64).reshape(-1)
