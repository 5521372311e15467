"""`/p/<slug>/`: shared projects, read-only; no account needed. A result is shown where it is shared by itself."""

from __future__ import annotations

import base64
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from webapp.common import public_answers
from webapp.common.permissions import get_owned
from webapp.common.requests import HtmxRequest
from webapp.lab.jobs.responses import brief_response
from webapp.lab.projects import report, selectors, services
from webapp.lab.projects.models import Project, ProjectLink
from webapp.lab.projects.selectors import Report
from webapp.people.accounts import guests
from webapp.people.accounts.requests import UserRequest
from webapp.sharing.card import png
from webapp.sharing.project_preview import preview
from webapp.sharing.public import GONE, HEADERS, picture_response

DRAFT_SLUG = "your-link"
View = Callable[..., HttpResponse]


# ---- the owner's part


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def share(request: UserRequest, pk: int) -> HttpResponse:
    """Say what would become public, and which results with it; sent, give the project its address and go there."""
    project = get_owned(Project.objects.select_related("owner"), request.user, pk=pk)
    if request.method == "POST":
        chosen = filter(None, map(report.parse_job, request.POST.getlist("result")))
        made = services.share(project, set(chosen))
        messages.success(request, "Shared: anybody with the address of this page can see it")
        return redirect("sharing:project", slug=made.slug)
    link, found = selectors.live_link(project), selectors.report_of(project)
    if link is not None and not found.private:
        return redirect("sharing:project", slug=link.slug)
    draft = ProjectLink(project=project, slug=DRAFT_SLUG)
    with public_answers.public_answer():
        shown = preview(draft, project, found)
    picture = base64.b64encode(png(shown.card)).decode()
    context = {"project": project, "report": found, "link": link, "preview": shown, "picture": picture}
    return render(request, "sharing/ask_project.html", context)


@login_required
@require_POST
def withdraw(request: UserRequest, slug: str) -> HttpResponse:
    """Close the address of a project, for its owner alone; those of its results stay."""
    link = get_object_or_404(ProjectLink.objects.select_related("project"), slug=slug)
    if link.project is None or link.project.owner_id != request.user.pk:
        raise Http404("no such link, or not yours")
    services.withdraw(link)
    messages.success(request, "Withdrawn: anybody who opens the address now reads that it was withdrawn")
    return redirect("projects:detail", pk=link.project.pk)


# ---- everybody's part


def public(view: View) -> View:
    """Make ``view(request, link, project, ...)`` answer for a slug, to anybody; a withdrawn address says so."""

    @require_safe
    @wraps(view)
    def answer(request: HttpRequest, slug: str, **values: Any) -> HttpResponse:
        link = get_object_or_404(ProjectLink.objects.select_related("project__owner"), slug=slug)
        with public_answers.public_answer():
            if link.withdrawn_at is not None or link.project is None:
                context = {"link": link, "what": "report"}
                response = render(request, "sharing/withdrawn.html", context, status=GONE)
            else:
                response = view(request, link, link.project, **values)
        for name, value in HEADERS.items():
            response[name] = value
        return response

    return answer


def _base(link: ProjectLink) -> str:
    return reverse("sharing:project", args=[link.slug])


def _report(request: HtmxRequest, link: ProjectLink, project: Project) -> Report:
    """The report as this reader sees it."""
    return selectors.report_of(project, _base(link), guests.person(request))


@public
def show(request: HtmxRequest, link: ProjectLink, project: Project) -> HttpResponse:
    """The report."""
    found = _report(request, link, project)
    is_owner = request.user.is_authenticated and request.user.pk == project.owner_id
    context = {
        "link": link,
        "project": project,
        "report": found,
        "base": _base(link),
        "preview": preview(link, project, found),
        "is_public": True,
        "is_owner": is_owner,
        "private": selectors.report_of(project).private if is_owner else [],
    }
    return render(request, "sharing/project.html", context)


@public
def card(request: HtmxRequest, link: ProjectLink, project: Project) -> HttpResponse:
    """The preview picture, drawn from the numbers of this moment."""
    return picture_response(request, preview(link, project, _report(request, link, project)).card)


@public
def brief(request: HtmxRequest, link: ProjectLink, project: Project, key: str) -> HttpResponse:
    """What came out of one of its shared results so far; kept once that is over. Raises Http404."""
    items = _report(request, link, project).results
    item = next((item for item in items if item.block.key == key), None)
    if item is None:
        raise Http404("no such result here, or not shared")
    return brief_response(request, item.job)
