"""Runs beside Expectimax, worked by hand."""

from __future__ import annotations

from typing import Any

import pytest

from engines import registry
from games import options as option_tools
from webapp.matches.positions.compare import RunComparison, compare_runs, words


def run(algorithm: str, depth: int = 2, engine: str = "expectimax", **options: Any) -> dict[str, Any]:
    defaults = option_tools.to_json(registry.get(engine).options_class())
    budget = {"depth": depth} if engine == "expectimax" else {"playouts": 5}
    given = {"algorithm": algorithm, **options} if engine == "expectimax" else options
    return {"engine": engine, "options": {**defaults, **given}, "budget": budget}


def row(nodes: int, value: float) -> dict[str, Any]:
    return {"nodes": nodes, "value": value}


PLAIN, STAR = run("expectimax"), run("star2.5")


def test_a_pruned_search_stands_beside_expectimax() -> None:
    found = compare_runs([PLAIN, STAR], [row(2000, 1.5), row(500, 1.5)])
    assert found == [None, RunComparison(0.25, True)]


def test_the_order_of_the_runs_does_not_matter() -> None:
    assert compare_runs([STAR, PLAIN], [row(500, 1.5), row(2000, 1.5)]) == [RunComparison(0.25, True), None]


def test_another_value_is_told() -> None:
    found = compare_runs([PLAIN, STAR], [row(2000, 1.5), row(500, 1.5000001)])
    assert found[1] == RunComparison(0.25, False)
    assert compare_runs([PLAIN, STAR], [row(2000, 1e6), row(500, 1e6 + 1e-5)])[1] == RunComparison(0.25, True)


def test_another_search_is_not_compared(subtests: pytest.Subtests) -> None:
    for other in [
        run("star2.5", depth=3),
        run("star2.5", bounds="fixed"),
        run("star2.5", evaluation="own"),
        run("star2.5", opponents="maxn"),
        {**STAR, "budget": {"nodes": 5000}},
        {**STAR, "budget": {"depth": 2, "nodes": 5000}},
        run("", engine="flat_mc"),
    ]:
        with subtests.test(other=other):
            assert compare_runs([PLAIN, other], [row(2000, 1.5), row(500, 1.5)]) == [None, None]


def test_probing_and_order_prune_and_nothing_else() -> None:
    other = run("star2.5", probing=1, order="none", keep_probes=True, killers=True)
    assert compare_runs([PLAIN, other], [row(2000, 1.5), row(500, 1.5)])[1] == RunComparison(0.25, True)


def test_what_is_not_known_yet_is_not_compared() -> None:
    assert compare_runs([PLAIN, STAR], [None, row(500, 1.5)]) == [None, None]
    assert compare_runs([PLAIN, STAR], [row(2000, 1.5), None]) == [None, None]
    assert compare_runs([STAR], [row(500, 1.5)]) == [None]


def test_the_family_goes_by_its_algorithm() -> None:
    assert words(run("star1")) == ["Star1", "depth 2"]
    assert words(run("star1", order="none")) == ["Star1", "none", "depth 2"]
    assert words(PLAIN) == ["Expectimax", "depth 2"]
    assert words(STAR) == ["Star2.5", "depth 2"]
    assert words(run("", engine="flat_mc")) == ["Flat Monte Carlo", "5 playouts a ply"]
