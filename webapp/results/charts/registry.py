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
    "by-seat": "webapp.results.charts.by_seat:CHART",
    "margin-running": "webapp.results.charts.margin_running:CHART",
    "margin-distribution": "webapp.results.charts.margin_distribution:CHART",
    "how-it-ended": "webapp.results.charts.ends:CHART_ENDED",
    "rounds-won": "webapp.results.charts.tallies:CHART_ROUNDS_WON",
    "opener": "webapp.results.charts.by_case:CHART_OPENER",
    "length": "webapp.results.charts.length:CHART",
    "points": "webapp.results.charts.points:CHART",
    "points-occupied": "webapp.results.charts.points:CHART_OCCUPIED",
    "meeples": "webapp.results.charts.meeples:CHART",
    "tallies": "webapp.results.charts.tallies:CHART_KINGDOM",
    "first-choice": "webapp.results.charts.by_case:CHART_FIRST_CHOICE",
    "cards-gained": "webapp.results.charts.gains:CHART",
    "deck-by-turn": "webapp.results.charts.by_kind:CHART_DECK",
    "points-by-turn": "webapp.results.charts.by_number:CHART_POINTS",
    "lead-by-turn": "webapp.results.charts.by_number:CHART_LEAD",
    "coins-by-turn": "webapp.results.charts.by_number:CHART_COINS",
    "actions-by-turn": "webapp.results.charts.by_number:CHART_ACTIONS",
    "turns": "webapp.results.charts.tallies:CHART_TURNS",
    "deck": "webapp.results.charts.tallies:CHART_DECK",
    "empty-piles": "webapp.results.charts.ends:CHART_EMPTY",
    "passes": "webapp.results.charts.tallies:CHART_PASSES",
    "pips-by-tile": "webapp.results.charts.by_number:CHART_PIPS",
    "belief-by-turn": "webapp.results.charts.by_kind:CHART_BELIEF",
    "score-by-round": "webapp.results.charts.by_number:CHART_SCORE",
    "legal-by-round": "webapp.results.charts.by_number:CHART_LEGAL",
    "turned-by-round": "webapp.results.charts.by_number:CHART_TURNED",
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
