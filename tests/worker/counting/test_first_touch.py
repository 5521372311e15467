"""The published search: 989,421 end states, 801,973 of them complete."""

from __future__ import annotations

import pytest

from worker.counting.board import Board
from worker.counting.first_touch import FirstTouch


@pytest.mark.long
def test_the_edge() -> None:
    found = FirstTouch(Board(3, 3, 1))
    assert (found.ends, found.complete) == (52_308, 0)


@pytest.mark.slow
def test_the_printed_numbers() -> None:
    found = [FirstTouch(Board(3, 3, cell)) for cell in (0, 1, 4)]
    assert [(one.ends, one.complete) for one in found] == [(204_248, 193_252), (52_308, 0), (732_865, 608_721)]
    assert (sum(one.ends for one in found), sum(one.complete for one in found)) == (989_421, 801_973)


def test_it_needs_a_castle() -> None:
    with pytest.raises(ValueError, match="castle"):
        FirstTouch(Board(3, 3))
