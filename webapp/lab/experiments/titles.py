"""Titles of experiments that nobody gave one: the names of their engines."""

from __future__ import annotations

from collections.abc import Sequence

from games import registry as game_registry
from webapp.lab.results.sides import configuration_words
from webapp.records.models import Experiment
from worker.spec import ExperimentSpec, seat_to_json

MOST = Experiment._meta.get_field("title").max_length


def named_after(game_label: str, engines: Sequence[str]) -> str:
    """The title after a game and engines, each named once."""
    text = (" against " if len(engines) == 2 else " v ").join(engines)
    return f"{game_label}: {text}"[:MOST]


def of_spec(spec: ExperimentSpec) -> str:
    """The title of a spec."""
    labels = [configuration_words(seat_to_json(seat))[0] for arm in spec.arms for seat in arm.seats]
    return named_after(game_registry.get(spec.game).label, list(dict.fromkeys(labels)))
