"""Kind of study -> the module of the same name beside this one, which presents its result; imported on first use.

A module has ``sections(study, result) -> Sequence[Section]``, and may have
``finding(study, result) -> str``, one sentence, and ``facts(study, result) -> Sequence[Fact]``,
at most four. `study` is the `webapp.records.models.Study`, `result` the one that its kind
made from the rows known so far.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from webapp.lab.studies.presentations.section import Fact, Section
from webapp.records.models import Study
from worker.studies import registry as study_registry

PRESENTATIONS: dict[str, str] = {
    kind: module for kind in study_registry.ids() if find_spec(module := f"{__package__}.{kind}") is not None
}
PLAIN = f"{__package__}.plain"
"""Presents the kinds that have no module of their own."""


def sections(study: Study, result: Mapping[str, Any]) -> Sequence[Section]:
    """The parts of a study's result."""
    found: Sequence[Section] = _call(study, result, "sections", ())
    return found


def finding(study: Study, result: Mapping[str, Any]) -> str:
    """The finding in one sentence; empty where the kind has none."""
    return str(_call(study, result, "finding", ""))


def facts(study: Study, result: Mapping[str, Any]) -> Sequence[Fact]:
    """Numbers that stand out."""
    found: Sequence[Fact] = _call(study, result, "facts", ())
    return found


def _call(study: Study, result: Mapping[str, Any], name: str, otherwise: Any) -> Any:
    function = getattr(import_module(PRESENTATIONS.get(study.kind, PLAIN)), name, None)
    return otherwise if function is None else function(study, result)
