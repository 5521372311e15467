"""Reading: studies in lists, presentations of their results, their settings."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.text import slugify

from games import options as option_tools
from webapp.common.fields import format_plain
from webapp.common.formats import field_words
from webapp.common.option_forms import value_label
from webapp.lab.experiments.selectors import link_showing
from webapp.lab.jobs.briefs import Brief
from webapp.lab.results.charts.figure import Figure
from webapp.lab.results.dashboard import Card
from webapp.lab.studies import results
from webapp.lab.studies.presentations import registry as presentations
from webapp.lab.studies.presentations.section import Fact, Section
from webapp.lab.studies.progress import ENDED
from webapp.lab.studies.results import CurrentResult
from webapp.records.models import ShareLink, Study, StudyPiece
from webapp.table.live.models import LiveMatch
from worker.studies import registry

logger = logging.getLogger(__name__)

MAX_FACTS = 4


def with_counts(studies: QuerySet[Study]) -> QuerySet[Study]:
    """Studies with the numbers `ended` and `total` of their pieces."""
    pieces = StudyPiece.objects.filter(study=OuterRef("pk"), status__in=ENDED).order_by().values("study")
    ended = Coalesce(Subquery(pieces.annotate(n=Count("pk")).values("n")), 0)
    return studies.annotate(ended=ended, total=F("num_pieces"))


def kind_label(kind_id: str) -> str:
    """Label of a kind; its id where this version of the lab does not know it."""
    return registry.get(kind_id).label if kind_id in registry.ids() else kind_id


def match_link(study: Study) -> ShareLink | None:
    """The link under which an analysed position, and this analysis with it, can be seen now."""
    match = study.match
    if match is None or study.archived_at or study.owner_id != match.experiment.owner_id:
        return None
    return link_showing(match)


def table(study: Study) -> str:
    """Code of the table where the study's owner played, or set up, the match it is about; empty where there is none."""
    if study.match_id is None:
        return ""
    tables = LiveMatch.objects.filter(match=study.match_id)
    theirs = tables.filter(Q(creator=study.owner_id) | Q(seats__person=study.owner_id))
    return theirs.values_list("code", flat=True).first() or ""


# ---- the result


@dataclass(frozen=True)
class Part:
    """A section with the ids of its figures."""

    section: Section
    figures: Mapping[str, Figure]


@dataclass(frozen=True)
class Presentation:
    """The result as a page shows it."""

    current: CurrentResult
    finding: str = ""
    facts: Sequence[Fact] = ()
    parts: Sequence[Part] = ()
    problem: str = ""


def presentation_of(study: Study) -> Presentation:
    """The result from the rows of this moment, in sections."""
    return results.get_or_make(results.version(study), lambda: _present(study, results.current(study)))


def brief(study: Study) -> Brief:
    """What a study found, as a row of a list has it: its sentence, else the first number that stands out."""
    found = presentation_of(study)
    if found.finding or not found.facts:
        return Brief(found.finding or "Nothing yet")
    fact = found.facts[0]
    return Brief(f"{fact.label}: {fact.value}", fact.small)


def _present(study: Study, current: CurrentResult) -> Presentation:
    if current.result is None:
        return Presentation(current, problem=current.problem)
    try:
        parts = [Part(section, _figures(section)) for section in presentations.sections(study, current.result)]
        facts = list(presentations.facts(study, current.result))[:MAX_FACTS]
        return Presentation(current, presentations.finding(study, current.result), facts, parts)
    except Exception:  # rows of another version of the kind; the page with them still has to be shown
        logger.exception("the result of study %s cannot be shown", study.pk)
        return Presentation(current, problem=results.BROKEN)


def _figures(section: Section) -> dict[str, Figure]:
    return {f"{slugify(section.title)}-{i}": figure for i, figure in enumerate(section.figures, 1)}


def figure(study: Study, chart_id: str) -> Figure | None:
    """One figure of the result."""
    return next((part.figures[chart_id] for part in presentation_of(study).parts if chart_id in part.figures), None)


def cards(part: Part, base: str) -> list[Card]:
    """The places of a section's figures on a page whose addresses begin with `base`."""
    return [
        Card(chart_id, figure.title, f"{base}charts/{chart_id}.json", f"{base}charts/{chart_id}/", (), 0)
        for chart_id, figure in part.figures.items()
    ]


def all_cards(study: Study, base: str) -> list[Card]:
    """The places of all figures."""
    return [card for part in presentation_of(study).parts for card in cards(part, base)]


# ---- settings


@dataclass(frozen=True)
class Settings:
    """The spec in words and as JSON."""

    label: str
    summary: str
    parameters: Sequence[tuple[str, str]]
    json: str


def settings_of(study: Study) -> Settings:
    """The spec in words; nested parameters only in the JSON."""
    kind = registry.get(study.kind) if study.kind in registry.ids() else None
    rows = option_tools.schema(kind.options) if kind is not None and hasattr(kind, "options") else []
    known = {row["name"]: row for row in rows}
    given = study.spec.get("parameters", {})
    names = [name for name in known if name in given] + [name for name in given if name not in known]
    parameters = [
        (known[name]["label"], value_label(known[name], given[name]))
        if name in known and isinstance(given[name], bool | int | float | str)
        else (field_words(name), _words(given[name]))
        for name in names
    ]
    summary = kind.summary if kind is not None else ""
    return Settings(kind_label(study.kind), summary, parameters, json_text(study.spec))


def _words(value: Any) -> str:
    """A parameter in words; of a list its values where they are few and plain."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return format_plain(value)
    if isinstance(value, list):
        if len(value) <= 12 and all(isinstance(item, int | float | str) for item in value):
            return ", ".join(_words(item) for item in value)
        return f"{len(value)} entries"
    return f"{len(value)} entries" if isinstance(value, dict) else str(value)


def json_text(spec: Mapping[str, Any]) -> str:
    """A spec as JSON that people can read."""
    return json.dumps(spec, indent=2, ensure_ascii=False)
