"""The formulas of selection, worked out by hand; the thesis on Dominion prints some of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from engines import templates
from engines.kernel_arguments import Formula
from games import rng
from tests.looping import looped
from tests.trees import nodes

KERNELS = templates.load("selection", nodes.FOLDER, False, "plain")
PARENT = 25
CHILDREN = ((7, 0.85), (17, 0.9), (1, 0.3))
"""(visits, mean): the thesis' example (section 2.3)."""


def formula(**changed: Any) -> Formula:
    plain = {"kind": KERNELS.UCB1, "c": 1.0, "dynamic": KERNELS.CONSTANT, "least": 0.01, "most": 0.25}
    return Formula(**plain | {"unit_scale": 1.0, "unit_offset": 0.0, "last": False} | changed)


def explored(f: Any, n: float, variance: float = 0.0, parent: float = PARENT, seed: int = 1) -> float:
    return float(KERNELS.exploration(f, n, variance, math.log(parent), rng.new_stream(seed, rng.ANALYSIS)))


@pytest.mark.parametrize(("c", "printed"), [(0.3, [1.05, 1.03, 0.84]), (1.0, [1.53, 1.34, 2.09])])
def test_ucb1_as_printed(c: float, printed: list[float]) -> None:
    found = [mean + explored(formula(c=c), n) for n, mean in CHILDREN]
    assert found == pytest.approx(printed, abs=0.005)


def test_the_modified_formula_has_the_quotient_inside_the_logarithm() -> None:
    modified = formula(kind=KERNELS.MODIFIED, c=0.3)
    found = [mean + explored(modified, n) for n, mean in CHILDREN]
    # 0.3 sqrt(ln(25 / 7)), sqrt(ln(25 / 17)), sqrt(ln 25) with ln 3.571 = 1.273, ln 1.471 = 0.386, ln 25 = 3.219
    assert found == pytest.approx([0.85 + 0.3386, 0.9 + 0.1863, 0.3 + 0.5382], abs=2e-4)
    assert explored(modified, 25.0) == 0.0
    assert explored(modified, 30.0) == 0.0, "more visits than its parent has, where only the last seat learns"


@looped(
    "dynamic, c, n, variance, expected",
    [
        ("TIME", 1.0, 4.0, 0.0, 0.25),  # 1 / sqrt(4), but at most a quarter
        ("TIME", 1.0, 64.0, 0.0, 0.125),
        ("TIME", 1.0, 1e6, 0.0, 0.01),  # at least a hundredth
        ("VARIANCE", 0.5, 9.0, 0.2, 0.1),
        ("VARIANCE", 0.5, 9.0, 0.0, 0.01),
        ("VARIANCE", 9.0, 9.0, 0.2, 0.25),
    ],
)
def test_a_changing_constant_stays_within_its_bounds(
    dynamic: str, c: float, n: float, variance: float, expected: float
) -> None:
    f = formula(dynamic=getattr(KERNELS, dynamic), c=c)
    assert KERNELS.constant(f, n, variance) == pytest.approx(expected)
    assert explored(f, n, variance) == pytest.approx(expected * math.sqrt(math.log(PARENT) / n))


def test_variances_are_taken_on_the_unit_scale() -> None:
    # a deviation of 20 points is a tenth of 200: a variance of 0.01
    f = formula(dynamic=KERNELS.VARIANCE, c=5.0, unit_scale=1 / 200)
    assert explored(f, 9.0, 400.0) == pytest.approx(0.05 * math.sqrt(math.log(PARENT) / 9))


def test_draws_from_normal_beliefs_lie_around_the_mean() -> None:
    normal = formula(kind=KERNELS.NORMAL, c=2.0)
    drawn = np.array([explored(normal, 8.0, 0.16, seed=seed) for seed in range(3000)])
    deviation = 2.0 * math.sqrt((8 * 0.16 + 0.25) / 9 / 8)
    # four standard errors: of a mean s / sqrt(N), of a deviation s / sqrt(2 N)
    assert drawn.mean() == pytest.approx(0.0, abs=4 * deviation / math.sqrt(3000))
    assert drawn.std() == pytest.approx(deviation, abs=4 * deviation / math.sqrt(6000))


def test_of_equals_the_first_or_the_last_is_better() -> None:
    assert not KERNELS.is_better(formula(), 1.0, 1.0)
    assert KERNELS.is_better(formula(last=True), 1.0, 1.0)
    assert not KERNELS.is_better(formula(last=True), 0.9, 1.0)
