"""Compiled twin of `games.rng`: a template, executed by `games.loader`."""

import numpy as np

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)
_S11, _S17, _S23, _S27 = np.uint64(11), np.uint64(17), np.uint64(23), np.uint64(27)
_S30, _S31, _S32 = np.uint64(30), np.uint64(31), np.uint64(32)
_S41, _S45, _S19 = np.uint64(41), np.uint64(45), np.uint64(19)


@kernel
def finalise(x):
    x = (x ^ (x >> _S30)) * _M1
    x = (x ^ (x >> _S27)) * _M2
    return x ^ (x >> _S31)


@kernel
def mix2(a, b):
    """`mix` of two uint64."""
    return finalise((finalise(a + _GOLDEN) ^ b) + _GOLDEN)


@kernel
def seed(r, value):
    x = value
    for i in range(4):
        x = x + _GOLDEN
        r[i] = finalise(x)


@kernel
def next_u64(r):
    s0, s1, s2, s3 = r[0], r[1], r[2], r[3]
    x = s0 + s3
    result = ((x << _S23) | (x >> _S41)) + s0
    t = s1 << _S17
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= t
    s3 = (s3 << _S45) | (s3 >> _S19)
    r[0], r[1], r[2], r[3] = s0, s1, s2, s3
    return result


@kernel
def below(r, n):
    return np.int64(((next_u64(r) >> _S32) * np.uint64(n)) >> _S32)


@kernel
def uniform(r):
    return np.float64(next_u64(r) >> _S11) * 2.0**-53
