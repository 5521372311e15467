"""Charts and exports of an experiment as responses, for its owner's pages and shared ones alike."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import partial
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render

from webapp.common import public_answers
from webapp.lab.results import cache, exports, figures, files
from webapp.lab.results.charts import registry
from webapp.lab.results.charts.figure import Chart, nothing_yet
from webapp.lab.results.dashboard import card_of
from webapp.people.accounts import guests
from webapp.records.archive.errors import ArchiveError
from webapp.records.models import Experiment, Match

RETRY_S = 60


FIGURE_VERSION = 7
"""Raise it when a chart changes what it draws from the same numbers."""


def _chart(request: HttpRequest, experiment: Experiment, chart_id: str) -> tuple[Chart, int | None]:
    """The chart and the choice that a request asks for: None is all arms side by side. Raises Http404."""
    if chart_id not in registry.CHARTS:
        raise Http404(f"no chart {chart_id}")
    chart = registry.get(chart_id)
    text = request.GET.get("arm", "")
    if not chart.fits(experiment):
        raise Http404(f"experiment {experiment.pk} has no chart {chart_id}")
    if not text:
        return chart, None
    most = max(len(experiment.spec["arms"]), len(chart.choices(experiment)), len(chart.details(experiment)))
    if not text.isascii() or not text.isdigit() or len(text) > 4 or int(text) >= most:
        raise Http404(f"no choice {text}")
    return chart, int(text)


def chart_json_response(request: HttpRequest, experiment: Experiment, chart_id: str) -> HttpResponse:
    """The figure, or 304 while nothing new has been written. Raises Http404."""
    chart, arm = _chart(request, experiment, chart_id)
    parts = (experiment.pk, chart_id, arm, *cache.version(experiment))
    is_live = experiment.status in (Experiment.Status.RUNNING, Experiment.Status.PAUSED)
    return figure_response(request, parts, lambda: _figure(experiment, chart, arm), is_live)


def figure_response(
    request: HttpRequest, version: tuple[Any, ...], make: Callable[[], dict[str, Any]], is_live: bool
) -> HttpResponse:
    """A figure as JSON, or 304 where the asker has this version of it. is_live: it may be asked for again."""
    parts = [FIGURE_VERSION, is_live, public_answers.is_public(), *version]
    etag = f'"{hashlib.sha256(json.dumps(parts, default=str).encode()).hexdigest()[:32]}"'
    headers = {"ETag": etag, "Cache-Control": "private, no-cache"}
    if request.headers.get("If-None-Match", "").removeprefix("W/") == etag:
        return HttpResponse(status=304, headers=headers)
    content = figures.once(etag, lambda: json.dumps(make() | {"live": is_live}, cls=DjangoJSONEncoder).encode())
    return HttpResponse(content, content_type="application/json", headers=headers)


def _figure(experiment: Experiment, chart: Chart, arm: int | None) -> dict[str, Any]:
    try:
        return chart.build(experiment, arm).to_json()
    except ArchiveError as error:
        return nothing_yet(chart.title, "", error.sentence).to_json()


def chart_page_response(request: HttpRequest, experiment: Experiment, chart_id: str, base: str) -> HttpResponse:
    """A page with the chart, its table and its figure, drawn by the server where it can be."""
    chart, arm = _chart(request, experiment, chart_id)
    context = {
        "experiment": experiment,
        "card": card_of(experiment, chart, base, arm),
        "choices": chart.choices(experiment) or chart.details(experiment),
        "has_all": not chart.choices(experiment),
        "figure": _figure(experiment, chart, arm),
        "arm": arm,
        "base": base,
    }
    return render(request, "results/chart.html", context)


def export_response(
    request: HttpRequest,
    experiment: Experiment,
    table: str,
    format_id: str,
    name: str,
    chosen: Match | exports.Span | None = None,
) -> HttpResponseBase:
    """A file to download, written while it is read; 503 where too many are. Raises Http404."""
    if table not in exports.TABLES or format_id not in exports.FORMATS:
        raise Http404(f"no export {table}.{format_id}")
    stream = partial(exports.stream, experiment, table, format_id, chosen)
    return file_response(request, stream, format_id, f"{name}-{table}")


def file_response(
    request: HttpRequest, stream: Callable[..., files.Download], format_id: str, name: str
) -> HttpResponseBase:
    """A file of rows to download; 503 where too many are being read. name: of the file, without its ending."""
    try:
        blocks = stream(who=guests.share_of(request))
    except files.BusyError as busy:
        words = f"{busy} Please try again in a minute."
        headers = {"Retry-After": str(RETRY_S), "Cache-Control": "no-store"}
        return HttpResponse(words, status=503, content_type="text/plain; charset=utf-8", headers=headers)
    return download_response(blocks, format_id, name)


def download_response(blocks: files.Download, format_id: str, name: str) -> StreamingHttpResponse:
    """The blocks of a file as it is read. name: of the file, without its ending."""
    response = StreamingHttpResponse(blocks, content_type=files.FORMATS[format_id].media_type)
    response["Content-Disposition"] = f'attachment; filename="meeple-lab-{name}.{format_id}"'
    response["Cache-Control"] = "private, no-store"
    return response
