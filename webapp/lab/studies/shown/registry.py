"""Kind of study -> the module that shows its result; imported on first use.

A module has ``sections(study, result) -> Sequence[Section]``, and may have
``finding(study, result) -> str``, one sentence, and ``facts(study, result) -> Sequence[Fact]``,
at most four. `study` is the `webapp.records.models.Study`, `result` what its kind made of the
rows known so far.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from webapp.lab.studies.shown.section import Fact, Section
from webapp.records.models import Study

SHOWN: dict[str, str] = {
    "search_effort": "webapp.lab.studies.shown.search_effort",
    "review": "webapp.lab.studies.shown.review",
    "position": "webapp.lab.studies.shown.position",
    "complexity": "webapp.lab.studies.shown.complexity",
    "tilings": "webapp.lab.studies.shown.tilings",
    "best_kingdom": "webapp.lab.studies.shown.best_kingdom",
    "lone_kingdom": "webapp.lab.studies.shown.lone_kingdom",
    "playout_speed": "webapp.lab.studies.shown.playout_speed",
    "buying_tree": "webapp.lab.studies.shown.buying_tree",
    "move_time": "webapp.lab.studies.shown.move_time",
    "unbalanced_card": "webapp.lab.studies.shown.unbalanced_card",
    "deal_luck": "webapp.lab.studies.shown.deal_luck",
    "belief_quality": "webapp.lab.studies.shown.belief_quality",
    "ladder": "webapp.lab.studies.shown.ladder",
}
PLAIN = "webapp.lab.studies.shown.plain"
"""Shows the kinds that have no module of their own."""


def sections(study: Study, result: Mapping[str, Any]) -> Sequence[Section]:
    """The parts of a study's result."""
    found: Sequence[Section] = _asked(study, result, "sections", ())
    return found


def finding(study: Study, result: Mapping[str, Any]) -> str:
    """What was found, in one sentence; empty where the kind says nothing."""
    return str(_asked(study, result, "finding", ""))


def facts(study: Study, result: Mapping[str, Any]) -> Sequence[Fact]:
    """Numbers that stand out."""
    found: Sequence[Fact] = _asked(study, result, "facts", ())
    return found


def _asked(study: Study, result: Mapping[str, Any], name: str, otherwise: Any) -> Any:
    function = getattr(import_module(SHOWN.get(study.kind, PLAIN)), name, None)
    return otherwise if function is None else function(study, result)
