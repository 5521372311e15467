"""Bit counting in plain Python: the readable twin of `bits_jit` among the kernels."""

from __future__ import annotations


def popcount(x: int) -> int:
    """Number of ones in a non-negative integer."""
    return int(x).bit_count()


def lowest_bit(x: int) -> int:
    """Index of the lowest one; `x` must not be zero."""
    return (int(x) & -int(x)).bit_length() - 1
