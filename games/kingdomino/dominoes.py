"""The 48 dominoes as tables: facts in ``data/dominoes.json``, turned into flat arrays for the kernels."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Table = NDArray[np.int64]

TERRAINS = ("wheat", "forest", "lake", "pasture", "swamp", "mine")
NUM_DOMINOES = 48
MAX_CROWNS = 3


@dataclass(frozen=True)
class DominoTables:
    """All that the kernels know of the dominoes, by index = number - 1; end 0 is a, end 1 is b."""

    terrain: Table  # [48 * 2] index in TERRAINS of an end
    crowns: Table  # [48 * 2]
    is_equal: Table  # [48] 1 where both ends are the same: turned round, it is no other placement


@cache
def load() -> DominoTables:
    """Read and check the data file. Raises ValueError where it does not hold 48 dominoes."""
    data: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "dominoes.json").read_text(encoding="utf-8"))
    rows = sorted(data["dominoes"], key=lambda row: row["number"])
    if [row["number"] for row in rows] != list(range(1, NUM_DOMINOES + 1)):
        raise ValueError(f"dominoes.json must hold the numbers 1 to {NUM_DOMINOES}")
    ends = [row[end] for row in rows for end in ("a", "b")]
    terrain = np.array([TERRAINS.index(end["terrain"]) for end in ends], np.int64)
    crowns = np.array([end["crowns"] for end in ends], np.int64)
    is_equal = (terrain[::2] == terrain[1::2]) & (crowns[::2] == crowns[1::2])
    return DominoTables(terrain, crowns, is_equal.astype(np.int64))
