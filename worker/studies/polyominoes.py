"""Polyominoes, the thesis' bound of the state space: shapes that n tiles can form (Heyden 2009, section 3.1)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

DATA = Path(__file__).parent / "data" / "polyominoes.json"
THESIS_EXACT = 56
"""Up to here the thesis had exact numbers (Jensen 2003); newer ones reach further."""
SYMMETRIES = 8
"""A free polyomino without symmetry is eight fixed ones."""


@dataclass(frozen=True)
class Shapes:
    """Polyominoes of n squares. exact: fixed ones, where known; approximation: c * lambda^n / n of them.

    free: as the thesis counts them, an eighth of the fixed ones it had (exact up to 56).
    """

    n: int
    exact: int | None
    approximation: float
    free: float


@cache
def table(largest: int) -> tuple[Shapes, ...]:
    """Rows for 1 .. `largest` squares."""
    data = json.loads(DATA.read_text(encoding="utf-8"))
    exact = [int(number) for number in data["fixed"]]
    rows = []
    for n in range(1, largest + 1):
        known = exact[n - 1] if n <= len(exact) else None
        approximation = data["c"] * data["lambda"] ** n / n
        used = known if known is not None and n <= THESIS_EXACT else approximation
        rows.append(Shapes(n, known, approximation, used / SYMMETRIES))
    return tuple(rows)
