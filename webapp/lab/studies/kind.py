"""Studies as a kind of job."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import QueryDict
from django.urls import reverse

from webapp.lab.jobs.kind import JobKind, Part, Words
from webapp.lab.jobs.plan import Plan
from webapp.lab.jobs.power import Power
from webapp.lab.jobs.progress import Progress
from webapp.lab.quotas import selectors as quotas
from webapp.lab.results.files import FORMATS
from webapp.lab.studies import exports, responses, results, selectors, services
from webapp.lab.studies.draft import can_run_again, cost_of
from webapp.lab.studies.progress import progress
from webapp.lab.studies.rows import glimpse, row_page
from webapp.people.accounts.models import User
from webapp.records import work_source
from webapp.records.models import ShareLink, Study, StudyPiece
from worker.studies import registry
from worker.studies import spec as specs


def _rows(study: Study, _: Progress, __: str, query: QueryDict) -> dict[str, Any]:
    return {"rows": row_page(study, query)}


def _settings(study: Study, *_: Any) -> dict[str, Any]:
    return {"settings": selectors.settings_of(study), "presentation": selectors.presentation_of(study)}


def _remove(study: Study) -> None:
    """Remove it with its links and pieces; a worker at one of them finds its claim lost."""
    ShareLink.objects.of(study).delete()
    study.pieces.all().delete()
    study.delete()


def _start(owner: User, title: str, data: Any, submission: UUID | None) -> Study:
    return services.create(owner, title, specs.from_json(data), submission=submission)


def _seconds(data: Any, workers: Power) -> float:
    spec = specs.from_json(data)
    return registry.get(spec.study).seconds(spec) / workers.cores


def _plan(owner: User, data: Any) -> Plan:
    spec = specs.from_json(data)
    services.check(spec)
    cost, cpu_s = cost_of(spec), registry.get(spec.study).seconds(spec)
    return Plan(
        spec=specs.to_json(spec),
        units=cost.pieces,
        cpu_s=cpu_s,
        seconds=cost.seconds,
        workers=cost.workers,
        over=quotas.refusal(owner, quotas.Ask(cpu_s=cpu_s)),
        confirm=cost.key if cost.is_huge else "",
    )


def _context(study: Study) -> dict[str, Any]:
    return {
        "kind_label": selectors.kind_label(study.kind),
        "formats": [(format_id, kind.label) for format_id, kind in FORMATS.items()],
        "can_run_again": can_run_again(study),
    }


def _owner_context(study: Study) -> dict[str, Any]:
    """Links to the position or match that the study is about."""
    link = selectors.match_link(study)
    match_url = reverse("sharing:show", args=[link.slug]) if link else ""
    return {"match_url": match_url, "table": selectors.table(study)}


def _page_context(study: Study, _: Progress, base: str, __: QueryDict) -> dict[str, Any]:
    return {**_result_context(study, base), "rows": glimpse(study)}


def _result_context(study: Study, base: str) -> dict[str, Any]:
    presentation = selectors.presentation_of(study)
    parts = [(part.section, selectors.cards(part, base)) for part in presentation.parts]
    return {"presentation": presentation, "parts": parts}


STUDIES = JobKind(
    model=Study,
    plural="studies",
    words=Words(
        unit="piece",
        units="pieces",
        row="row",
        rows="rows",
        done="done",
        along="",
        held="the pieces being done come to their end",
        working="at pieces of this study",
    ),
    parts={
        "rows": Part("Rows", "studies/_rows.html", _rows),
        "settings": Part("Settings", "studies/_settings.html", _settings),
    },
    start=_start,
    seconds=_seconds,
    plan=_plan,
    progress=progress,
    claims=StudyPiece,
    wake=lambda study: work_source.wake(study.queue),
    deletions=(_remove,),
    with_counts=selectors.with_counts,
    brief=selectors.brief,
    listing="studies/list.html",
    page=lambda _: "studies/detail.html",
    head="studies/_head.html",
    tabs="studies/_tabs.html",
    result="studies/_sections.html",
    shared_page="sharing/study.html",
    failures="rows/?only=failed",
    context=_context,
    page_context=_page_context,
    result_context=_result_context,
    spec_text=selectors.json_text,
    chart_json=responses.chart_json_response,
    chart_page=responses.chart_page_response,
    export=responses.export_response,
    stream=exports.stream,
    span_after=exports.span_after,
    numbers=results.full_report,
    cards=selectors.all_cards,
    owner_context=_owner_context,
    match_of=lambda study: study.match,
    queue=lambda study: study.queue,
)
