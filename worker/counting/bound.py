"""The most points that a number of dominoes can bring wherever they lie, by integer programming.

Geometry is left out: all squares of a terrain count as one area, which never has fewer points
than several. What remains is which dominoes to take. Each terrain has one of all possible
pairs (squares, crowns), so the product of the two is linear in those choices; HiGHS solves it to
proved optimality.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import lil_array

from games.kingdomino import dominoes


@dataclass(frozen=True)
class Bound:
    """Bound on the points of every kingdom of this size. areas: terrain -> (squares, crowns) of the optimum."""

    points: int
    areas: dict[str, tuple[int, int]]
    numbers: tuple[int, ...]


@cache
def most_points(num_dominoes: int, not_all: tuple[int, ...] = ()) -> Bound:
    """The bound for at most that many of the 48 dominoes. Raises ValueError for a number out of range.

    not_all: dominoes of which one at least is left out.
    """
    count = dominoes.NUM_DOMINOES
    if not 1 <= num_dominoes <= count:
        raise ValueError(f"there are 1 to {count} dominoes, not {num_dominoes}")
    areas = _areas(num_dominoes)
    gains = np.array([0.0] * count + [-float(size * number) for _, size, number in areas])
    found = milp(
        gains,
        constraints=_program(num_dominoes, not_all, areas),
        integrality=np.ones(len(gains)),
        bounds=Bounds(0, 1),
        options={"mip_rel_gap": 0.0},
    )
    if found.x is None or found.status != 0:
        raise RuntimeError(f"the program was not solved: {found.message}")
    taken = np.flatnonzero(found.x > 0.5)
    best = {dominoes.TERRAINS[t]: (s, c) for t, s, c in (areas[i - count] for i in taken if i >= count) if s * c}
    numbers = tuple(int(i) + 1 for i in taken if i < count)
    return Bound(sum(size * number for size, number in best.values()), best, numbers)


def _areas(num_dominoes: int) -> list[tuple[int, int, int]]:
    """Possible areas: (terrain, squares, crowns)."""
    squares, crowns = _sums()
    return [
        (terrain, size, number)
        for terrain in range(len(dominoes.TERRAINS))
        for size in range(min(2 * num_dominoes, int(squares[terrain].sum())) + 1)
        for number in range(int(crowns[terrain].sum()) + 1)
    ]


def _program(num_dominoes: int, not_all: tuple[int, ...], areas: list[tuple[int, int, int]]) -> LinearConstraint:
    """The constraints over 48 dominoes, taken or not, and all areas, of which each terrain has one."""
    squares, crowns = _sums()
    count = dominoes.NUM_DOMINOES
    rows = lil_array((2 + 3 * len(squares), count + len(areas)))
    low, high = np.zeros(rows.shape[0]), np.zeros(rows.shape[0])
    rows[0, :count] = 1
    high[0] = num_dominoes
    rows[-1, [number - 1 for number in not_all]] = 1
    high[-1] = max(len(not_all) - 1, 0)
    for terrain in range(len(squares)):
        one, size_row, crown_row = 1 + 3 * terrain, 2 + 3 * terrain, 3 + 3 * terrain
        low[one] = high[one] = 1
        rows[size_row, :count], rows[crown_row, :count] = squares[terrain], crowns[terrain]
    for at, (terrain, size, number) in enumerate(areas, start=count):
        rows[1 + 3 * terrain, at], rows[2 + 3 * terrain, at], rows[3 + 3 * terrain, at] = 1, -size, -number
    return LinearConstraint(rows.tocsr(), low, high)


def _sums() -> tuple[np.ndarray, np.ndarray]:
    """Squares and crowns of each terrain on each domino [terrains, dominoes]."""
    tables = dominoes.load()
    squares = np.zeros((len(dominoes.TERRAINS), dominoes.NUM_DOMINOES), np.int64)
    crowns = np.zeros_like(squares)
    for end, (terrain, number) in enumerate(zip(tables.terrain, tables.crowns, strict=True)):
        squares[terrain, end // 2] += 1
        crowns[terrain, end // 2] += number
    return squares, crowns
