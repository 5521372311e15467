"""What the dashboard template needs before any figure is drawn."""

from __future__ import annotations

from dataclasses import dataclass

from webapp.records.models import Experiment
from webapp.results.charts import registry
from webapp.results.sides import lineups


@dataclass(frozen=True)
class Card:
    """One chart's place on the page; source: address of its JSON, page: of its own page."""

    id: str
    title: str
    source: str
    page: str
    arms: tuple[str, ...]
    arm: int


def cards(experiment: Experiment, base: str, arm: int = 0) -> list[Card]:
    """The cards of an experiment whose addresses begin with `base` (it ends in a slash)."""
    arms = lineups(experiment).arms
    return [
        Card(
            id=chart.id,
            title=chart.title,
            source=f"{base}charts/{chart.id}.json",
            page=f"{base}charts/{chart.id}/",
            arms=arms if chart.has_arms and len(arms) > 1 else (),
            arm=arm,
        )
        for chart in registry.fitting(experiment)
    ]
