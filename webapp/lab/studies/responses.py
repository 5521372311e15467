"""What pages of a study share, its own and the shared one: contexts, figures and files."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render

from webapp.lab.experiments.progress import POLL_S
from webapp.lab.results.files import FORMATS
from webapp.lab.results.responses import figure_response, file_response
from webapp.lab.studies import exports, results, selectors
from webapp.lab.studies.progress import progress
from webapp.records.models import Study
from worker.spec import SpecError


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


def reloading(request: HttpRequest, response: HttpResponse, state: str) -> HttpResponse:
    """Reload the asking page where it shows another state."""
    if request.GET.get("state", state) != state:
        response["HX-Refresh"] = "true"
    return response


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


def chart_page_response(request: HttpRequest, study: Study, chart_id: str, base: str) -> HttpResponse:
    """A page with the figure and its table. Raises Http404."""
    context = {"experiment": study, "figure": _figure(study, chart_id), "base": base}
    return render(request, "results/chart.html", context)


def export_response(study: Study, format_id: str, name: str) -> HttpResponseBase:
    """The rows as a file to download. Raises Http404."""
    if format_id not in FORMATS:
        raise Http404(f"no export rows.{format_id}")
    return file_response(partial(exports.stream, study, format_id), format_id, f"{name}-rows")


def result_json_response(study: Study, name: str) -> HttpResponse:
    """The result of this moment as a file. Raises Http404 where this version cannot make it."""
    try:
        found = results.whole(study)
    except SpecError as error:
        raise Http404(f"its spec is of another version: {error}") from None
    return _json_file(found, f"meeple-lab-{name}-result.json")


def spec_json_response(study: Study, name: str) -> HttpResponse:
    """The spec as a file."""
    return _json_file(study.spec, f"meeple-lab-{name}.json")


def _json_file(data: dict[str, Any], name: str) -> HttpResponse:
    response = JsonResponse(data, json_dumps_params={"indent": 1, "ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "private, no-store"
    return response
