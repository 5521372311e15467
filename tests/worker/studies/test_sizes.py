"""Branching, trees and state spaces from rows, worked by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest

from worker.studies import sizes


def match(branching: list[int], outcomes: list[int]) -> dict[str, Any]:
    return {"kind": "match", "branching": branching, "outcomes": outcomes}


MATCHES = [match([2, 10, 4], [3, 2, 1]), match([4, 10], [3, 3])]


def population(levels: list[float | None], marked: list[float | None], leaves: float | None) -> dict[str, Any]:
    return {"levels": levels, "marked": marked, "leaves": leaves}


def test_branching_by_ply_and_over_all_plies() -> None:
    found = sizes.branching(MATCHES)
    first, second, third = found["by_ply"]
    # 2 and 4: mean 3, deviation sqrt 2, error 1, t(0.975; 1) = 12.7062
    assert (first["ply"], first["n"], first["mean"], first["outcomes"]) == (1, 2, 3, 3)
    assert first["interval"] == pytest.approx([3 - 12.7062, 3 + 12.7062], rel=1e-4)
    assert (second["mean"], second["outcomes"]) == (10, 2.5)
    assert (third["n"], third["mean"], third["interval"]) == (1, 4, None)
    assert found["mean"] == pytest.approx(30 / 5)
    assert found["interval"] is not None
    assert found["frequencies"] == [[2, 1], [4, 2], [10, 2]]
    assert (found["minimum"], found["maximum"], found["mode"]) == (2, 10, 4), "of equals, the least is the mode"
    assert found["plies"]["mean"] == 2.5


def test_the_thesis_reckons_its_own_figure() -> None:
    # 55 ^ 71 times the product of i ^ 3 for i = 2 .. 24: 3.7e123 * 2.4e71 = 8.8e194
    found = sizes.tree([match([55] * 71, [24] * 71)], [])["thesis"]
    assert 10 ** (found["moves"] - 123) == pytest.approx(3.7, abs=0.05)
    assert 10 ** (found["chance"] - 71) == pytest.approx(2.4, abs=0.05)
    assert 10 ** (found["total"] - 194) == pytest.approx(8.8, abs=0.1)


def test_chance_as_the_thesis_for_other_numbers() -> None:
    assert 10 ** sizes.thesis_chance(3, 6.4) == pytest.approx((2 * 3) ** 2)
    assert 10 ** sizes.thesis_chance(4, 1.0) == pytest.approx(24), "each type once at least"


def test_a_tree_along_matches() -> None:
    found = sizes.tree(MATCHES, [])
    moves = [math.log10(80), math.log10(40)]
    chance = [math.log10(6), math.log10(9)]
    assert found["typical"]["moves"]["mean"] == pytest.approx(sum(moves) / 2)
    assert found["typical"]["chance"]["mean"] == pytest.approx(sum(chance) / 2)
    assert found["typical"]["total"]["mean"] == pytest.approx(sum(moves + chance) / 2)
    assert found["path"] == pytest.approx(math.log10((480 + 360) / 2))


def test_leaves_are_the_mean_over_populations_and_at_least_a_twentieth_of_it() -> None:
    rows = [population([], [], 2.0), population([], [], math.log10(300)), population([], [], None)]
    found = sizes.tree([], rows)["leaves"]
    assert found["mean"] == pytest.approx(math.log10(400 / 3))
    # Markov: a mean twenty times as large as the truth has a chance of 5 % at most
    assert 10 ** found["at_least"] == pytest.approx(400 / 3 / 20)
    assert (found["lowest"], found["highest"]) == (2.0, math.log10(300))
    assert sizes.tree([], rows)["thesis"] is None


def test_states_add_up_over_numbers_of_tiles() -> None:
    rows = [population([0, 1, 2], [1, 2, 3], 2.0), population([0, math.log10(30), None], [1, None, None], None)]
    found = sizes.states(rows)
    assert [row["tiles"] for row in found["by_tiles"]] == [1, 2, 3]
    assert found["by_tiles"][1]["boards"]["mean"] == pytest.approx(math.log10(20))
    assert found["by_tiles"][2]["boards"]["mean"] == pytest.approx(math.log10(50))
    assert found["by_tiles"][1]["meeples"]["mean"] == pytest.approx(math.log10(50))
    # 1 + 10 + 100 and 1 + 30
    assert found["boards"]["mean"] == pytest.approx(math.log10((111 + 31) / 2))
    assert found["meeples"]["mean"] == pytest.approx(math.log10((1110 + 10) / 2))


def test_nothing_is_undefined_not_an_error() -> None:
    found = sizes.branching([])
    assert (found["mean"], found["interval"], found["mode"], found["by_ply"]) == (None, None, None, [])
    assert sizes.tree([], [])["leaves"]["at_least"] is None
    assert sizes.states([])["boards"]["mean"] is None


def test_the_table_of_shapes_is_the_thesis_bound() -> None:
    found = sizes.shapes()
    assert len(found["rows"]) == 72
    assert 10 ** found["free"] == pytest.approx(5e40, rel=0.01)
    assert 10 ** found["fixed"] == pytest.approx(4e41, rel=0.01)
    assert found["rows"][55]["exact"] == "69150714562532896936574425480218"
