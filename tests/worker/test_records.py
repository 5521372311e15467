from __future__ import annotations

import dataclasses

import pytest

from tests.records import samples
from worker.records import margin


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ((), ()),
        ((5,), (5,)),
        ((5, 3), (2, -2)),
        ((4, 4), (0, 0)),
        ((7, 2, 7), (0, -5, 0)),
        ((1, 9, 3, 4), (-8, 5, -6, -5)),
    ],
)
def test_margins_are_points_less_those_of_the_best_opponent(scores: tuple[int, ...], expected: tuple[int, ...]) -> None:
    record = dataclasses.replace(samples.match(0), scores=scores)
    assert record.margins() == expected == tuple(margin(scores, seat) for seat in range(len(scores)))


def test_partners_are_no_opponents() -> None:
    record = dataclasses.replace(samples.match(0), scores=(3, 8, 3, 8), versions={"dominoes": "1"})
    assert record.margins() == (-5, 5, -5, 5)
