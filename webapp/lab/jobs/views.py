"""Pages of one's own jobs: the list, one job with its parts and files, and what steers it. kind: `Job.word`."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from webapp.common import formats
from webapp.common.errors import RefusedError
from webapp.common.permissions import get_owned
from webapp.common.requests import HtmxRequest
from webapp.lab.jobs import registry, responses, selectors, services, waiting
from webapp.lab.jobs.listing import listing
from webapp.people.accounts.requests import UserRequest
from webapp.records.job import Job


def _job(request: HtmxRequest, pk: int, kind: str) -> Job:
    job: Job = get_owned(registry.get(kind).jobs, request.user, pk=pk)
    return job


def _context(job: Job, tab: str = "") -> dict[str, Any]:
    link = selectors.live_link(job)
    shared_url = reverse("sharing:show", args=[link.slug]) if link else ""
    own = responses.context(job, selectors.url(job)) | registry.of(job).owner_context(job)
    return own | {"tab": tab, "shared_url": shared_url, "list_url": _list_url(job.word), "wait": waiting.of_job(job)}


def _list_url(kind: str) -> str:
    return reverse(f"{registry.get(kind).plural}:list")


@login_required
@require_safe
def index(request: UserRequest, kind: str) -> HttpResponse:
    """One's own jobs of a kind, in three tabs; of staff, those of others, too."""
    found = registry.get(kind)
    listed = listing(found, request.GET, request.user)
    context = {"kind": found, "list_url": _list_url(kind), "listing": listed, "tab": listed.tab, "page": listed.page}
    response = render(request, found.listing, context)
    address = f"{_list_url(kind)}?{listed.address}"
    if request.htmx and request.htmx.current_url_abs_path != address:
        response["HX-Push-Url"] = address
    return response


@require_safe
def brief(request: HtmxRequest, pk: int, kind: str) -> HttpResponse:
    """What came out, as the row of the list asks for it; kept once the job is over."""
    found = registry.get(kind)
    job = get_owned(found.with_counts(found.jobs), request.user, pk=pk)
    return responses.brief_response(request, job)


@require_safe
def detail(request: HtmxRequest, pk: int, kind: str) -> HttpResponse:
    """The live page; a single match shows itself once it is played."""
    job, found = _job(request, pk, kind), registry.get(kind)
    if (played := found.only_match(job)) is not None:
        return redirect("matches:detail", pk=played.pk)
    context = _context(job, "result")
    context |= found.page_context(job, context["progress"], context["base"], request.GET)
    return render(request, found.page(job), context)


@require_safe
def live(request: HtmxRequest, pk: int, kind: str) -> HttpResponse:
    """The progress, for polls."""
    job = _job(request, pk, kind)
    return responses.live_response(request, job, _context(job))


@require_safe
def result(request: HtmxRequest, pk: int, kind: str) -> HttpResponse:
    """The result alone, for the live page."""
    job, found = _job(request, pk, kind), registry.get(kind)
    context = _context(job)
    return render(request, found.result, context | found.result_context(job, context["base"]))


@require_safe
def part(request: HtmxRequest, pk: int, kind: str, name: str) -> HttpResponse:
    """One side of it: its settings, its matches or rows."""
    job, chosen = _job(request, pk, kind), registry.get(kind).parts[name]
    context = _context(job, name)
    context |= chosen.context(job, context["progress"], context["base"], request.GET)
    return responses.part_response(request, chosen, "jobs/part.html", context)


@require_safe
def chart_json(request: HtmxRequest, pk: int, kind: str, chart_id: str) -> HttpResponse:
    """The figure of a chart as JSON; ``?arm=`` is the reader's choice, mostly the arm shown."""
    return registry.get(kind).chart_json(request, _job(request, pk, kind), chart_id)


@require_safe
def chart_page(request: HtmxRequest, pk: int, kind: str, chart_id: str) -> HttpResponse:
    """One chart on a page of its own, with its table."""
    job = _job(request, pk, kind)
    return registry.get(kind).chart_page(request, job, chart_id, selectors.url(job))


@require_safe
def export(request: HtmxRequest, pk: int, kind: str, table: str, format_id: str) -> HttpResponseBase:
    """Rows as a file."""
    return registry.get(kind).export(request, _job(request, pk, kind), table, format_id, f"{kind}-{pk}")


@require_safe
def result_json(request: HtmxRequest, pk: int, kind: str) -> HttpResponse:
    """The result as a file."""
    return responses.result_file(_job(request, pk, kind), f"{kind}-{pk}")


@require_safe
def spec_json(request: HtmxRequest, pk: int, kind: str) -> HttpResponse:
    """The spec as a file."""
    return responses.spec_file(_job(request, pk, kind), f"{kind}-{pk}")


# ---- steering


@require_POST
def act(request: HtmxRequest, pk: int, kind: str, action: str) -> HttpResponse:
    """Carry out one of `webapp.lab.jobs.urls.ACTIONS` and say what it did."""
    job = _job(request, pk, kind)
    try:
        done = getattr(services, action)(job)
        messages.success(request, _said(job, action, done))
    except RefusedError as error:
        messages.warning(request, str(error))
    return redirect(selectors.url(job))


def _said(job: Job, action: str, done: bool | None) -> str:
    """The effect of an action in words; done: whether anything changed, where that is known."""
    kind = registry.of(job)
    if action == "pause":
        return f"Paused: {kind.words.held}" if done else "It was not running"
    if action == "resume":
        return "Running again" if done else "It was running, or finished already"
    if action == "stop":
        if not done:
            return "It was over already"
        progress = kind.progress(job)
        ended = formats.plural(progress.played, kind.words.unit, kind.words.units)
        begun = "are broken off" if progress.in_play is None else "still come to their end"
        return f"Stopped after {ended}. Those begun {begun}, and you can resume."
    return "Archived: find it under Archived in your list" if action == "archive" else "Back in your list"


@require_http_methods(["GET", "POST"])
def delete(request: HtmxRequest, pk: int, kind: str) -> HttpResponse:
    """Ask once more, naming what goes; then delete."""
    job = _job(request, pk, kind)
    if request.method != "POST":
        return render(request, "jobs/delete.html", _context(job))
    try:
        services.delete(job)
    except RefusedError as error:
        messages.warning(request, str(error))
        return redirect(selectors.url(job))
    except type(job).DoesNotExist:
        pass  # a second click: gone is gone
    messages.success(request, f"Deleted “{job.title}”")
    return redirect(_list_url(kind))
