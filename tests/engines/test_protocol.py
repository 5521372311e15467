"""Budgets: JSON both ways, and every bad value refused by its key."""

from __future__ import annotations

from typing import Any

import pytest

from engines.protocol import BUDGET_LABELS, BUDGET_MAXIMUM, Budget
from games.options import OptionError
from tests.looping import looped


@looped(
    "key, value, message",
    [
        ("playouts", 0, "above 0 and at most"),
        ("playouts", -1, "not -1"),
        ("playouts", 10_000_001, "at most 10000000"),
        ("playouts", 1.5, "whole number, not 1.5"),
        ("playouts", True, "whole number, not true"),
        ("playouts", "9", "whole number, not '9'"),
        ("depth", 21, "at most 20, not 21"),
        ("seconds_per_ply", 0, "above 0"),
        ("seconds_per_ply", 601, "at most 600"),
        ("seconds_per_ply", float("nan"), "not NaN"),
        ("seconds_per_match", float("inf"), "at most 36000"),
        ("seconds_per_match", None, "number, not null"),
        ("patience", 3, "unknown budget; known: playouts"),
        ("cpu_clock", False, "unknown budget"),
    ],
)
def test_a_bad_value_is_refused_by_its_key(key: str, value: Any, message: str) -> None:
    with pytest.raises(OptionError) as caught:
        Budget.from_json({key: value})
    assert caught.value.field == key
    assert message in caught.value.message


@pytest.mark.parametrize("data", [None, [], 3, "playouts"])
def test_what_is_no_object_is_refused(data: Any) -> None:
    with pytest.raises(OptionError, match="budget: must be an object"):
        Budget.from_json(data)


def test_json_both_ways() -> None:
    data = {key: BUDGET_MAXIMUM.get(key, 7) for key in BUDGET_LABELS}
    budget = Budget.from_json(data)
    assert budget.to_json() == data
    assert [type(value) for value in budget.to_json().values()] == [kind for _, _, kind in BUDGET_LABELS.values()]
    assert Budget.from_json({}).to_json() == {}


def test_seconds_may_be_whole_numbers() -> None:
    seconds = Budget.from_json({"seconds_per_ply": 2}).seconds_per_ply
    assert seconds == 2.0
    assert isinstance(seconds, float)
