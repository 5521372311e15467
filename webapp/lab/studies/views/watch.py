"""The list of one's studies, and the pages of one."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from webapp.common.permissions import get_owned, owned
from webapp.lab.experiments.selectors import first_filled
from webapp.lab.studies import selectors
from webapp.lab.studies.draft import can_run_again
from webapp.lab.studies.progress import progress
from webapp.lab.studies.responses import (
    chart_json_response,
    chart_page_response,
    export_response,
    page_context,
    reloading,
    result_context,
    result_json_response,
    spec_json_response,
)
from webapp.lab.studies.rows import glimpse, row_page
from webapp.records.models import Study

PER_PAGE = 25


def _study(request: HttpRequest, pk: int) -> Study:
    return get_owned(Study.objects.select_related("match__experiment"), request.user, pk=pk)


def _render(request: HttpRequest, template: str, study: Study, tab: str = "", **extra: Any) -> HttpResponse:
    link = selectors.live_link(study)
    context = page_context(study, _base(study), tab=tab, **extra)
    context["shared_url"] = reverse("sharing:show", args=[link.slug]) if link else ""
    link = selectors.match_link(study)
    context["match_url"] = reverse("sharing:show", args=[link.slug]) if link else ""
    context["table"] = selectors.table(study)
    context["can_run_again"] = can_run_again(study)
    return render(request, template, context)


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
    return _render(
        request, "studies/detail.html", study, "result", rows=glimpse(study), **result_context(study, _base(study))
    )


@require_safe
def live(request: HttpRequest, pk: int) -> HttpResponse:
    """The part that is asked for again and again; another state reloads the page."""
    study = _study(request, pk)
    now = progress(study)
    return reloading(request, _render(request, "studies/_live.html", study, progress=now, is_update=True), now.state)


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
    return _render(request, "studies/rows.html", study, "rows", rows=row_page(study, request.GET))


@require_safe
def settings(request: HttpRequest, pk: int) -> HttpResponse:
    """Everything that was asked for, in words and as JSON."""
    study = _study(request, pk)
    return _render(
        request,
        "studies/settings.html",
        study,
        "settings",
        settings=selectors.settings_of(study),
        **result_context(study, _base(study)),
    )


@require_safe
def chart_json(request: HttpRequest, pk: int, chart_id: str) -> HttpResponse:
    """One figure as JSON."""
    return chart_json_response(request, _study(request, pk), chart_id)


@require_safe
def chart_page(request: HttpRequest, pk: int, chart_id: str) -> HttpResponse:
    """One figure on a page of its own, with its table."""
    return chart_page_response(request, _study(request, pk), chart_id, reverse("studies:detail", args=[pk]))


@require_safe
def export(request: HttpRequest, pk: int, format_id: str) -> HttpResponseBase:
    """The rows as a file."""
    return export_response(_study(request, pk), format_id, f"study-{pk}")


@require_safe
def result_json(request: HttpRequest, pk: int) -> HttpResponse:
    """The result as a file."""
    return result_json_response(_study(request, pk), f"study-{pk}")


@require_safe
def spec_json(request: HttpRequest, pk: int) -> HttpResponse:
    """The spec as a file."""
    return spec_json_response(_study(request, pk), f"study-{pk}")
