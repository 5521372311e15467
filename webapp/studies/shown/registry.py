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

from webapp.records.models import Study
from webapp.studies.shown.section import Fact, Section

SHOWN: dict[str, str] = {
    "search_effort": "webapp.studies.shown.search_effort",
    "review": "webapp.studies.shown.review",
    "position": "webapp.studies.shown.position",
    "complexity": "webapp.studies.shown.complexity",
    "tilings": "webapp.studies.shown.tilings",
    "best_kingdom": "webapp.studies.shown.best_kingdom",
    "lone_kingdom": "webapp.studies.shown.lone_kingdom",
    "playout_speed": "webapp.studies.shown.playout_speed",
    "buying_tree": "webapp.studies.shown.buying_tree",
    "move_time": "webapp.studies.shown.move_time",
    "unbalanced_card": "webapp.studies.shown.unbalanced_card",
    "deal_luck": "webapp.studies.shown.deal_luck",
    "belief_quality": "webapp.studies.shown.belief_quality",
    "ladder": "webapp.studies.shown.ladder",
}
PLAIN = "webapp.studies.shown.plain"
"""Shows the kinds that have no module of their own."""


def sections(study: Study, result: Mapping[str, Any]) -> Sequence[Section]:
    """The parts of a study's result."""
    return _asked(study, result, "sections", ())


def finding(study: Study, result: Mapping[str, Any]) -> str:
    """What was found, in one sentence; empty where the kind says nothing."""
    return str(_asked(study, result, "finding", ""))


def facts(study: Study, result: Mapping[str, Any]) -> Sequence[Fact]:
    """Numbers that stand out."""
    return _asked(study, result, "facts", ())


def _asked(study: Study, result: Mapping[str, Any], name: str, otherwise: Any) -> Any:
    function = getattr(import_module(SHOWN.get(study.kind, PLAIN)), name, None)
    return otherwise if function is None else function(study, result)
