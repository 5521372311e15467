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
        ("depth", {"by": "ply", "counts": [1, 2]}, "whole number, not an object"),
        ("seconds_per_ply", {"by": "ply", "counts": [1, 2]}, "number, not an object"),
        ("playouts", [29, 31], "whole number, not a list"),
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


@looped(
    "data, place, message",
    [
        ({"counts": [1]}, "playouts.by", "must be round or ply, not null"),
        ({"by": "turn", "counts": [1]}, "playouts.by", "not 'turn'"),
        ({"by": "ply"}, "playouts.counts", "a list of 1 to 1000"),
        ({"by": "ply", "counts": []}, "playouts.counts", "a list of 1 to 1000"),
        ({"by": "ply", "counts": [1] * 1001}, "playouts.counts", "a list of 1 to 1000"),
        ({"by": "ply", "counts": "12"}, "playouts.counts", "a list"),
        ({"by": "ply", "counts": [3, 0]}, "playouts.counts[1]", "from 1 to 10000000, not 0"),
        ({"by": "ply", "counts": [3, True]}, "playouts.counts[1]", "not true"),
        ({"by": "ply", "counts": [2.5]}, "playouts.counts[0]", "not 2.5"),
        ({"by": "ply", "counts": [10_000_001]}, "playouts.counts[0]", "not 10000001"),
        ({"by": "ply", "counts": [1], "step": 2}, "playouts.step", "takes a number, or an object with by and counts"),
    ],
)
def test_bad_counts_are_refused_at_their_place(data: Any, place: str, message: str) -> None:
    with pytest.raises(OptionError) as caught:
        Budget.from_json({"playouts": data})
    assert caught.value.place == place
    assert message in caught.value.message


def test_counts_by_round_and_by_ply_make_the_budget_of_a_ply() -> None:
    data = {
        "playouts": {"by": "round", "counts": [29, 31, 40]},
        "nodes": {"by": "ply", "counts": [5]},
        "seconds_per_ply": 2.0,
    }
    budget = Budget.from_json(data)
    assert budget.to_json() == data
    assert Budget.from_json(budget.to_json()) == budget
    assert hash(budget) is not None
    asked = [budget.at(ply, round).to_json() for ply, round in ((1, 1), (8, 3), (50, 13))]
    assert asked == [{"playouts": count, "nodes": 5, "seconds_per_ply": 2.0} for count in (29, 40, 40)]
    with pytest.raises(ValueError, match="this game has none"):
        budget.at(1, None)
    plain = Budget(playouts=3)
    assert plain.at(7, None) is plain


def test_seconds_of_counts_are_those_of_their_mean() -> None:
    """Of two halves of a match a playout costs 1.5 and 0.5 of the mean one; nodes cost the same throughout."""
    unit_s = {"playouts": 0.1, "nodes": 0.1}
    playouts = Budget.from_json({"playouts": {"by": "ply", "counts": [10, 30]}})
    assert playouts.seconds(5, unit_s) == pytest.approx((10 * 1.5 + 30 * 0.5) / 2 * 0.1)
    nodes = Budget.from_json({"nodes": {"by": "ply", "counts": [10, 30]}, "seconds_per_ply": 9})
    assert nodes.seconds(5, unit_s) == pytest.approx(2.0)
