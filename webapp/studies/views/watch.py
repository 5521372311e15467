"""The list of one's studies, and the pages of one."""

from __future__ import annotations

from functools import partial
from typing import Any

from django import conf
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render, resolve_url
from django.urls import reverse
from django.views.decorators.http import require_safe

from webapp.common.permissions import get_owned, owned
from webapp.experiments.progress import POLL_S
from webapp.experiments.selectors import first_filled
from webapp.records.models import Study
from webapp.results.files import FORMATS
from webapp.results.views import figure_response, file_response
from webapp.studies import exports, results, selectors
from webapp.studies.draft import can_run_again
from webapp.studies.progress import progress
from webapp.studies.rows import glimpse, row_page
from worker.spec import SpecError

PER_PAGE = 25


def _study(request: HttpRequest, pk: int) -> Study:
    return get_owned(Study.objects.select_related("match__experiment"), request.user, pk=pk)


def page_context(study: Study, base: str, **extra: Any) -> dict[str, Any]:
    """What all pages of a study need, its own and the shared one; base: address of the page."""
    return {
        "study": study,
        "kind_label": selectors.kind_label(study.kind),
        "progress": extra.get("progress") or progress(study),
        "cpu_s": results.version(study)[-1],
        "poll_s": POLL_S,
        "base": base,
        "formats": [(format_id, kind.label) for format_id, kind in FORMATS.items()],
        **extra,
    }


def result_context(study: Study, base: str) -> dict[str, Any]:
    """What pages with the result, or its versions, need besides."""
    shown = selectors.shown_of(study)
    return {"shown": shown, "parts": [(part.section, selectors.cards(part, base)) for part in shown.parts]}


def _render(request: HttpRequest, name: str, study: Study, tab: str = "", **extra: Any) -> HttpResponse:
    link = selectors.live_link(study)
    context = page_context(study, _base(study), tab=tab, **extra)
    context["shared_url"] = resolve_url(conf.settings.SHARED_PAGE, link.slug) if link else ""
    link = selectors.match_link(study)
    context["match_url"] = resolve_url(conf.settings.SHARED_PAGE, link.slug) if link else ""
    context["table"] = selectors.table(study)
    context["can_run_again"] = can_run_again(study)
    return render(request, f"studies/{name}.html", context)


def _base(study: Study) -> str:
    return reverse("studies:detail", args=[study.pk])


@login_required
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """One's own studies, in three tabs."""
    mine = owned(Study.objects.all(), request.user)
    tabs = selectors.tabs(mine)
    chosen = request.GET.get("tab", "")
    tab = chosen if chosen in tabs else first_filled(tabs)
    page = Paginator(selectors.listed(mine, tab), PER_PAGE).get_page(request.GET.get("page"))
    rows = [(study, selectors.kind_label(study.kind)) for study in page]
    return render(request, "studies/list.html", {"tabs": tabs, "tab": tab, "page": page, "rows": rows})


@require_safe
def detail(request: HttpRequest, pk: int) -> HttpResponse:
    """The live page."""
    study = _study(request, pk)
    return _render(request, "detail", study, "result", rows=glimpse(study), **result_context(study, _base(study)))


@require_safe
def live(request: HttpRequest, pk: int) -> HttpResponse:
    """The part that is asked for again and again; another state reloads the page."""
    study = _study(request, pk)
    now = progress(study)
    return reloading(request, _render(request, "_live", study, progress=now, is_update=True), now.state)


def reloading(request: HttpRequest, response: HttpResponse, state: str) -> HttpResponse:
    """Reload the asking page where it shows another state."""
    if request.GET.get("state", state) != state:
        response["HX-Refresh"] = "true"
    return response


@require_safe
def result(request: HttpRequest, pk: int) -> HttpResponse:
    """The sections alone, for the live page."""
    study = _study(request, pk)
    context = {"base": _base(study), "progress": progress(study), **result_context(study, _base(study))}
    return render(request, "studies/_sections.html", context)


@require_safe
def rows(request: HttpRequest, pk: int) -> HttpResponse:
    """All pieces with their rows, or those that failed."""
    study = _study(request, pk)
    return _render(request, "rows", study, "rows", rows=row_page(study, request.GET))


@require_safe
def settings(request: HttpRequest, pk: int) -> HttpResponse:
    """Everything that was asked for, in words and as JSON."""
    study = _study(request, pk)
    return _render(
        request,
        "settings",
        study,
        "settings",
        settings=selectors.settings_of(study),
        **result_context(study, _base(study)),
    )


@require_safe
def chart_json(request: HttpRequest, pk: int, chart_id: str) -> HttpResponse:
    """One figure as JSON."""
    return chart_json_response(request, _study(request, pk), chart_id)


def chart_json_response(request: HttpRequest, study: Study, chart_id: str) -> HttpResponse:
    """The figure, or 304 while nothing new is known. Raises Http404."""
    is_live = study.status == Study.Status.RUNNING
    parts = ("study", chart_id, *results.served(results.version(study)))
    return figure_response(request, parts, lambda: _figure(study, chart_id), is_live)


def _figure(study: Study, chart_id: str) -> dict[str, Any]:
    found = selectors.figure(study, chart_id)
    if found is None:
        raise Http404(f"no chart {chart_id}")
    return found.to_json()


@require_safe
def chart_page(request: HttpRequest, pk: int, chart_id: str) -> HttpResponse:
    """One figure on a page of its own, with its table."""
    return chart_page_response(request, _study(request, pk), chart_id, reverse("studies:detail", args=[pk]))


def chart_page_response(request: HttpRequest, study: Study, chart_id: str, base: str) -> HttpResponse:
    """A page with the figure and its table. Raises Http404."""
    context = {"experiment": study, "figure": _figure(study, chart_id), "base": base}
    return render(request, "results/chart.html", context)


@require_safe
def export(request: HttpRequest, pk: int, format_id: str) -> HttpResponseBase:
    """The rows as a file."""
    return export_response(_study(request, pk), format_id, f"study-{pk}")


def export_response(study: Study, format_id: str, name: str) -> HttpResponseBase:
    """The rows as a file to download. Raises Http404."""
    if format_id not in FORMATS:
        raise Http404(f"no export rows.{format_id}")
    return file_response(partial(exports.stream, study, format_id), format_id, f"{name}-rows")


@require_safe
def result_json(request: HttpRequest, pk: int) -> HttpResponse:
    """The result as a file."""
    return result_json_response(_study(request, pk), f"study-{pk}")


def result_json_response(study: Study, name: str) -> HttpResponse:
    """The result of this moment as a file. Raises Http404 where this version cannot make it."""
    try:
        found = results.whole(study)
    except SpecError as error:
        raise Http404(f"its spec is of another version: {error}") from None
    return _json_file(found, f"meeple-lab-{name}-result.json")


@require_safe
def spec_json(request: HttpRequest, pk: int) -> HttpResponse:
    """The spec as a file."""
    return spec_json_response(_study(request, pk), f"study-{pk}")


def spec_json_response(study: Study, name: str) -> HttpResponse:
    """The spec as a file."""
    return _json_file(study.spec, f"meeple-lab-{name}.json")


def _json_file(data: dict[str, Any], name: str) -> HttpResponse:
    response = JsonResponse(data, json_dumps_params={"indent": 1, "ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "private, no-store"
    return response
