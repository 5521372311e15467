"""Bit counting: the compiled twin does what the plain one does."""

from __future__ import annotations

import numpy as np
import pytest

from games import bits, loader, rng


@pytest.mark.parametrize("mode", ["jit", "checked"])
def test_twins_agree(mode: str) -> None:
    compiled, r = dict(loader.frame(mode))["bits"], rng.new_stream(1, rng.ANALYSIS)
    for k in range(500):
        number = (rng.next_u64(r) >> 1) >> (k % 63)
        assert compiled.popcount(np.int64(number)) == bits.popcount(number)
        if number:
            assert compiled.lowest_bit(np.int64(number)) == bits.lowest_bit(number)


def test_hand_made_numbers() -> None:
    assert [bits.popcount(x) for x in (0, 1, 0b1011, 2**62)] == [0, 1, 3, 1]
    assert [bits.lowest_bit(x) for x in (1, 0b1000, 0b1010, 2**62)] == [0, 3, 1, 62]
