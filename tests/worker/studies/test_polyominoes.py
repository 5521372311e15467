"""Polyominoes: the stored numbers against a count, the thesis' table, and each other."""

from __future__ import annotations

import itertools

import pytest

from worker.studies import polyominoes

PRINTED = {
    46: 68557762666345165410168738,
    47: 272680844424943840614538634,
    48: 1085035285182087705685323738,
    49: 4319331509344565487555270660,
    50: 17201460881287871798942420736,
    51: 68530413174845561618160604928,
    52: 273126660016519143293320026256,
    53: 1088933685559350300820095990030,
    54: 4342997469623933155942753899000,
    55: 17326987021737904384935434351490,
    56: 69150714562532896936574425480218,
}
"""Table 3.1 of the thesis: its exact numbers of fixed polyominoes."""
FREE = {46: 8.6e24, 47: 3.4e25, 50: 2.2e27, 56: 8.6e30, 57: 3.5e31, 60: 2.2e33, 64: 5.7e35, 68: 1.5e38, 72: 3.8e40}
FIXED = {57: 2.8e32, 58: 1.1e33, 60: 1.8e34, 65: 1.8e37, 69: 4.7e39, 70: 1.9e40, 71: 7.5e40, 72: 3.0e41}
"""The same table: its approximations, with two digits."""


def counted(largest: int) -> list[int]:
    """Fixed polyominoes of 1 .. largest squares (Redelmeier 1981)."""
    counts = [0] * (largest + 1)

    def grow(untried: list[tuple[int, int]], seen: set[tuple[int, int]], size: int) -> None:
        while untried:
            x, y = untried.pop()
            counts[size + 1] += 1
            if size + 1 < largest:
                beside = ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))
                new = [(u, v) for u, v in beside if (v > 0 or (v == 0 and u >= 0)) and (u, v) not in seen]
                grow([*untried, *new], seen | set(new), size + 1)

    grow([(0, 0)], {(0, 0)}, 0)
    return counts[1:]


def test_small_numbers_are_those_of_a_count() -> None:
    exact = [row.exact for row in polyominoes.table(9)]
    assert exact == counted(9)


def test_exact_numbers_are_those_that_the_thesis_prints() -> None:
    rows = polyominoes.table(72)
    assert {n: rows[n - 1].exact for n in PRINTED} == PRINTED


def test_approximations_are_those_that_the_thesis_prints() -> None:
    rows = polyominoes.table(72)
    for n, free in FREE.items():
        assert rows[n - 1].free == pytest.approx(free, rel=0.03), n
    for n, fixed in FIXED.items():
        assert rows[n - 1].approximation == pytest.approx(fixed, rel=0.03), n
    # its sum of 5e40 is that of the free ones
    assert sum(row.free for row in rows) == pytest.approx(5e40, rel=0.01)


def test_numbers_grow_smoothly() -> None:
    """A wrong digit anywhere would break the ratio of neighbours, which falls ever more slowly to 4.0626."""
    exact = [row.exact for row in polyominoes.table(72) if row.exact is not None]
    assert len(exact) == 70
    ratios = [exact[n] * (n + 1) / (exact[n - 1] * n) for n in range(20, 70)]
    falls = [a - b for a, b in itertools.pairwise(ratios)]
    assert all(0 < later < earlier for earlier, later in itertools.pairwise(falls))
    assert ratios[-1] == pytest.approx(4.0626, abs=0.001)


def test_what_is_not_known_is_approximated() -> None:
    rows = polyominoes.table(72)
    assert rows[71].exact is None
    assert rows[69].exact == pytest.approx(rows[69].approximation, rel=0.02)
