"""Charts and exports of an experiment, for its owner."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.views.decorators.http import require_safe

from webapp.common.permissions import get_owned
from webapp.lab.results.responses import chart_json_response, chart_page_response, export_response
from webapp.records.models import Experiment


@require_safe
def chart_json(request: HttpRequest, pk: int, chart_id: str) -> HttpResponse:
    """The figure of a chart as JSON; ``?arm=`` is the reader's choice, mostly the arm shown."""
    return chart_json_response(request, get_owned(Experiment.objects.all(), request.user, pk=pk), chart_id)


@require_safe
def chart_page(request: HttpRequest, pk: int, chart_id: str) -> HttpResponse:
    """One chart on a page of its own, with its table."""
    experiment = get_owned(Experiment.objects.all(), request.user, pk=pk)
    return chart_page_response(request, experiment, chart_id, reverse("experiments:detail", args=[pk]))


@require_safe
def export(request: HttpRequest, pk: int, table: str, format_id: str) -> HttpResponseBase:
    """Matches or plies as a file."""
    experiment = get_owned(Experiment.objects.all(), request.user, pk=pk)
    return export_response(experiment, table, format_id, f"experiment-{pk}")
