"""What the dashboard template needs before any figure is drawn."""

from __future__ import annotations

from dataclasses import dataclass

from webapp.lab.results.charts import registry
from webapp.records.models import Experiment


@dataclass(frozen=True)
class Card:
    """One chart's place on the page; source: address of its JSON, page: of its own page.

    choices: what the reader chooses from; chosen: the index of what is shown first.
    """

    id: str
    title: str
    source: str
    page: str
    choices: tuple[str, ...]
    chosen: int


def cards(experiment: Experiment, base: str, chosen: int = 0) -> list[Card]:
    """The cards of an experiment whose addresses begin with `base` (it ends in a slash)."""
    return [
        Card(
            id=chart.id,
            title=chart.title,
            source=f"{base}charts/{chart.id}.json",
            page=f"{base}charts/{chart.id}/",
            choices=tuple(chart.choices(experiment)),
            chosen=chosen,
        )
        for chart in registry.fitting_charts(experiment)
    ]
