"""Random streams in plain Python: splitmix64 seeds, xoshiro256++ draws.

This is the readable twin of `rng_jit` among the kernels; both give the same numbers. A generator is a
``uint64[4]`` array, passed explicitly and consumed by its receiver. Sources: Steele,
Lea, Flood 2014 (splitmix64); Blackman, Vigna 2019 (xoshiro256++); Lemire 2019 (bounded
draws by multiplication, without the correction step: bias below n / 2^32).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Rng = NDArray[np.uint64]
"""State of a generator, ``uint64[4]``; the function that receives it consumes it."""

DEAL, SEARCH, SCHEDULE, ANALYSIS = 1, 2, 3, 4
"""Purposes of streams: two streams of different purpose never meet."""

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15


def finalise(x: int) -> int:
    """The output function of splitmix64: a bijection of 64-bit numbers."""
    x = int(x)
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


def mix(*values: int, after: int = 0) -> int:
    """One 64-bit number from several, order mattering (negative ones as two's complement).

    after: what the numbers before these came to, so that ``mix(a, b) == mix(b, after=mix(a))``.
    """
    h = after
    for value in values:  # `finalise`, spelt out: a ply's stream takes nine, and calls are half of what they cost
        x = ((h ^ (int(value) & _MASK)) + _GOLDEN) & _MASK
        x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
        h = x ^ (x >> 31)
    return h


def seed(r: Rng, value: int) -> None:
    """Fill generator `r` with four outputs of splitmix64 started at `value`."""
    x = int(value) & _MASK
    for i in range(4):
        x = (x + _GOLDEN) & _MASK
        r[i] = finalise(x)


def stream(r: Rng, seed_value: int, purpose: int, a: int = 0, b: int = 0, c: int = 0) -> None:
    """Fill `r` with the stream of (seed, purpose, a, b, c)."""
    seed(r, mix(seed_value, purpose, a, b, c))


def new_stream(seed_value: int, purpose: int, a: int = 0, b: int = 0, c: int = 0) -> Rng:
    """A fresh generator on the stream of (seed, purpose, a, b, c)."""
    r = np.zeros(4, np.uint64)
    stream(r, seed_value, purpose, a, b, c)
    return r


def _rotl(x: int, k: int) -> int:
    return ((x << k) | (x >> (64 - k))) & _MASK


def next_u64(r: Rng) -> int:
    """Draw the next 64 bits."""
    s0, s1, s2, s3 = (int(word) for word in r)
    result = (_rotl((s0 + s3) & _MASK, 23) + s0) & _MASK
    t = (s1 << 17) & _MASK
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= t
    s3 = _rotl(s3, 45)
    r[0], r[1], r[2], r[3] = s0, s1, s2, s3
    return result


def below(r: Rng, n: int) -> int:
    """Draw a whole number from 0 to n - 1, for 0 < n < 2^31."""
    return ((next_u64(r) >> 32) * int(n)) >> 32


def uniform(r: Rng) -> float:
    """Draw a float in [0, 1) with 53 bits."""
    return (next_u64(r) >> 11) * 2.0**-53


def mix2(a: int, b: int) -> int:
    """`mix` of two numbers (the compiled twin takes no more)."""
    return mix(a, b)
