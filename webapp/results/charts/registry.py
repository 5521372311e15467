"""The charts of an experiment's dashboard: one line each, in the order pages show them."""

from __future__ import annotations

from importlib import import_module

from webapp.records.models import Experiment
from webapp.results.charts.figure import Chart

CHARTS = {
    "sweep-curve": "webapp.results.charts.sweep:CHART",
    "sweep-margin": "webapp.results.charts.sweep:CHART_MARGIN",
    "margin-by-budget": "webapp.results.charts.by_budget:CHART",
    "win-rate": "webapp.results.charts.win_rate:CHART",
    "margin-running": "webapp.results.charts.margin_running:CHART",
    "margin-distribution": "webapp.results.charts.margin_distribution:CHART",
    "points": "webapp.results.charts.points:CHART",
    "points-occupied": "webapp.results.charts.points:CHART_OCCUPIED",
    "meeples": "webapp.results.charts.meeples:CHART",
    "tallies": "webapp.results.charts.tallies:CHART",
    "first-choice": "webapp.results.charts.first_choice:CHART",
    "score-by-round": "webapp.results.charts.by_round:CHART_SCORE",
    "legal-by-round": "webapp.results.charts.by_round:CHART_LEGAL",
    "turned-by-round": "webapp.results.charts.by_round:CHART_TURNED",
    "score-by-ply": "webapp.results.charts.by_ply:CHART_SCORE",
    "legal-by-ply": "webapp.results.charts.by_ply:CHART_LEGAL",
    "legal-frequency": "webapp.results.charts.by_ply:CHART_FREQUENCY",
}


def get(chart_id: str) -> Chart:
    """Raises KeyError for an unknown id."""
    module, name = CHARTS[chart_id].split(":")
    chart: Chart = getattr(import_module(module), name)
    assert chart.id == chart_id
    return chart


def fitting(experiment: Experiment) -> list[Chart]:
    """The charts that have something to show for the experiment, whatever has been played."""
    return [chart for chart in map(get, CHARTS) if chart.fits(experiment)]
