"""The charts of an experiment's dashboard: one line each, in the order in which a group shows them at first."""

from __future__ import annotations

from importlib import import_module

from webapp.lab.results.charts.figure import Chart
from webapp.records.models import Experiment

CHARTS = {
    "stop-rule": "webapp.lab.results.charts.stop_rule:CHART",
    "sweep-curve": "webapp.lab.results.charts.sweep:CHART",
    "sweep-margin": "webapp.lab.results.charts.sweep:CHART_MARGIN",
    "margin-by-budget": "webapp.lab.results.charts.by_budget:CHART",
    "win-rate": "webapp.lab.results.charts.win_rate:CHART",
    "places": "webapp.lab.results.charts.places:CHART",
    "lead-by-ply": "webapp.lab.results.charts.over_plies:CHART",
    "by-seat": "webapp.lab.results.charts.by_seat:CHART",
    "difference": "webapp.lab.results.charts.difference:CHART",
    "better-deals": "webapp.lab.results.charts.better_deals:CHART",
    "margin-distribution": "webapp.lab.results.charts.margin_distribution:CHART",
    "margin-running": "webapp.lab.results.charts.margin_running:CHART",
    "difference-wins": "webapp.lab.results.charts.difference:CHART_WINS",
    "paired-differences": "webapp.lab.results.charts.better_deals:CHART_CUMULATIVE",
    "strength-cpu": "webapp.lab.results.charts.strength_cost:CHART",
    "how-it-ended": "webapp.lab.results.charts.ends:CHART_ENDED",
    "rounds-won": "webapp.lab.results.charts.tallies:CHART_ROUNDS_WON",
    "opener": "webapp.lab.results.charts.by_case:CHART_OPENER",
    "length": "webapp.lab.results.charts.length:CHART",
    "cpu-by-ply": "webapp.lab.results.charts.strength_cost:CHART_BY_PLY",
    "points": "webapp.lab.results.charts.points:CHART",
    "points-occupied": "webapp.lab.results.charts.points:CHART_OCCUPIED",
    "meeples": "webapp.lab.results.charts.meeples:CHART",
    "in-hand-by-ply": "webapp.lab.results.charts.over_plies:CHART_IN_HAND",
    "meeple-points": "webapp.lab.results.charts.meeples:CHART_EARNED",
    "tallies": "webapp.lab.results.charts.tallies:CHART_KINGDOM",
    "first-choice": "webapp.lab.results.charts.by_case:CHART_FIRST_CHOICE",
    "cards-gained": "webapp.lab.results.charts.gains:CHART",
    "deck-by-turn": "webapp.lab.results.charts.by_kind:CHART_DECK",
    "points-by-turn": "webapp.lab.results.charts.by_number:CHART_POINTS",
    "lead-by-turn": "webapp.lab.results.charts.by_number:CHART_LEAD",
    "coins-by-turn": "webapp.lab.results.charts.by_number:CHART_COINS",
    "actions-by-turn": "webapp.lab.results.charts.by_number:CHART_ACTIONS",
    "turns": "webapp.lab.results.charts.tallies:CHART_TURNS",
    "deck": "webapp.lab.results.charts.tallies:CHART_DECK",
    "final-deck": "webapp.lab.results.charts.tallies:CHART_FINAL_DECK",
    "empty-piles": "webapp.lab.results.charts.ends:CHART_EMPTY",
    "passes": "webapp.lab.results.charts.tallies:CHART_PASSES",
    "pips-by-tile": "webapp.lab.results.charts.by_number:CHART_PIPS",
    "belief-by-turn": "webapp.lab.results.charts.by_kind:CHART_BELIEF",
    "score-by-round": "webapp.lab.results.charts.by_number:CHART_SCORE",
    "legal-by-round": "webapp.lab.results.charts.by_number:CHART_LEGAL",
    "turned-by-round": "webapp.lab.results.charts.by_number:CHART_TURNED",
    "score-by-ply": "webapp.lab.results.charts.over_plies:CHART_SCORE",
    "legal-by-ply": "webapp.lab.results.charts.by_ply:CHART_LEGAL",
    "legal-frequency": "webapp.lab.results.charts.by_ply:CHART_FREQUENCY",
}


def get(chart_id: str) -> Chart:
    """Raises KeyError for an unknown id."""
    module, name = CHARTS[chart_id].split(":")
    chart: Chart = getattr(import_module(module), name)
    assert chart.id == chart_id
    return chart


def fitting_charts(experiment: Experiment) -> list[Chart]:
    """The charts that have something to show for the experiment, whatever has been played."""
    return [chart for chart in map(get, CHARTS) if chart.fits(experiment)]
