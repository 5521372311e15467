"""What one match of an experiment is, where the rules let it be more than one thing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from games import options as option_tools
from games import registry as game_registry
from webapp.common.formats import num_matches
from webapp.common.option_forms import value_label
from webapp.records.models import Experiment

LENGTH, ONE_ROUND = "length", "round"
"""The option of a game that says what a match is, and its value where that is a single round."""


def _length(experiment: Experiment) -> tuple[dict[str, Any], Any] | None:
    """The option and its value; None where a match is a match."""
    for row in option_tools.schema(game_registry.get(experiment.game).options):
        if row["name"] == LENGTH:
            return row, experiment.spec["options"].get(LENGTH, row["default"])
    return None


def of_match(experiment: Experiment) -> str:
    """What the rules call it, "a single round", "rounds up to the target"; empty where they need not."""
    found = _length(experiment)
    return value_label(*found).lower() if found else ""


def is_one_round(experiment: Experiment) -> bool:
    """Whether every match is one round, so that nothing can be told round by round."""
    found = _length(experiment)
    return found is not None and found[1] == ONE_ROUND


def matches_in_words(experiment: Experiment, sizes: Iterable[int]) -> str:
    """How many matches numbers rest on, and what one is."""
    unit = of_match(experiment)
    return num_matches(sizes) + (f" ({unit})" if unit else "")


def sentence(experiment: Experiment) -> str:
    """What a match is, as a sentence; empty where it needs none."""
    unit = of_match(experiment)
    return f"A match is {unit}." if unit else ""
