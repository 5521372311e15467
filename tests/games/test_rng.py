"""Random streams: published vectors, equal twins, uniform and independent draws."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from games import loader, rng
from tests import chances

# Blackman and Vigna's generator from the state 1, 2, 3, 4 (the vector that many libraries test)
FROM_1234 = [
    41943041,
    58720359,
    3588806011781223,
    3591011842654386,
    9228616714210784205,
    9973669472204895162,
    14011001112246962877,
    12406186145184390807,
    15849039046786891736,
    10450023813501588000,
]
# and from the state 0, 0, 0, 1, as a Fortran port of it publishes
FROM_0001 = [
    0x0000000000800000,
    0x0000000000800011,
    0x0002200000800011,
    0x0002200044000020,
    0x00022000448008A1,
    0x01102100802208A0,
    0x0114002284200880,
    0x0402896644A64095,
    0x8A14A0A244ACC891,
    0x8C88BA4680B20495,
]
# splitmix64 from the seed 1234567
SPLITMIX = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
LEVEL = 1e-6
"""A chi-square test with a fixed seed fails a right generator with this chance, once and for all."""


@pytest.fixture(scope="module", params=["plain", "jit", "checked"])
def twin(request: pytest.FixtureRequest) -> ModuleType:
    """The generator as the loader injects it."""
    module: ModuleType = dict(loader.frame(request.param))["rng"]
    return module


def words(*values: int) -> np.ndarray:
    return np.array(values, np.uint64)


def test_xoshiro_gives_the_published_numbers(twin: ModuleType) -> None:
    for state, expected in ((words(1, 2, 3, 4), FROM_1234), (words(0, 0, 0, 1), FROM_0001)):
        assert [int(twin.next_u64(state)) for _ in expected] == expected


def test_splitmix_seeds_with_the_published_numbers(twin: ModuleType) -> None:
    state = words(0, 0, 0, 0)
    twin.seed(state, np.uint64(1234567))
    assert state.tolist() == SPLITMIX


def test_twins_agree_for_a_long_run() -> None:
    compiled = dict(loader.frame("jit"))["rng"]
    ours, theirs = rng.new_stream(7, rng.SEARCH, 1, 2, 3), rng.new_stream(7, rng.SEARCH, 1, 2, 3)
    for n in range(1, 20_001):
        if n % 3:
            assert rng.below(ours, n) == compiled.below(theirs, np.int64(n))
        else:
            assert rng.uniform(ours) == compiled.uniform(theirs)
    assert ours.tolist() == theirs.tolist()
    for n in range(2_000):
        a, b = rng.next_u64(ours), rng.next_u64(ours)
        assert rng.finalise(a) == int(compiled.finalise(np.uint64(a)))
        assert rng.mix(a, b) == rng.mix2(a, b) == int(compiled.mix2(np.uint64(a), np.uint64(b))), n


def test_numbers_of_numpy_mix_like_those_of_python() -> None:
    most: Any = np.uint64(2**64 - 1)
    negative: Any = np.int64(-5)
    with np.errstate(over="raise"):
        assert rng.mix(most, negative) == rng.mix(2**64 - 1, -5)
        assert rng.finalise(most) == rng.finalise(2**64 - 1)


@pytest.mark.parametrize("n", [2, 6, 71])
def test_below_is_uniform(n: int) -> None:
    r = rng.new_stream(n, rng.ANALYSIS)
    counts = np.bincount([rng.below(r, n) for _ in range(400 * n)], minlength=n)
    assert len(counts) == n
    assert chances.of_counts(counts) > LEVEL


def test_below_reaches_both_ends_of_a_large_range() -> None:
    r, n = rng.new_stream(3, rng.ANALYSIS), 2**31 - 1
    drawn = [rng.below(r, n) for _ in range(2_000)]
    assert 0 <= min(drawn) < n // 100
    assert n - n // 100 < max(drawn) < n


def test_uniform_is_uniform_in_the_half_open_interval() -> None:
    r = rng.new_stream(4, rng.ANALYSIS)
    drawn = np.array([rng.uniform(r) for _ in range(20_000)])
    assert drawn.min() >= 0.0
    assert drawn.max() < 1.0
    assert chances.of_uniform(drawn) > LEVEL


def test_streams_of_different_arguments_never_meet() -> None:
    arguments = [
        (seed, purpose, a, b, c)
        for seed in (0, 1, 2**63 - 1)
        for purpose in (rng.DEAL, rng.SEARCH, rng.SCHEDULE, rng.ANALYSIS)
        for a in range(5)
        for b in range(6)
        for c in range(6)
    ]
    first = {rng.next_u64(rng.new_stream(*values)) for values in arguments}
    assert len(first) == len(arguments)


def test_neighbouring_streams_are_uncorrelated() -> None:
    drawn = np.array([[rng.uniform(rng.new_stream(1, rng.SEARCH, 0, ply, k)) for k in range(50)] for ply in range(40)])
    flat = drawn.ravel()
    # the correlation of n independent pairs has standard error 1 / sqrt(n)
    bound = 5 / np.sqrt(len(flat))
    assert abs(np.corrcoef(flat[:-1], flat[1:])[0, 1]) < bound
    assert abs(np.corrcoef(drawn[:-1].ravel(), drawn[1:].ravel())[0, 1]) < bound


def test_mix_minds_order_and_sign() -> None:
    assert rng.mix(1, 2) != rng.mix(2, 1)
    assert rng.mix(0) != rng.mix(0, 0)
    assert rng.mix(-1) == rng.mix(2**64 - 1)


def test_a_stream_is_the_same_in_place_and_anew() -> None:
    r = words(9, 9, 9, 9)
    rng.stream(r, 5, rng.DEAL, 1)
    assert r.tolist() == rng.new_stream(5, rng.DEAL, 1).tolist()


def test_mixing_goes_on_from_what_earlier_numbers_came_to() -> None:
    assert rng.mix(3, -1, after=rng.mix(7, 2)) == rng.mix(7, 2, 3, -1)
