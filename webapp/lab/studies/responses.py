"""Figures and files of a study as responses, for its owner's pages and shared ones alike."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

from webapp.lab.results.files import FORMATS
from webapp.lab.results.responses import figure_response, file_response
from webapp.lab.studies import exports, results, selectors
from webapp.records.models import Study


def chart_json_response(request: HttpRequest, study: Study, chart_id: str) -> HttpResponse:
    """The figure, or 304 while nothing new is known. Raises Http404."""
    is_live = study.status in (Study.Status.RUNNING, Study.Status.PAUSED)
    parts = ("study", chart_id, *results.cached_version(results.version(study)))
    return figure_response(request, parts, lambda: _figure(study, chart_id), is_live)


def _figure(study: Study, chart_id: str) -> dict[str, Any]:
    figure = selectors.figure(study, chart_id)
    if figure is None:
        raise Http404(f"no chart {chart_id}")
    return figure.to_json()


def chart_page_response(request: HttpRequest, study: Study, chart_id: str, base: str) -> HttpResponse:
    """A page with the figure and its table. Raises Http404."""
    context = {"experiment": study, "figure": _figure(study, chart_id), "base": base}
    return render(request, "results/chart.html", context)


def export_response(request: HttpRequest, study: Study, table: str, format_id: str, name: str) -> HttpResponseBase:
    """The rows as a file to download. Raises Http404."""
    if table != exports.TABLE or format_id not in FORMATS:
        raise Http404(f"no export {table}.{format_id}")
    return file_response(request, partial(exports.stream, study, table, format_id), format_id, f"{name}-rows")
