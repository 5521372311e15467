"""Answers that the owner's pages of a job and the shared ones have in common."""

from __future__ import annotations

import json
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from webapp.common.requests import HtmxRequest
from webapp.lab.jobs import bars, briefs, registry
from webapp.lab.jobs.kind import Part
from webapp.lab.jobs.progress import Progress
from webapp.records.job import Job
from worker.spec import SpecError


def context(job: Job, base: str, now: Progress | None = None, *, is_shared: bool = False) -> dict[str, Any]:
    """The context of all pages of a job; base: address of its page."""
    kind = registry.of(job)
    return {
        "job": job,
        job.field: job,
        "kind": kind,
        "words": kind.words,
        "progress": now or kind.progress(job),
        "base": base,
        "new_url": reverse(f"{kind.plural}:new"),
        "can_run_again": True,
        "failures_url": base + kind.failures if kind.shares_failures or not is_shared else "",
        **kind.context(job),
    }


def brief_response(request: HtmxRequest, job: Any) -> HttpResponse:
    """What came out of a job with counts, on the axes of the page that asks; what they do not hold has it drawn anew.

    The page then finds the difference kept, and its axes hold it.
    """
    brief, axes = registry.of(job).brief(job), bars.axes_in(request.GET.dict())
    briefs.remember(job, brief)
    response = render(request, "jobs/_brief.html", {"brief": axes.show(brief)})
    if not axes.holds(brief):
        response["HX-Trigger"] = "lab:axes"
    return response


def live_response(request: HtmxRequest, job: Job, values: dict[str, Any]) -> HttpResponse:
    """The part that is asked for again and again; another state reloads the page. values: of the template."""
    now: Progress = values["progress"]
    response = render(request, "jobs/_live.html", {**values, "is_update": True})
    if registry.of(job).is_over(job, now) or request.GET.get("state", now.state) != now.state:
        response["HX-Refresh"] = "true"
    return response


def part_response(request: HtmxRequest, part: Part, page: str, values: dict[str, Any]) -> HttpResponse:
    """One side of a job: a page around the template of the part, or the template alone where a script asks for it."""
    values |= {"part": part}
    is_fragment = part.is_list and request.htmx
    return part.finish(request, render(request, part.template if is_fragment else page, values), values)


def spec_file(job: Job, name: str) -> HttpResponse:
    """The spec as a file to download."""
    return _file(registry.of(job).spec_text(job.spec), name)


def result_file(job: Job, name: str) -> HttpResponse:
    """Every number of a job's page as a file to download. Raises Http404 where this version cannot read its spec."""
    try:
        numbers = registry.of(job).numbers(job)
    except SpecError as error:
        raise Http404(f"its spec is of another version: {error}") from None
    return _file(json.dumps(numbers, indent=1, ensure_ascii=False), f"{name}-result")


def _file(text: str, name: str) -> HttpResponse:
    response = HttpResponse(text, content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="meeple-lab-{name}.json"'
    response["Cache-Control"] = "private, no-store"
    return response
