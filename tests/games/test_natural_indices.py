"""Indices of kernels are taken as they are: compiled with bounds checks, one below zero is refused."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest

from games.inner_kernels import KernelCompiler

VALUES = np.arange(6).reshape(2, 3)


def _read(values: Any, row: int, column: int) -> Any:
    return values[row, column] + values[row][column] + values[-1, -1]


def _write(values: Any, row: int, column: int) -> None:
    values[row, column] = 7


@pytest.mark.parametrize("function", [_read, _write])
def test_an_index_below_zero_does_not_count_from_the_end(function: Any) -> None:
    njit: Any = numba.njit
    kernel = njit(pipeline_class=KernelCompiler, boundscheck=True)(function)
    values = VALUES.copy()
    assert kernel(values, 1, 1) == function(VALUES.copy(), 1, 1)
    with pytest.raises(IndexError):
        kernel(values, -1, 1)
    with pytest.raises(IndexError):
        kernel(values, 1, -1)
