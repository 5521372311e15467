"""Victory margin by budget: which arms are one line, and what it shows."""

from __future__ import annotations

from typing import Any

import pytest

from tests.webapp.lab.results import factory
from tests.webapp.lab.results.factory import RANDOM, seat
from webapp.lab.results.charts import registry
from webapp.lab.results.selectors import results

pytestmark = pytest.mark.django_db


def flat(playouts: int, **options: Any) -> dict[str, Any]:
    """Flat Monte Carlo with a budget."""
    return seat("flat_mc", options, {"playouts": playouts})


GREEDY = seat("scripted", {"policy": "greedy"})
LINEUPS = [
    [GREEDY, RANDOM],
    [flat(100, utility="wdl"), RANDOM],
    [flat(10), RANDOM],
    [flat(100), RANDOM],
    [flat(10, utility="wdl"), RANDOM],
    [seat("uct", budget={"simulations": 10}), RANDOM],  # one budget, and of another kind
]


@pytest.mark.long
def test_arms_of_one_configuration_are_a_line_over_its_budgets(alice: Any) -> None:
    made = factory.played(alice, LINEUPS, deals=3)
    assert "margin-by-budget" in {chart.id for chart in registry.fitting_charts(made)}
    figure = registry.get("margin-by-budget").build(made, 0)
    lines = [trace for trace in figure.data if trace.get("mode") in ("lines+markers", "lines") and "y" in trace]
    strokes = [trace for trace in lines if "fill" not in trace]
    assert [trace["x"] for trace in strokes] == [[10.0, 100.0]] * 3
    margins = [row.result.mean_margin for row in results(made).compared]
    assert [trace["y"] for trace in strokes] == [
        [margins[4], margins[1]],
        [margins[2], margins[3]],
        [margins[0]] * 2,  # no budget: across the chart
    ]
    assert [row[1] for row in figure.rows] == ["10 playouts", "100 playouts"] * 2 + ["any"]
    assert len(figure.legend) == 3
    assert figure.layout["xaxis"]["type"] == "log"
    assert "18 matches" not in figure.subtitle
    assert "6 matches an arm" in figure.subtitle


def test_other_experiments_have_no_such_chart(alice: Any) -> None:
    for lineups in (
        [[flat(10), RANDOM]],
        [[flat(10), RANDOM], [flat(10, utility="wdl"), RANDOM]],
        LINEUPS[:2],
        LINEUPS[:1] * 2,
    ):
        assert not registry.get("margin-by-budget").fits(factory.experiment(alice, lineups))
    both = [[flat(10), RANDOM], [flat(100), GREEDY]]  # other opponents: another question
    assert not registry.get("margin-by-budget").fits(factory.experiment(alice, both))


def test_before_the_first_match_it_says_so(alice: Any) -> None:
    assert registry.get("margin-by-budget").build(factory.experiment(alice, LINEUPS[2:4]), 0).empty
